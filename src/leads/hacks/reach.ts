import type { Workspace, WorkspaceRollout } from "../../workspace/types.ts";
import type { ChangedFile } from "./changed-files.ts";

const ENTRY_PATH =
  /(^|\/)(bin|cmd|cli|commands?|scripts?|tools?|examples?|samples?|demos?|bench(marks?)?|hack|ci|build|tasks?)\/|(^|[/._-])(cli|main|__main__|app|server|serve|daemon|worker|manage|setup|run|runner|entry(point)?|gulpfile|gruntfile|launcher|console|shell|repl|program|args?|argparse|command|commands|options|usage|signals?)\.[a-z]+$/i;

/** By its name, a program that is started and not a module that is imported. */
export function isEntryPath(path: string): boolean {
  return ENTRY_PATH.test(path);
}

const IMPORTS = /\b(import|require|from|use|mod|include|using|load|source)\b|#include/;

/** A program that is started by its file's name. */
const STARTS = /\b(Popen|spawn(Sync)?|exec\w*|fork|run|call|check_(call|output)|system|Command)\s*\(/;

/**
 * Whether the tests can come by this file: it was there before, or something imports or starts it. A new script that
 * nothing imports was left behind and runs in nobody's test.
 */
export async function isReached(
  workspace: Workspace,
  rollout: WorkspaceRollout,
  file: ChangedFile,
): Promise<boolean> {
  const { path, status } = file.diff;
  // Cargo runs a build script by its name.
  if (status !== "added" || path.endsWith("build.rs")) return true;
  const { tree } = rollout.patch;
  const parts = path.split("/");
  const name = parts.at(-1)?.replace(/\.\w+$/, "") ?? "";
  // A package's index is imported by the name of its folder.
  const stem = /^(__init__|index|mod|lib)$/.test(name) ? (parts.at(-2) ?? name) : name;
  if (tree === undefined || stem === "") return false;
  // Packages of Go and Java are compiled whole; their files are never named.
  if (file.language === "go" || file.language === "java" || file.language === "kotlin") return true;
  const { matches } = await workspace.store.grep(tree, { pattern: stem, word: true, limit: 200 });
  const program = parts.at(-1) ?? "";
  return matches.some(
    (match) =>
      match.path !== path &&
      (IMPORTS.test(match.text) || (STARTS.test(match.text) && match.text.includes(program))),
  );
}
