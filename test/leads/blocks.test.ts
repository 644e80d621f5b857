import { expect, test } from "vitest";
import { blocksOf, freshLines, plain, removedLines } from "../../src/leads/blocks.ts";
import type { DiffLine, FileDiff } from "../../src/workspace/types.ts";

/** A diff from lines as git prints them; a line `@@` begins another hunk. */
function diff(...lines: string[]): FileDiff {
  const hunks: FileDiff["hunks"] = [];
  const kinds: Record<string, DiffLine["kind"]> = { "+": "added", "-": "removed" };
  for (const line of ["@@", ...lines]) {
    if (line === "@@") hunks.push({ id: `f1.h${hunks.length + 1}`, header: line, lines: [] });
    else hunks.at(-1)?.lines.push({ kind: kinds[line[0] ?? ""] ?? "context", text: line.slice(1) });
  }
  return {
    id: "f1",
    path: "a.py",
    status: "modified",
    old_mode: "100644",
    new_mode: "100644",
    class: "source",
    binary: false,
    hunks,
    added: 0,
    removed: 0,
  };
}

const texts = (lines: readonly DiffLine[]) => lines.map((line) => line.text).join("|");

test("blocks have the lines around them, of their own hunk alone", () => {
  const blocks = blocksOf(diff(" a", "-b", "+c", " d", "+e", " f", "@@", " g", "-h"));
  expect(blocks.map((block) => [block.above, block.removed, block.added, block.below].map(texts))).toEqual([
    ["a", "b", "c", "d"],
    ["d", "", "e", "f"],
    ["g", "h", "", ""],
  ]);
});

test("a line that only moved or changed its layout is not fresh", () => {
  const change = diff("-  let a = 'x';", "-if b {", '+\tlet a = "x"', "+if b  {", "+new()");
  expect(texts(freshLines(change, removedLines([change])))).toBe("new()");
  expect(plain(" a  = 'b' ;")).toBe('a="b"');
});
