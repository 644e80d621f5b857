import type { FileDiff, Workspace, WorkspaceRollout } from "../../workspace/types.ts";
import { languageOf, type Language } from "../syntax/language.ts";
import { kept } from "./kept.ts";
import { maskLines, type MaskedLines } from "./masked-lines.ts";

/** Largest file that is looked through, in bytes. A hand-written file is far below. */
const MAX_BYTES = 2 * 1024 * 1024;

/** One line that the rollout wrote, in the three forms of MaskedLines. `number` is 1-based in its version. */
export interface AddedLine {
  number: number;
  text: string;
  code: string;
  bare: string;
}

/** A file that the rollout added or changed, with its whole new text. */
export interface ChangedFile {
  diff: FileDiff;
  language: Language | undefined;
  lines: MaskedLines;
  /** Without lines that the same change removes elsewhere: those were moved, not written. */
  added: AddedLine[];
  isAdded(index: number): boolean;
}

/** Text files of a rollout's change, read and masked once for all detectors. Lock files are left out. */
export const changedFiles = kept(readChanged);

async function readChanged(workspace: Workspace, rollout: WorkspaceRollout): Promise<ChangedFile[]> {
  const { tree } = rollout.patch;
  if (tree === undefined) return [];
  const removed = new Set<string>();
  for (const line of rollout.files.flatMap((file) => file.hunks).flatMap((hunk) => hunk.lines))
    if (line.kind === "removed") removed.add(line.text.trim());
  const files: ChangedFile[] = [];
  for (const diff of rollout.files) {
    if (diff.binary || diff.status === "deleted" || diff.class === "lock" || diff.added === 0) continue;
    const text = await workspace.store.readText(tree, diff.path, MAX_BYTES);
    if (text !== undefined) files.push(changedFile(diff, text, removed));
  }
  return files;
}

function changedFile(diff: FileDiff, text: string, removed: ReadonlySet<string>): ChangedFile {
  const lines = maskLines(text, diff.path);
  const numbers = new Set<number>();
  const added: AddedLine[] = [];
  for (const line of diff.hunks.flatMap((hunk) => hunk.lines)) {
    if (line.kind !== "added" || line.new === undefined) continue;
    const at = line.new - 1;
    numbers.add(at);
    if (removed.has(line.text.trim())) continue;
    added.push({ number: line.new, text: line.text, code: lines.code[at] ?? "", bare: lines.bare[at] ?? "" });
  }
  return { diff, language: languageOf(diff.path), lines, added, isAdded: (index) => numbers.has(index) };
}
