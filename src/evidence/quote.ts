/** Non-space characters that a quote needs unless it is a whole line (design section 4). */
const MIN_QUOTE = 12;

/** Where a quote stands in a text: 1-based first and last line. */
export interface Span {
  first: number;
  last: number;
}

/** Line ends as LF alone: a CRLF file and a quote typed with LF are the same text. Lone CRs stay. */
export function normalizeEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/**
 * All places where `quote` stands in `text`, without overlaps. A short quote counts only where it is the whole line.
 * Lines are counted by LF alone, as in every view of ours.
 */
export function findQuote(text: string, quote: string): Span[] {
  const haystack = normalizeEnds(text);
  const needle = normalizeEnds(quote).replace(/\n+$/, "");
  if (needle.trim() === "") return [];
  const short = needle.replace(/\s/g, "").length < MIN_QUOTE;
  const height = needle.split("\n").length - 1;
  const spans: Span[] = [];
  let line = 1;
  let counted = 0;
  let at = haystack.indexOf(needle);
  while (at >= 0) {
    for (let i = haystack.indexOf("\n", counted); i >= 0 && i < at; i = haystack.indexOf("\n", i + 1)) {
      line += 1;
      counted = i + 1;
    }
    const end = at + needle.length;
    if (!short || isWholeLine(haystack, at, end)) spans.push({ first: line, last: line + height });
    at = haystack.indexOf(needle, end);
  }
  return spans;
}

/** Said when a quote was not found: a short one may stand there as a part of a line. */
export function shortQuoteHint(quote: string): string {
  const count = quote.replace(/\s/g, "").length;
  return count < MIN_QUOTE ? ` (it has ${count} non-space characters, so it must be a whole line)` : "";
}

function isWholeLine(text: string, start: number, end: number): boolean {
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const lineEnd = text.indexOf("\n", end);
  const after = text.slice(end, lineEnd < 0 ? text.length : lineEnd);
  return before.trim() === "" && after.trim() === "";
}
