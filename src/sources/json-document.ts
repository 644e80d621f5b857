import { scanJson } from "./json-scan.ts";
import { withoutNonFinite } from "./python-json.ts";
import { isObject } from "./shape.ts";
import { behindMark } from "./unicode.ts";

/** Bytes of a list that are parsed at once, or one element where that is longer. */
const PART = 2 ** 14;

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125];

/** Bytes that are not one whole document; told apart from faults of this program. */
class NotJson extends Error {}

/**
 * The value of bytes that are one whole JSON document, with NaN and the infinities of Python as null. Undefined when
 * they are something else or give a key twice outside lists: JSON.parse would take the last one.
 *
 * Everything in lists is parsed part by part, the rest as the document with empty lists. So the text of a large document
 * never exists as a whole: beside the bytes there are the value and the text of one part.
 */
export function parseDocument(bytes: Buffer): { value: unknown } | undefined {
  try {
    const { frame, lists } = takeApart(bytes);
    const { error, end } = scanJson(frame, 0, { uniqueKeys: "outside lists" });
    if (error !== undefined || frame.slice(end).trim() !== "") return undefined;
    return { value: putTogether(JSON.parse(frame.slice(0, end)), lists) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NotJson) return undefined;
    throw error;
  }
}

/** The document with `[n]` in place of its n-th list that lies in no other, and these lists. */
function takeApart(bytes: Buffer): { frame: string; lists: unknown[][] } {
  const kept: string[] = [];
  const lists: unknown[][] = [];
  let at = behindMark(bytes);
  let from = at;
  let depth = 0;
  let begun = false;
  while (at < bytes.length) {
    const code = bytes[at];
    // A second value begins: JSON Lines, which need not be looked through.
    if (depth === 0 && begun && (code === OBJECT || code === LIST)) throw new NotJson();
    if (code === QUOTE) at = behindString(bytes, at);
    else if (code === LIST) {
      const { items, end } = parseList(bytes, at + 1);
      kept.push(bytes.toString("utf8", from, at + 1), String(lists.length));
      lists.push(items);
      from = end;
      at = end + 1;
      begun = true;
    } else {
      if (code === OBJECT) depth++;
      else if (code === OBJECT_END) depth--;
      begun ||= depth > 0;
      at++;
    }
  }
  kept.push(bytes.toString("utf8", from));
  return { frame: withoutNonFinite(kept.join("")), lists };
}

/** The elements of the list whose inside begins at `from`, and where the bracket that closes it stands. */
function parseList(bytes: Buffer, from: number): { items: unknown[]; end: number } {
  const items: unknown[] = [];
  let start = from;
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const code = bytes[at];
    if (code === QUOTE) at = behindString(bytes, at) - 1;
    else if (code === OBJECT || code === LIST) depth++;
    else if (code === COMMA && depth === 0 && at - start >= PART) {
      const part = parsePart(bytes, start, at);
      if (part.length === 0) throw new NotJson();
      for (const item of part) items.push(item);
      start = at + 1;
    } else if (code === OBJECT_END || code === LIST_END) {
      if (depth-- > 0) continue;
      const part = parsePart(bytes, start, at);
      if (start === from) return { items: part, end: at };
      if (part.length === 0) throw new NotJson();
      for (const item of part) items.push(item);
      return { items, end: at };
    }
  }
  throw new NotJson();
}

/**
 * The elements that stand between two separators. For the moment these become brackets: joining brackets to the text
 * would copy every part once more.
 */
function parsePart(bytes: Buffer, from: number, to: number): unknown[] {
  const [before = 0, behind = 0] = [bytes[from - 1], bytes[to]];
  bytes[from - 1] = LIST;
  bytes[to] = LIST_END;
  const text = bytes.toString("utf8", from - 1, to + 1);
  bytes[from - 1] = before;
  bytes[to] = behind;
  try {
    return JSON.parse(text);
  } catch (error) {
    const finite = withoutNonFinite(text);
    if (finite === text) throw error;
    return JSON.parse(finite);
  }
}

/** Behind the string that begins at `from`; strings are long, so quotes are looked for natively. */
function behindString(bytes: Buffer, from: number): number {
  for (let at = from; ;) {
    at = bytes.indexOf(QUOTE, at + 1);
    if (at < 0) throw new NotJson();
    let before = at - 1;
    while (bytes[before] === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
}

/** The frame with its lists put back. */
function putTogether(frame: unknown, lists: readonly unknown[][]): unknown {
  if (Array.isArray(frame)) return lists[Number(frame[0])];
  const open = [frame];
  for (const object of open) {
    if (!isObject(object)) continue;
    for (const [key, value] of Object.entries(object))
      if (Array.isArray(value)) object[key] = lists[Number(value[0])];
      else open.push(value);
  }
  return frame;
}
