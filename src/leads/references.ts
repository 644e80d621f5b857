import type { Workspace, WorkspaceRollout } from "../workspace/types.ts";
import { changedFiles, type ChangedFile } from "./change.ts";
import type { Definition } from "./syntax/outline.ts";
import { escape } from "./task-text.ts";

/** Lines on which a file uses a word, in code or inside a string; where the language is not known, anywhere. */
export function linesUsing(file: ChangedFile, name: string): number[] {
  const { after } = file;
  if (after === undefined || !after.text.includes(name)) return [];
  const whole = new RegExp(`(?<![\\w$])${escape(name)}(?![\\w$])`);
  if (after.language === undefined)
    return after.lines().flatMap((line, index) => (whole.test(line) ? [index + 1] : []));
  return after.tokens().flatMap((token) => {
    const uses =
      token.kind === "string" ? whole.test(token.text) : token.kind !== "comment" && token.text === name;
    return uses ? [token.line] : [];
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
  definition: Pick<Definition, "name" | "line" | "endLine">,
): Promise<boolean> {
  const { name, line, endLine } = definition;
  if (linesUsing(file, name).some((used) => used < line || used > endLine)) return true;
  const others = (await changedFiles(workspace, rollout)).filter(
    (other) => other.path !== file.path && other.diff.class !== "docs",
  );
  return others.some((other) => linesUsing(other, name).length > 0);
}

/** Whether the base, or the visible tests on top of it, know a name. */
export async function isKnown(workspace: Workspace, name: string): Promise<boolean> {
  const query = { pattern: name, word: true, limit: 1 };
  if ((await workspace.store.grep(workspace.base, query)).matches.length > 0) return true;
  if (workspace.testsTree === workspace.base) return false;
  return (await workspace.store.grep(workspace.testsTree, query)).matches.length > 0;
}
