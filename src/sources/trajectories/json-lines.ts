import { scanJson } from "../json-scan.ts";
import { withoutNonFinite } from "../python-json.ts";
import { behindMark } from "../unicode.ts";

/** A record of a JSON Lines file, of any JSON type. */
export interface LineRecord {
  line: number;
  value: unknown;
}

/** A stretch of a JSON Lines file that is not JSON. `text` holds what was there, without NUL characters. */
export interface LineDamage {
  line: number;
  text: string;
  reason: string;
}

export type LineEntry = LineRecord | LineDamage;

/**
 * Reads JSON Lines as crashed and concurrent writers leave them: truncated tails, a record written into the middle of
 * another, two records on one line, runs of NUL. Every record that can be read is, and every stretch that cannot is
 * reported, in order. Undefined when most lines are no records: then this is something else. One line at a time is
 * text: beside the bytes there are only the records.
 */
export function readJsonLines(given: Buffer | string): LineEntry[] | undefined {
  const bytes = typeof given === "string" ? Buffer.from(given) : given;
  const lines: (LineRecord | BrokenLine)[] = [];
  const firstKeys = new Set<string>();
  let records = 0;
  let line = 0;
  // How the last record began: nearly all begin alike.
  let opening = "";
  for (let from = behindMark(bytes), to = from; from < bytes.length; from = to + 1) {
    const newline = bytes.indexOf(10, from);
    to = newline < 0 ? bytes.length : newline;
    line++;
    const raw = bytes.toString("utf8", from, to);
    if (raw.trim() === "") continue;
    const value = parseLine(raw);
    lines.push(value === undefined ? { line, from, to } : { line, value });
    if (value === undefined) continue;
    if (opening === "" || !raw.startsWith(opening)) {
      const key = firstKeyAt(raw, raw.search(/\S/));
      if (key === undefined) continue;
      firstKeys.add(key);
      opening = `{${key}:`;
    }
    records++;
  }

  if (records === 0 || records < lines.length / 2) return undefined;
  if (lines.every(isRecord)) return lines;
  // Mended only now, when it is known how the records of this file begin.
  return lines.flatMap((entry) =>
    isRecord(entry) ? [entry] : mendLine(bytes.toString("utf8", entry.from, entry.to), entry.line, firstKeys),
  );
}

/** A line that is not one record, by its place in the bytes. */
interface BrokenLine {
  line: number;
  from: number;
  to: number;
}

function isRecord(line: LineRecord | BrokenLine): line is LineRecord {
  return "value" in line;
}

function parseLine(raw: string): unknown {
  // Most lines of a text are told apart by their first character; an exception for each would be slow.
  if (!/^\s*[-[{"\dtfn]/.test(raw)) return undefined;
  return parseJson(raw) ?? (/NaN|Infinity/.test(raw) ? parseJson(withoutNonFinite(raw)) : undefined);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What can be read of a line that is not one record. `firstKeys` are the keys that records begin with; none is any. */
export function mendLine(text: string, line: number, firstKeys: ReadonlySet<string>): LineEntry[] {
  const entries: LineEntry[] = [];
  const nuls = text.split("\0").length - 1;
  if (nuls > 0) entries.push({ line, text: "", reason: `${nuls} NUL characters` });

  // Each failed attempt costs what it scanned, so that a hostile line cannot cost more than some passes over it.
  let budget = 16 * text.length;
  let at = skipGap(text, 0);
  while (at < text.length) {
    const end = recordEnd(text, at);
    if (end !== undefined) {
      entries.push({ line, value: JSON.parse(text.slice(at, end)) });
      at = skipGap(text, end);
      continue;
    }
    const next = nextRecord(at + 1);
    const lost = text.slice(at, next).replaceAll("\0", "");
    entries.push({ line, text: lost, reason: `${lost.length} characters are not JSON` });
    at = next;
  }
  if (entries.length > 1 && !entries.some((entry) => "reason" in entry))
    entries.push({ line, text: "", reason: `${entries.length} records on one line` });
  return entries;

  /** Where the next whole record begins, or the end of the line. */
  function nextRecord(from: number): number {
    for (let brace = text.indexOf("{", from); brace >= 0; brace = text.indexOf("{", brace + 1)) {
      const key = firstKeyAt(text, brace);
      if (key === undefined || (firstKeys.size > 0 && !firstKeys.has(key))) continue;
      const scan = scanJson(text, brace);
      if (scan.error === undefined && isBoundary(text, scan.end)) return brace;
      budget -= scan.end - brace;
      if (budget < 0) break;
    }
    return text.length;
  }
}

/** Behind a whole record at `at` that nothing but another record follows. */
function recordEnd(text: string, at: number): number | undefined {
  if (text[at] !== "{") return undefined;
  const scan = scanJson(text, at);
  return scan.error === undefined && isBoundary(text, scan.end) ? scan.end : undefined;
}

function isBoundary(text: string, end: number): boolean {
  const next = text[skipGap(text, end)];
  return next === undefined || next === "{";
}

function skipGap(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) === 0 || /\s/.test(text.charAt(at)))) at++;
  return at;
}

function firstKeyAt(text: string, brace: number): string | undefined {
  const pattern = /\{\s*("(?:[^"\\]|\\.){0,80}")\s*:/y;
  pattern.lastIndex = brace;
  return pattern.exec(text)?.[1];
}
