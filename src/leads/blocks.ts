import type { DiffLine, FileDiff } from "../workspace/types.ts";

/** Neighbouring removed and added lines, with the unchanged lines around them in the same hunk. */
export interface Block {
  removed: DiffLine[];
  added: DiffLine[];
  /** Unchanged lines right above and below, nearest last and nearest first. */
  above: DiffLine[];
  below: DiffLine[];
}

/** The change of a file as blocks, in text order. */
export function blocksOf(diff: FileDiff): Block[] {
  return diff.hunks.flatMap(({ lines }) => {
    const blocks: Block[] = [];
    let above: DiffLine[] = [];
    let before: DiffLine["kind"] = "context";
    for (const line of lines) {
      if (line.kind === "context") {
        if (before !== "context") above = [];
        above.push(line);
        blocks.at(-1)?.below.push(line);
      } else {
        if (before === "context") blocks.push({ removed: [], added: [], above, below: [] });
        blocks.at(-1)?.[line.kind].push(line);
      }
      before = line.kind;
    }
    return blocks;
  });
}

/** A line as a reader who does not look at layout sees it: no white space, one kind of quote, no closing semicolon. */
export function plain(text: string): string {
  return text.replaceAll(/\s+/g, "").replaceAll(/['`]/g, '"').replace(/;$/, "");
}

/** Added lines of a change that are not just a removed line of it at another place, depth or in other quotes. */
export function freshLines(diff: FileDiff, gone: ReadonlySet<string>): DiffLine[] {
  return diff.hunks
    .flatMap((hunk) => hunk.lines)
    .filter((line) => line.kind === "added" && !gone.has(plain(line.text)));
}

/** All removed lines of some files, without their layout. */
export function removedLines(files: readonly FileDiff[]): Set<string> {
  const lines = files.flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines));
  return new Set(lines.filter((line) => line.kind === "removed").map((line) => plain(line.text)));
}
