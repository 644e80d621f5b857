import { isScript, type Language } from "./language.ts";

/** What may stand before a `/` that begins a regular expression and does not divide. */
const BEFORE_REGEX =
  /^(?:[([{,;:=!&|?+\-*%<>~^]|=>|=~|&&|\|\||\?\?|[=!]==?|[<>]=|\+=|-=|return|typeof|case|in|of|do|else|void|delete|await|yield|throw|new|if|unless|when|and|or|not)$/;
const PYTHON_OPEN = /[rRbBuUfF]{0,2}("""|'''|"|')/y;
const RUST_RAW = /b?r(#*)"/y;
const RUST_CHAR = /b?'(?:\\[^\n]{1,8}?|[^\\'\n])'/y;
const REGEX_FLAGS = /[a-z]*/y;

/** Offset after the closing `quote`, skipping escapes; undefined when it stays open (or the line ends first). */
function closed(text: string, from: number, quote: string, multiline: boolean): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === "\n" && !multiline) return undefined;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return undefined;
}

function templateEnd(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === "$" && text[at + 1] === "{") depth += 1;
    else if (char === "}" && depth > 0) depth -= 1;
    else if (char === "`" && depth === 0) return at + 1;
  }
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

function pythonEnd(text: string, at: number): number | undefined {
  PYTHON_OPEN.lastIndex = at;
  const quote = PYTHON_OPEN.exec(text)?.[1];
  return quote === undefined ? undefined : closed(text, PYTHON_OPEN.lastIndex, quote, quote.length === 3);
}

function rustEnd(text: string, at: number): number | undefined {
  RUST_RAW.lastIndex = at;
  const raw = RUST_RAW.exec(text);
  if (raw !== null) {
    const end = text.indexOf(`"${raw[1] ?? ""}`, RUST_RAW.lastIndex);
    return end === -1 ? undefined : end + 1 + (raw[1] ?? "").length;
  }
  RUST_CHAR.lastIndex = at;
  if (RUST_CHAR.test(text)) return RUST_CHAR.lastIndex;
  return text[at] === '"' ? closed(text, at + 1, '"', true) : undefined;
}

/**
 * End of the string, character or regular expression literal that begins at `at`; undefined when none begins there or
 * it is never closed. `before` is the last token that is no comment: it decides what a `/` means.
 */
export function stringEnd(
  text: string,
  at: number,
  language: Language,
  before: { kind: string; text: string } | undefined,
): number | undefined {
  if (language === "python") return pythonEnd(text, at);
  if (language === "rust") return rustEnd(text, at);
  const char = text[at];
  if (char === '"' && text.startsWith('"""', at) && /^(java|kotlin|swift|scala|csharp)$/.test(language))
    return closed(text, at + 3, '"""', true);
  if (char === '"' || char === "'") {
    const multiline = language === "shell" || language === "php" || language === "ruby";
    if (char === "'" && language === "shell") return closedRaw(text, at + 1);
    return closed(text, at + 1, char, multiline);
  }
  if (char === "`") {
    if (isScript(language)) return templateEnd(text, at + 1);
    if (language === "go") {
      const end = text.indexOf("`", at + 1);
      return end === -1 ? undefined : end + 1;
    }
  }
  if (char === "/" && (isScript(language) || language === "ruby")) {
    const divides = before !== undefined && !BEFORE_REGEX.test(before.text);
    return divides ? undefined : regexEnd(text, at + 1);
  }
  return undefined;
}

function closedRaw(text: string, from: number): number | undefined {
  const end = text.indexOf("'", from);
  return end === -1 ? undefined : end + 1;
}
