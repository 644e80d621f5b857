import type { Workspace, WorkspaceRollout } from "../workspace/types.ts";
import { changedFiles, type ChangedFile } from "./change.ts";
import type { Definition } from "./syntax/definition.ts";
import { escape } from "./task-text.ts";

/**
 * Lines on which a file uses a word, in code or inside a string; where the language is not known, anywhere. With `called`
 * only calls and method references count: there a variable of the same name is something else.
 */
export function linesUsing(file: ChangedFile, name: string, called = false): number[] {
  const { after } = file;
  if (after === undefined || !after.text.includes(name)) return [];
  const whole = new RegExp(`(?<![\\w$])${escape(name)}(?![\\w$])`);
  if (after.language === undefined)
    return after.lines().flatMap((line, index) => (whole.test(line) ? [index + 1] : []));
  const tokens = after.tokens();
  return tokens.flatMap((token, at) => {
    if (token.kind === "string") return whole.test(token.text) ? [token.line] : [];
    const uses = token.kind !== "comment" && token.text === name;
    const call = !called || tokens[at + 1]?.text === "(" || tokens[at - 1]?.text === "::";
    return uses && call ? [token.line] : [];
  });
}

/**
 * Whether anything outside a new definition uses its name. Files that the rollout leaves alone cannot know a new name;
 * whether the base happens to call something so is `isKnown`'s question.
 */
export async function usesOutside(
  workspace: Workspace,
  rollout: WorkspaceRollout,
  file: ChangedFile,
  definition: Pick<Definition, "name" | "line" | "endLine"> & { kind?: Definition["kind"] },
): Promise<boolean> {
  const { name, line, endLine, kind } = definition;
  // Where functions are no values, nothing but a call or a method reference can use one.
  const called = kind === "function" && /^(?:java|csharp)$/.test(file.after?.language ?? "");
  if (linesUsing(file, name, called).some((used) => used < line || used > endLine)) return true;
  const others = (await changedFiles(workspace, rollout)).filter(
    (other) => other.path !== file.path && other.diff.class !== "docs",
  );
  return others.some((other) => linesUsing(other, name, called).length > 0);
}

/** Whether the base, or the visible tests on top of it, know a name. */
export async function isKnown(workspace: Workspace, name: string): Promise<boolean> {
  const query = { pattern: name, word: true, limit: 1 };
  if ((await workspace.store.grep(workspace.base, query)).matches.length > 0) return true;
  if (workspace.testsTree === workspace.base) return false;
  return (await workspace.store.grep(workspace.testsTree, query)).matches.length > 0;
}
