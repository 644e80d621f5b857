import type { DiffLine } from "../workspace/types.ts";
import { blocksOf, plain, type Block } from "./blocks.ts";
import { changedFiles, type ChangedFile } from "./change.ts";
import { citeLines } from "./suspect.ts";
import { perRollout, type Suspicion } from "./lead.ts";

/** Fewer lines than this a reviewer lets pass. */
const WORTH_A_COMMENT = 3;

const indentOf = (text: string) => /^[ \t]*/.exec(text)?.[0] ?? "";
const isBlank = (line: DiffLine) => line.text.trim() === "";
const OPENER = /(?:[{([:]|=>|\b(?:then|do|begin)|<\w[^>]*>)\s*(?:#.*|\/\/.*)?$|^\s*(?:else|try|finally)\b/;
const CLOSER = /^\s*(?:[})\]]|end\b|<\/)/;

interface Pair {
  old: DiffLine;
  new: DiffLine;
}

/** Lines of a block that differ in layout only, paired in order; `rest` is what has no partner. */
function pairUp(block: Block): { pairs: Pair[]; rest: DiffLine[] } {
  const waiting = new Map<string, DiffLine[]>();
  for (const line of block.removed) {
    if (isBlank(line)) continue;
    const key = plain(line.text);
    const queue = waiting.get(key);
    if (queue === undefined) waiting.set(key, [line]);
    else queue.push(line);
  }
  const pairs: Pair[] = [];
  const rest: DiffLine[] = [];
  for (const line of block.added) {
    if (isBlank(line)) continue;
    const old = waiting.get(plain(line.text))?.shift();
    if (old === undefined) rest.push(line);
    else pairs.push({ old, new: line });
  }
  for (const queue of waiting.values()) rest.push(...queue);
  return { pairs, rest };
}

/** Only the depth differs, and the same kind of white space makes it. */
function isShift({ old, new: now }: Pair): boolean {
  const [from, to] = [indentOf(old.text), indentOf(now.text)];
  const sameKind = !/\t/.test(from + to) || !/ /.test(from + to);
  return from.length !== to.length && sameKind && old.text.trim() === now.text.trim();
}

/** Every depth grows or shrinks by the same factor: another indent width, and no block around the lines. */
function isRescaled(pairs: readonly Pair[]): boolean {
  const ratios = new Set(
    pairs.map(({ old, new: now }) => indentOf(now.text).length / indentOf(old.text).length),
  );
  return ratios.size === 1 && new Set(pairs.map(({ old }) => indentOf(old.text).length)).size > 1;
}

/** Whether lines moved in or out because something around them opened or closed. */
function isStructural(rest: readonly DiffLine[], moved: readonly Pair[]): boolean {
  return rest.some((line) => OPENER.test(line.text) || CLOSER.test(line.text)) && !isRescaled(moved);
}

/** Lines of one block that changed in layout alone; `show` are those that can be quoted. */
function churnOf(block: Block): { count: number; show: DiffLine[] } {
  const blank = [...block.added, ...block.removed].filter(isBlank);
  if (blank.length === block.added.length + block.removed.length) {
    const beside = [...block.below, ...block.above.toReversed()].find((line) => !isBlank(line));
    return { count: blank.length, show: beside === undefined ? [] : [beside] };
  }
  const joined = (lines: readonly DiffLine[]) =>
    plain(lines.map((line) => line.text).join("")).replaceAll(/,(?=[)\]}])/g, "");
  const { pairs, rest } = pairUp(block);
  const rewrapped = block.removed.length > 0 && joined(block.removed) === joined(block.added);
  if (rewrapped && pairs.length < block.added.length) {
    const lines = block.added.filter((line) => !isBlank(line));
    return { count: Math.max(lines.length, block.removed.length), show: lines };
  }
  const changed = pairs.filter(({ old, new: now }) => old.text !== now.text);
  const shifted = changed.filter(isShift);
  const wrapped = isStructural(rest, shifted);
  const churned = changed.filter((pair) => !(wrapped && isShift(pair)));
  return { count: churned.length, show: churned.map((pair) => pair.new) };
}

const IMPORT = /^\s*(?:import|from|use|using|#include|require|const .*require\()\b/;

/** Import lines that only stand at another place. */
function moved(file: ChangedFile): DiffLine[] {
  const gone = new Set(file.removed.map((line) => line.text.trim()));
  return file.added.filter(
    (line) => IMPORT.test(line.text) && indentOf(line.text) === "" && gone.has(line.text.trim()),
  );
}

/** Layout changed without need: white space, indentation, quotes, wrapping, order of imports. */
export const churn = perRollout(
  "churn",
  "Lines that change in white space, indentation, quotes or wrapping alone; lines that move in or out with a block around them are left alone.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      if (file.diff.status === "added" || file.diff.status === "deleted") continue;
      const blocks = blocksOf(file.diff);
      const parts = blocks.map(churnOf);
      const imports = moved(file);
      const count = parts.reduce((sum, part) => sum + part.count, 2 * imports.length);
      if (count === 0) continue;
      const citations = citeLines(rollout.label, file.path, [
        ...parts.flatMap((part) => part.show),
        ...imports,
      ]);
      if (citations.length === 0) continue;
      const touched = file.added.length + file.removed.length;
      found.push({
        rollout: rollout.label,
        criterion: "change_minimality",
        severity: count >= WORTH_A_COMMENT ? "minor" : "note",
        claim: `${count} ${count === 1 ? "line" : "lines"} of ${file.path} change in layout alone (of ${touched} lines in its diff): noise that hides the change.`,
        citations,
      });
    }
    return found;
  },
);
