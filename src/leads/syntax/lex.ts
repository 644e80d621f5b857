import { hasHashComments, isScript, type Language } from "./language.ts";
import { stringEnd } from "./lex-string.ts";

/** One token. Lines are 1-based; `endLine` differs from `line` for text that spans lines. */
export interface Token {
  kind: "name" | "number" | "string" | "comment" | "punct";
  text: string;
  line: number;
  endLine: number;
  /** Offset of the first character in the text. */
  start: number;
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const SCRIPT_NAME = /#?[\p{L}_$][\p{L}\p{N}_$]*/uy;
const RUBY_NAME = /@{0,2}[\p{L}_$][\p{L}\p{N}_$]*[?!]?/uy;
const NUMBER =
  /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?|\.\d[\d_]*(?:[eE][+-]?\d+)?)[A-Za-z]*/y;
const OPERATOR =
  /(?:>>>=|===|!==|\*\*=|\.\.\.|<<=|>>=|>>>|&&=|\|\|=|\?\?=|\/\/=|\.\.=|<=>|=~|=>|->|::|&&|\|\||\?\?|\?\.|==|!=|<=|>=|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|:=|<-|<<|>>|\*\*|\+\+|--|\/\/|\.\.)/y;

function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function namePattern(language: Language): RegExp {
  if (isScript(language)) return SCRIPT_NAME;
  return language === "ruby" ? RUBY_NAME : NAME;
}

function endOr(text: string, close: string, from: number): number {
  const end = text.indexOf(close, from);
  return end === -1 ? text.length : end + close.length;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** End of the comment that begins at `at`, or undefined when none does. */
function commentEnd(text: string, at: number, language: Language): number | undefined {
  const char = text[at];
  if (char === "#" && (hasHashComments(language) || language === "php")) {
    // In a shell, `$#` and `a#b` are not comments.
    const inWord = language === "shell" && /[^\s;(]/.test(text[at - 1] ?? " ");
    return inWord ? undefined : lineEnd(text, at);
  }
  if (char !== "/" || hasHashComments(language)) return undefined;
  if (text[at + 1] === "/") return lineEnd(text, at);
  return text[at + 1] === "*" ? endOr(text, "*/", at + 2) : undefined;
}

/**
 * Tokens of a source text, comments included, white space left out. It never fails: what it cannot read becomes a
 * `punct` of one character, and a string that is never closed is read as if its quote were one.
 */
export function lex(text: string, language: Language): Token[] {
  const tokens: Token[] = [];
  const name = namePattern(language);
  let at = 0;
  let line = 1;
  let before: Token | undefined;
  const unclosed = new Set<string>();

  const push = (kind: Token["kind"], end: number) => {
    const piece = text.slice(at, end);
    const endLine = line + (piece.includes("\n") ? piece.split("\n").length - 1 : 0);
    const token: Token = { kind, text: piece, line, endLine, start: at };
    tokens.push(token);
    if (kind !== "comment") before = token;
    line = endLine;
    at = end;
  };

  while (at < text.length) {
    const char = text[at] ?? "";
    if (char === "\n") line += 1;
    if (/\s/.test(char)) {
      at += 1;
      continue;
    }
    const comment = commentEnd(text, at, language);
    if (comment !== undefined) {
      push("comment", comment);
      continue;
    }
    const string = stringEnd(text, at, language, before, unclosed);
    if (string !== undefined) {
      push("string", string);
      continue;
    }
    const word = match(name, text, at);
    if (word !== undefined) {
      push("name", word);
      continue;
    }
    const number = match(NUMBER, text, at);
    if (number === undefined)
      push("punct", match(OPERATOR, text, at) ?? at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));
    else push("number", number);
  }
  return tokens;
}

/** The tokens that a compiler sees. */
export function code(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.kind !== "comment");
}

/** Tokens by the line that they begin on. */
export function byLine(tokens: readonly Token[]): Map<number, Token[]> {
  const lines = new Map<number, Token[]>();
  for (const token of tokens) {
    const line = lines.get(token.line);
    if (line === undefined) lines.set(token.line, [token]);
    else line.push(token);
  }
  return lines;
}

/** The tokens that begin at or after `start` and before `end`, which are offsets in the text. */
export function between(tokens: readonly Token[], start: number, end: number): Token[] {
  return tokens.slice(firstFrom(tokens, start), firstFrom(tokens, end));
}

/** Index of the first token at or after an offset. */
function firstFrom(tokens: readonly Token[], offset: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
