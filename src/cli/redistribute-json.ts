import { GraderError, type Place } from "../errors.ts";

/** One line of JSON, with its numbers kept as they were written where a double cannot hold them. */
export interface JsonLine {
  /** As JSON.parse reads it: for reading. */
  readonly value: unknown;
  /** The same, but with a text in place of every number that would come out changed: for passing on. */
  readonly carrier: unknown;
  /** JSON of a value made from the carrier, with those numbers as they were written. */
  write(carrier: unknown): string;
  /** Set when the line holds NaN or Infinity, and so is not JSON: it must not be passed on. */
  readonly refusal?: GraderError;
}

/** What may hide a number that JSON.stringify would change: long integers, -0, large exponents. A guess, to be fast. */
const RISKY = /(?<![.\d])\d{16}|(?<=^|[[:,\s])-0(?:\.0*)?(?![.\d])|\d[eE][+-]?\d{3}/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** As Python writes them. */
const NOT_FINITE = /-?\b(?:NaN|Infinity)\b/g;

/**
 * Reads one line. NaN and Infinity are read as numbers that are not finite, beside the refusal, so that whoever checks
 * the values can name the field first.
 *
 * @throws GraderError `bad_input` at `where` when the text is not JSON in any other way.
 */
export function parseJsonLine(text: string, where: Place): JsonLine {
  try {
    return exactLine(text, JSON.parse(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const refusal = new GraderError("bad_input", `is not JSON: ${reason}`, where, { cause: error });
    const value = readNotFinite(text);
    if (value === undefined) throw refusal;
    return { value, carrier: value, write: JSON.stringify, refusal };
  }
}

function exactLine(text: string, value: unknown): JsonLine {
  if (!RISKY.test(text)) return { value, carrier: value, write: (carrier) => JSON.stringify(carrier) };
  const mark = freeMark(JSON.stringify(value));
  const kept: string[] = [];
  const marked = outsideStrings(text, (part) =>
    part.replace(NUMBER, (number) => (survives(number) ? number : `"${mark}${kept.push(number) - 1}"`)),
  );
  const places = new RegExp(`"${mark}(\\d+)"`, "g");
  return {
    value,
    carrier: JSON.parse(marked),
    write: (carrier) =>
      JSON.stringify(carrier).replace(places, (whole, index: string) => kept[Number(index)] ?? whole),
  };
}

function readNotFinite(text: string): unknown {
  try {
    return JSON.parse(outsideStrings(text, (part) => part.replace(NOT_FINITE, "1e999")));
  } catch {
    return undefined;
  }
}

/** Whether JSON.parse and JSON.stringify keep a number: an integer to the digit, any other as the double that it is. */
function survives(number: string): boolean {
  const value = Number(number);
  if (/^-?\d+$/.test(number)) return String(value) === number;
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  return value !== 0 || !/[1-9]/.test(number.replace(/[eE].*/, ""));
}

/** A text that does not occur in the line's strings. Nothing in ASCII letters is escaped in what JSON.stringify writes. */
function freeMark(json: string): string {
  let mark = "number-";
  while (json.includes(mark)) mark = `_${mark}`;
  return mark;
}

/** Applies `change` to what lies between the strings of a JSON text. */
function outsideStrings(text: string, change: (part: string) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('"', at);
    if (open === -1) return [...parts, change(text.slice(at))].join("");
    parts.push(change(text.slice(at, open)));
    at = endOfString(text, open);
    parts.push(text.slice(open, at));
  }
}

/** Position behind the closing quote of the string that opens at `open`. */
function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let slashes = 0;
    while (text[close - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return close + 1;
  }
  return text.length;
}
