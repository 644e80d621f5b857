import { GraderError } from "../errors.ts";
import { visible } from "../visible.ts";

/** Characters of text that one answer carries. */
export const MAX_ANSWER = 16_000;
/** Characters of one line that a view shows. */
const MAX_LINE = 600;

export interface Page<T> {
  shown: T[];
  /** Index of the first shown item. */
  start: number;
  next_cursor?: string;
  left_out: number;
}

/** The items from the cursor on, as many as fit by count and by size. At least one, so that a reader always gets on. */
export function page<T>(
  items: readonly T[],
  cursor: string | undefined,
  limits: { count: number; size?: (item: T) => number },
): Page<T> {
  const start = parseCursor(cursor);
  const shown: T[] = [];
  let size = 0;
  for (const item of items.slice(start, start + limits.count)) {
    size += limits.size?.(item) ?? 0;
    if (shown.length > 0 && size > MAX_ANSWER) break;
    shown.push(item);
  }
  const next = start + shown.length;
  const leftOut = Math.max(0, items.length - next);
  return { shown, start, left_out: leftOut, ...(leftOut > 0 ? { next_cursor: String(next) } : {}) };
}

export function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,12}$/.test(cursor))
    throw new GraderError("bad_input", `${JSON.stringify(cursor)} is no cursor of ours`);
  return Number(cursor);
}

/** The mark of an omission, or nothing. It stands in the text, where a reader cannot miss it. */
export function omission(result: { next_cursor?: string; left_out: number }, what: string): string {
  if (result.next_cursor === undefined) return "";
  return `\n[${result.left_out} more ${what} left out here; go on with cursor "${result.next_cursor}"]`;
}

/**
 * One line of foreign text. Every such line is shown behind a prefix of ours, so that nothing in it can pass for a line
 * that the tool wrote. Long lines are cut with a mark; hidden characters are escaped.
 */
export function foreign(prefix: string, line: string): string {
  const shown =
    line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} [+${line.length - MAX_LINE} characters]` : line;
  return `${prefix}| ${visible(shown)}`;
}
