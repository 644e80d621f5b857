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
  const blocks: Block[] = [];
  for (const hunk of diff.hunks) {
    let context: DiffLine[] = [];
    let open: Block | undefined;
    for (const line of hunk.lines) {
      if (line.kind === "context") {
        if (open !== undefined) context = [];
        open = undefined;
        context.push(line);
        blocks.at(-1)?.below.push(line);
        continue;
      }
      if (open === undefined) {
        open = { removed: [], added: [], above: context, below: [] };
        blocks.push(open);
      }
      open[line.kind].push(line);
    }
    // The lines of the next hunk are not below this one's last block.
    const last = blocks.at(-1);
    if (last !== undefined) last.below = [...last.below];
  }
  return blocks;
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
