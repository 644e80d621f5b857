import { isScript, type Language } from "./language.ts";

/** What may stand before a `/` that begins a regular expression and does not divide. */
const BEFORE_REGEX =
  /^(?:[([{,;:=!&|?+\-*%<>~^]|=>|=~|&&|\|\||\?\?|[=!]==?|[<>]=|\+=|-=|return|typeof|case|in|of|do|else|void|delete|await|yield|throw|new|if|unless|when|and|or|not)$/;
const PYTHON_OPEN = /[rRbBuUfF]{0,2}("""|'''|"|')/y;
const RUST_RAW = /b?r(#*)"/y;
const RUST_CHAR = /b?'(?:\\[^\n]{1,8}?|[^\\'\n])'/y;
const REGEX_FLAGS = /[a-z]*/y;

/**
 * Quotes that were opened and stayed open to the end of the text. They are not looked for again: crafted text could
 * open one at every step, each with a walk to the end.
 */
export type Unclosed = Set<string>;

/** Offset after the closing `quote`, skipping escapes; undefined when it stays open or, unless `lines`, its line ends. */
function closed(text: string, from: number, quote: string, lines: Unclosed | undefined): number | undefined {
  if (lines?.has(quote) === true) return undefined;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === "\n" && lines === undefined) return undefined;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  lines?.add(quote);
  return undefined;
}

function closedRaw(text: string, from: number, quote: string, unclosed: Unclosed): number | undefined {
  if (unclosed.has(quote)) return undefined;
  const end = text.indexOf(quote, from);
  if (end !== -1) return end + quote.length;
  unclosed.add(quote);
  return undefined;
}

function templateEnd(text: string, from: number, unclosed: Unclosed): number | undefined {
  if (unclosed.has("`")) return undefined;
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === "$" && text[at + 1] === "{") depth += 1;
    else if (char === "}" && depth > 0) depth -= 1;
    else if (char === "`" && depth === 0) return at + 1;
  }
  unclosed.add("`");
  return undefined;
}

function regexEnd(text: string, from: number): number | undefined {
  let inClass = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\n") return undefined;
    if (char === "\\") at += 1;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) {
      REGEX_FLAGS.lastIndex = at + 1;
      REGEX_FLAGS.test(text);
      return REGEX_FLAGS.lastIndex;
    }
  }
  return undefined;
}

function pythonEnd(text: string, at: number, unclosed: Unclosed): number | undefined {
  PYTHON_OPEN.lastIndex = at;
  const quote = PYTHON_OPEN.exec(text)?.[1];
  if (quote === undefined) return undefined;
  return closed(text, PYTHON_OPEN.lastIndex, quote, quote.length === 3 ? unclosed : undefined);
}

function rustEnd(text: string, at: number, unclosed: Unclosed): number | undefined {
  RUST_RAW.lastIndex = at;
  const raw = RUST_RAW.exec(text);
  if (raw !== null) return closedRaw(text, RUST_RAW.lastIndex, `"${raw[1] ?? ""}`, unclosed);
  RUST_CHAR.lastIndex = at;
  if (RUST_CHAR.test(text)) return RUST_CHAR.lastIndex;
  return text[at] === '"' ? closed(text, at + 1, '"', unclosed) : undefined;
}

const TEXT_BLOCKS = /^(?:java|kotlin|swift|scala|csharp)$/;
const STRINGS_OF_LINES = /^(?:shell|php|ruby)$/;

/**
 * End of the string, character or regular expression literal that begins at `at`; undefined when none begins there or
 * it is never closed. `before` is the last token that is no comment: it decides what a `/` means.
 */
export function stringEnd(
  text: string,
  at: number,
  language: Language,
  before: { kind: string; text: string } | undefined,
  unclosed: Unclosed,
): number | undefined {
  if (language === "python") return pythonEnd(text, at, unclosed);
  if (language === "rust") return rustEnd(text, at, unclosed);
  const char = text[at];
  if (char === '"' && text.startsWith('"""', at) && TEXT_BLOCKS.test(language))
    return closed(text, at + 3, '"""', unclosed);
  if (char === "'" && language === "shell") return closedRaw(text, at + 1, "'", unclosed);
  if (char === '"' || char === "'")
    return closed(text, at + 1, char, STRINGS_OF_LINES.test(language) ? unclosed : undefined);
  if (char === "`" && isScript(language)) return templateEnd(text, at + 1, unclosed);
  if (char === "`" && language === "go") return closedRaw(text, at + 1, "`", unclosed);
  if (char === "/" && (isScript(language) || language === "ruby")) {
    const divides = before !== undefined && !BEFORE_REGEX.test(before.text);
    return divides ? undefined : regexEnd(text, at + 1);
  }
  return undefined;
}
