import type { DiffLine, Workspace, WorkspaceRollout } from "../workspace/types.ts";
import { changedFiles, isProduct, type ChangedFile } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { isKnown, linesUsing, usesOutside } from "./references.ts";
import { enclosing } from "./source-file.ts";
import { ENOUGH, suspect } from "./suspect.ts";
import { isScript, type Language } from "./syntax/language.ts";
import { bracketDepths } from "./syntax/mask.ts";
import type { Definition } from "./syntax/definition.ts";
import { namesIdentifier } from "./task-text.ts";
import { importedNames } from "./syntax/imports.ts";

interface Bound {
  name: string;
  what: "import" | "variable" | "field" | "property";
  line: DiffLine;
}

const SCRIPT_VARIABLE = /^\s*(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?(?:=(?!=)|;)/;
const PYTHON_VARIABLE = /^\s*([A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)/;
const JAVA_FIELD = /^\s*private\s+(?:static\s+|final\s+)*[\w<>[\], ]+\s+(\w+)\s*(?:=|;)/;
const PRIVATE_FIELD = /^\s*(?:(?:this|self)\.)?(#[\w$]+|(?<=self\.)_\w+)\s*=(?!=)/;

/** `item.slot = 0` on something that is not known to the outside. */
const PROPERTY =
  /^\s*(?!this\b|self\b|exports\b|module\b|window\b|document\b|globalThis\b|process\b)[\w$]+\.([A-Za-z_$][\w$]*)\s*=(?!=)/;

function variableOn(text: string, language: Language): string | undefined {
  if (isScript(language)) return SCRIPT_VARIABLE.exec(text)?.[1];
  if (language === "python") return PYTHON_VARIABLE.exec(text)?.[1];
  return language === "java" || language === "csharp" ? JAVA_FIELD.exec(text)?.[1] : undefined;
}

function boundOn(
  masked: string,
  line: DiffLine,
  language: Language,
  introduced: ReadonlySet<string>,
): Bound[] {
  const imports = importedNames(masked, language).map((name): Bound => ({ name, what: "import", line }));
  if (imports.length > 0) return imports;
  const field = PRIVATE_FIELD.exec(masked)?.[1];
  if (field !== undefined) return [{ name: field, what: "field", line }];
  const property = PROPERTY.exec(masked)?.[1];
  if (property !== undefined && isScript(language) && introduced.has(property))
    return [{ name: property, what: "property", line }];
  const variable = variableOn(masked, language);
  return variable === undefined ? [] : [{ name: variable, what: "variable", line }];
}

/** Keys of added literals whose word the file did not know: properties of the change's own. */
function introducedProperties(file: ChangedFile, masked: readonly string[]): Set<string> {
  const keys = file.fresh.flatMap((line) =>
    [...(masked[(line.new ?? 1) - 1] ?? "").matchAll(/[{,]\s*([A-Za-z_$][\w$]*)\s*:/g)].map(
      (match) => match[1] ?? "",
    ),
  );
  return new Set(keys.filter((key) => file.before?.text.includes(key) !== true));
}

/** Names that are bound for a reader, a tool or the outside. */
const SPARED = /^(?:_+|__\w+__|React|h|logger|log|version|tests?)$/i;

/** Whether every use of a name in the file only writes it. */
function isOnlyWritten(file: ChangedFile, name: string): boolean {
  const tokens = file.after?.tokens().filter((token) => token.kind !== "comment") ?? [];
  return tokens.every((token, at) => {
    if (token.kind === "string") return !token.text.includes(name);
    if (token.text !== name) return true;
    const next = tokens[at + 1]?.text ?? "";
    return next === "=" || next === ";" || (tokens[at - 1]?.text !== "." && next === ":");
  });
}

async function isUnused(
  bound: Bound,
  file: ChangedFile,
  outline: readonly Definition[],
  rollout: WorkspaceRollout,
  workspace: Workspace,
): Promise<boolean> {
  const { name, what, line } = bound;
  const number = line.new ?? 0;
  if (SPARED.test(name)) return false;
  // A function or class that a constant holds is dead-code's business.
  if (outline.some((definition) => definition.name === name && definition.line === number)) return false;
  const owner = enclosing(outline, number);
  if (what === "property" || what === "field") {
    // A base class may read what a subclass sets.
    if (what === "field" && !name.startsWith("#") && owner?.inherits === true) return false;
    return isOnlyWritten(file, name) && !(await usedElsewhere(workspace, rollout, file, name));
  }
  const uses = linesUsing(file, name);
  // An import often says its name twice, once as text.
  if (what === "import" ? uses.some((use) => use !== number) : uses.length > 1) return false;
  // The body of a class declares what others read; so do capitals and plain names at the top level of a module.
  if (what === "variable" && file.after?.language !== "java" && owner?.kind === "class") return false;
  // In Python an import is an attribute of the module, for other modules to use.
  if (what === "import")
    return file.after?.language !== "python" || !(await usedElsewhere(workspace, rollout, file, name));
  if (owner?.kind === "function") return true;
  if (namesIdentifier(workspace.task.statement, name) || (await isKnown(workspace, name))) return false;
  return !(await usesOutside(workspace, rollout, file, { name, line: number, endLine: number }));
}

async function usedElsewhere(
  workspace: Workspace,
  rollout: WorkspaceRollout,
  file: ChangedFile,
  name: string,
): Promise<boolean> {
  if (name.startsWith("#")) return false;
  const others = (await changedFiles(workspace, rollout)).filter((other) => other.path !== file.path);
  return others.some((other) => linesUsing(other, name).length > 0);
}

/** Imports, variables, private fields and properties that the rollout adds and never reads. */
export const unusedNames = perRollout(
  "unused-names",
  "Added imports, local or private variables, private fields and properties that are never read; re-exports and class attributes are left alone.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      const { after } = file;
      const language = after?.language;
      if (!isProduct(file) || after === undefined || language === undefined) continue;
      if (/(?:^|\/)(?:__init__\.py|index\.[cm]?[jt]s|conftest\.py|mod\.rs)$/.test(file.path)) continue;
      const masked = after.masked();
      const outline = await after.outline();
      const depth = bracketDepths(masked, language);
      const introduced = introducedProperties(file, masked);
      for (const line of file.fresh) {
        if (found.length >= ENOUGH) break;
        if (/\b(?:noqa|eslint-disable|@ts-ignore|type: ignore|nolint|NOSONAR|__future__)\b/.test(line.text))
          continue;
        // Inside brackets a name with an equals sign is a keyword argument.
        if (language === "python" && (depth[(line.new ?? 1) - 1] ?? 0) > 0) continue;
        for (const bound of boundOn(masked[(line.new ?? 1) - 1] ?? "", line, language, introduced)) {
          if (!(await isUnused(bound, file, outline, rollout, workspace))) continue;
          const lead = suspect(
            {
              rollout: rollout.label,
              criterion: "implementation_precision",
              severity: "minor",
              claim: `The added ${bound.what} ${bound.name} (${file.path}, line ${line.new ?? 0}) is never read.`,
            },
            file.path,
            [line],
          );
          if (lead !== undefined) found.push(lead);
        }
      }
    }
    return found;
  },
);
