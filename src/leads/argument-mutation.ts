import type { DiffLine, Workspace, WorkspaceRollout } from "../workspace/types.ts";
import { changedFiles, isProduct, peersOf, type ChangedFile } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { projectStatements, type Statement } from "./project-docs.ts";
import type { SourceFile } from "./source-file.ts";
import { suspect } from "./suspect.ts";
import { isScript, type Language } from "./syntax/language.ts";
import type { Definition } from "./syntax/definition.ts";
import { escape } from "./task-text.ts";

/** Ways to take something out of an object, to reorder it, or to change it otherwise. */
function mutations(name: string, language: Language): { destroys: RegExp; changes: RegExp } {
  const it = `(?<![\\w$.])${escape(name)}`;
  if (isScript(language)) {
    return {
      destroys: new RegExp(
        `\\bdelete\\s+${it}\\s*[.[]|${it}\\s*\\.(?:splice|shift|pop|sort|reverse|clear|delete|fill|copyWithin)\\s*\\(|${it}\\.length\\s*=(?!=)`,
      ),
      changes: new RegExp(
        `${it}(?:\\.[\\w$]+|\\[[^\\]]+\\])+\\s*(?:[-+*/|&?]{0,2}=)(?![=>])|${it}\\s*\\.(?:push|unshift|set|add)\\s*\\(|\\bObject\\.assign\\s*\\(\\s*${it}\\b`,
      ),
    };
  }
  return {
    destroys: new RegExp(
      `\\bdel\\s+${it}\\s*\\[|${it}\\s*\\.(?:pop|popitem|remove|clear|sort|reverse|discard)\\s*\\(`,
    ),
    changes: new RegExp(
      `${it}\\s*\\[[^\\]]*\\]\\s*(?:[-+*/|&]{0,2}=)(?!=)|${it}\\s*\\.(?:append|extend|insert|update|add|setdefault)\\s*\\(`,
    ),
  };
}

/** The parameter stands for something of the function's own from here on. */
function isRebound(masked: readonly string[], definition: Definition, name: string, line: number): boolean {
  const again = new RegExp(`(?<![\\w$.])${escape(name)}\\s*(?::\\s*[\\w[\\]., ]+)?\\s*=(?![=>])`);
  return masked.slice(definition.line, line - 1).some((text) => again.test(text));
}

/** Most mutations of one file that are looked at. */
const MAX_MUTATIONS = 20;

/** Parameters that are there to be changed. */
const OUT =
  /^(?:out|output|result|results|acc|accumulator|into|target|dest|destination|buffer|buf|seen|visited|cache|memo|stack|queue|state|ctx|context|draft|self|this|cls|res|req|el|element|node|doc|document)$/i;

interface Mutation {
  definition: Definition;
  name: string;
  line: DiffLine;
  destroys: boolean;
}

async function mutationsIn(file: ChangedFile, after: SourceFile, language: Language): Promise<Mutation[]> {
  const masked = after.masked();
  const functions = (await after.outline()).filter(
    (definition) => definition.kind === "function" && definition.exported,
  );
  return functions.flatMap((definition) => {
    const inside = file.fresh.filter(
      (line) => definition.line < (line.new ?? 0) && (line.new ?? 0) <= definition.endLine,
    );
    if (inside.length === 0) return [];
    return definition.params
      .filter((param) => param.name !== "" && !param.rest && !OUT.test(param.name))
      .flatMap(({ name }): Mutation[] => {
        const { destroys, changes } = mutations(name, language);
        const at = (line: DiffLine) => masked[(line.new ?? 1) - 1] ?? "";
        const line = inside.find(
          (each) =>
            (destroys.test(at(each)) || changes.test(at(each))) &&
            !isRebound(masked, definition, name, each.new ?? 0),
        );
        return line === undefined ? [] : [{ definition, name, line, destroys: destroys.test(at(line)) }];
      });
  });
}

const OURS = /\b(?:arguments?|parameters?|inputs?|options?|mappings?|callers?)\b/i;
const KEPT =
  /\b(?:not|never|n't)\b[^.]{0,30}\b(?:modif|mutat|chang|alter)\w*|\bbelongs? to the caller\b|\b(?:read-?only|immutable)\b/i;

function promiseIn(statements: readonly Statement[]): Statement | undefined {
  return statements.find(({ text }) => OURS.test(text) && KEPT.test(text));
}

/** Whether the function already changed this argument, or other rollouts change it as well. */
function isUsual(
  mutation: Mutation,
  file: ChangedFile,
  rollout: WorkspaceRollout,
  workspace: Workspace,
): boolean {
  const language = file.after?.language ?? "python";
  const { destroys, changes } = mutations(mutation.name, language);
  if (file.before?.masked().some((line) => destroys.test(line) || changes.test(line)) === true) return true;
  return peersOf(workspace, rollout).some((peer) =>
    peer.files.some(
      ({ path, hunks }) =>
        path === file.path &&
        hunks.some((hunk) =>
          hunk.lines.some(
            (line) => line.kind === "added" && (destroys.test(line.text) || changes.test(line.text)),
          ),
        ),
    ),
  );
}

/** Public functions that change what their caller passed in. */
export const argumentMutation = perRollout(
  "argument-mutation",
  "Added code of a public function that deletes from, reorders or assigns into an argument; output parameters, copies and what the base or other rollouts do as well are left alone.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    const promise = promiseIn(await projectStatements(workspace));
    for (const file of await changedFiles(workspace, rollout)) {
      const { after } = file;
      if (!isProduct(file) || after?.language === undefined) continue;
      if (!isScript(after.language) && after.language !== "python") continue;
      for (const mutation of (await mutationsIn(file, after, after.language)).slice(0, MAX_MUTATIONS)) {
        if (isUsual(mutation, file, rollout, workspace)) continue;
        const { definition, name, line, destroys } = mutation;
        const lonely = destroys && peersOf(workspace, rollout).length >= 2;
        const why =
          promise === undefined
            ? ""
            : `; ${promise.path} (line ${promise.line}): ${promise.text.slice(0, 160)}`;
        const lead = suspect(
          {
            rollout: rollout.label,
            criterion: "unintended_side_effects",
            severity: promise === undefined ? (lonely ? "minor" : "note") : "major",
            claim: `${definition.name} changes its caller's ${name} (${file.path}, line ${line.new ?? 0})${why}.`,
          },
          file.path,
          [line],
        );
        if (lead !== undefined) found.push(lead);
      }
    }
    return found;
  },
);
