import type { Workspace, WorkspaceRollout } from "../workspace/types.ts";
import { changedFiles, type ChangedFile } from "./change.ts";
import type { SourceFile } from "./source-file.ts";
import type { Definition } from "./syntax/definition.ts";

/** One use of a word. `called`: as a call or a method reference, which only a function can answer. */
interface Use {
  line: number;
  called: boolean;
}

const indexes = new WeakMap<SourceFile, Map<string, Use[]>>();

/** Every word of a file with its uses: names in code, and words inside strings; all words where the language is unknown. */
function usesIn(file: SourceFile): Map<string, Use[]> {
  const known = indexes.get(file);
  if (known !== undefined) return known;
  const index = new Map<string, Use[]>();
  const add = (word: string, use: Use) => {
    const uses = index.get(word);
    if (uses === undefined) index.set(word, [use]);
    else uses.push(use);
  };
  const addWords = (text: string, line: number) => {
    for (const [word] of text.matchAll(/[\p{L}\p{N}_$]+/gu)) add(word, { line, called: true });
  };
  if (file.language === undefined) for (const [at, line] of file.lines().entries()) addWords(line, at + 1);
  const tokens = file.tokens();
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "string") addWords(token.text, token.line);
    else if (token.kind === "name") {
      const called = tokens[at + 1]?.text === "(" || tokens[at - 1]?.text === "::";
      add(token.text, { line: token.line, called });
    }
  }
  indexes.set(file, index);
  return index;
}

/** Lines on which a file uses a word, once for each use; with `called`, only where nothing but a function can stand. */
export function linesUsing(file: ChangedFile, name: string, called = false): number[] {
  if (file.after === undefined) return [];
  const uses = usesIn(file.after).get(name) ?? [];
  return uses.filter((use) => use.called || !called).map((use) => use.line);
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
  // Where functions are no values, a variable of the same name is something else.
  const called = kind === "function" && /^(?:java|csharp)$/.test(file.after?.language ?? "");
  if (linesUsing(file, name, called).some((used) => used < line || used > endLine)) return true;
  const others = (await changedFiles(workspace, rollout)).filter(
    (other) => other.path !== file.path && other.diff.class !== "docs",
  );
  return others.some((other) => linesUsing(other, name, called).length > 0);
}

const known = new WeakMap<Workspace, Map<string, Promise<boolean>>>();

/** Whether the base, or the visible tests on top of it, know a name. Asked of git once a name. */
export function isKnown(workspace: Workspace, name: string): Promise<boolean> {
  const names = known.get(workspace) ?? new Map<string, Promise<boolean>>();
  known.set(workspace, names);
  const answer = names.get(name) ?? search(workspace, name);
  names.set(name, answer);
  return answer;
}

async function search(workspace: Workspace, name: string): Promise<boolean> {
  const query = { pattern: name, word: true, limit: 1 };
  if ((await workspace.store.grep(workspace.base, query)).matches.length > 0) return true;
  if (workspace.testsTree === workspace.base) return false;
  return (await workspace.store.grep(workspace.testsTree, query)).matches.length > 0;
}
