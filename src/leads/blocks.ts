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
