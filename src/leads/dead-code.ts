import type { WorkspaceRollout, Workspace } from "../workspace/types.ts";
import { changedFiles, isProduct, peersOf, type ChangedFile } from "./change.ts";
import { newDefinitions } from "./definitions.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { isKnown, usesOutside } from "./references.ts";
import type { SourceFile } from "./source-file.ts";
import { ENOUGH, suspect } from "./suspect.ts";
import { isScript } from "./syntax/language.ts";
import { qualifiedName, type Definition } from "./syntax/definition.ts";
import { escape, namesIdentifier } from "./task-text.ts";

/** Names that a runtime, a framework or a test runner calls. */
const CALLED_BY_NAME =
  /^(?:__\w+__|constructor|main|init|new|default|render|setup|teardown|setUp|tearDown|toString|toJSON|valueOf|equals|hashCode|compareTo|compare|clone|close|dispose|iterator|next|String|Error|Unwrap|Len|Less|Swap|Read|Write|Close|fmt|drop|from|into|deref|hash|eq|cmp)$|^(?:test|Test|Benchmark|Example|on[A-Z_]|do[A-Z_]|visit|handle[A-Z_]|get[A-Z]\w*Props|use[A-Z]|component|before|after)/;

/** Whether only code of the files that the rollout changes could use the definition. */
function isConfined(definition: Definition, file: SourceFile): boolean {
  if (definition.local || definition.name.startsWith("#")) return true;
  if (definition.inherits) return false;
  return (
    !definition.exported &&
    (definition.parents.length === 0 || definition.name.startsWith("_") || !isScript(file.language ?? "c"))
  );
}

/** Whether the base builds names of this kind at run time, as in `"visit_" + kind`. */
async function isDispatched(workspace: Workspace, name: string): Promise<boolean> {
  const prefix = /^_*[a-z]+(?:_|(?=[A-Z]))/.exec(name)?.[0];
  if (prefix === undefined || prefix.length < 3) return false;
  const pattern = `["'\`]${prefix}(["'\`%{]|\\$)`;
  return (await workspace.store.grep(workspace.base, { pattern, regex: true, limit: 1 })).matches.length > 0;
}

async function isDead(
  definition: Definition,
  file: ChangedFile,
  rollout: WorkspaceRollout,
  workspace: Workspace,
): Promise<boolean> {
  const { name } = definition;
  const { after } = file;
  if (after === undefined || definition.decorated || definition.aliased || CALLED_BY_NAME.test(name))
    return false;
  if (await usesOutside(workspace, rollout, file, definition)) return false;
  const member = definition.parents.length > 0 && !definition.local;
  if (member && (await isDispatched(workspace, name))) return false;
  // A private member in Java is known to its file alone, whatever else is called so.
  const strict = /^(?:java|csharp)$/.test(after.language ?? "");
  if (isConfined(definition, after) && (!member || strict)) return true;
  if (definition.name.startsWith("#")) return true;
  if (namesIdentifier(workspace.task.statement, name) || (await isKnown(workspace, name))) return false;
  // What several rollouts call by the same name, the task or its tests call so too.
  const defined = new RegExp(`(?<![\\w$.])${escape(name)}\\s*(?:\\(|=|:|<)`);
  return !peersOf(workspace, rollout).some((peer) =>
    peer.files.some((other) =>
      other.hunks.some((hunk) => hunk.lines.some((line) => line.kind === "added" && defined.test(line.text))),
    ),
  );
}

/** Functions and classes that the rollout adds and nothing uses. */
export const deadCode = perRollout(
  "dead-code",
  "Added functions, methods and classes that nothing in the rollout's tree uses; overrides, decorated ones and names that the task, the base or another rollout knows are left alone.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      const { after } = file;
      if (!isProduct(file) || after === undefined || found.length >= ENOUGH) continue;
      const outline = await after.outline();
      const runs = (one: Definition) =>
        outline.some((other) => other.name === "main" && other.parents.at(-1) === one.name);
      const dead: Definition[] = [];
      for (const definition of await newDefinitions(file)) {
        const inside = dead.some((other) => other.start < definition.start && definition.end <= other.end);
        if (!inside && !runs(definition) && (await isDead(definition, file, rollout, workspace)))
          dead.push(definition);
      }
      for (const definition of dead) {
        const lead = suspect(
          {
            rollout: rollout.label,
            criterion: "implementation_precision",
            severity: "minor",
            claim: `The added ${definition.kind} ${qualifiedName(definition)} (${file.path}, line ${definition.line}) is used nowhere: dead code.`,
          },
          file.path,
          file.added.filter((line) => line.new === definition.line),
        );
        if (lead !== undefined) found.push(lead);
      }
    }
    return found;
  },
);
