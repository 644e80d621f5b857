import { foreign } from "./view.ts";

/** As many of the first items as fit, at least one; how many are left. */
export function fitting<T>(
  items: readonly T[],
  room: number,
  size: (item: T) => number,
): { shown: T[]; left: number } {
  let used = 0;
  const cut = items.findIndex((item) => (used += size(item)) > room);
  const count = cut === -1 ? items.length : Math.max(1, cut);
  return { shown: items.slice(0, count), left: items.length - count };
}

/** The lines of a stream that fit, with a mark of ours, which has no bar, where some are left out. */
export function excerpt(text: string, stream: string, room: number, keep: "both" | "end"): string[] {
  const lines = text.trimEnd() === "" ? [] : text.trimEnd().split("\n");
  const shown = lines.map((line) => foreign(stream, line));
  const size = (line: string) => line.length + 1;
  if (fitting(shown, room, size).left === 0) return shown;
  const head = keep === "both" ? fitting(shown, room / 2, size).shown : [];
  const rest = shown.slice(head.length).toReversed();
  const tail = fitting(rest, keep === "both" ? room / 2 : room, size);
  if (tail.left === 0) return shown;
  return [...head, `[${tail.left} lines left out here; read_check shows them]`, ...tail.shown.toReversed()];
}
