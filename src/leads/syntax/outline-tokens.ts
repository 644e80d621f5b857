import { partners } from "./brackets.ts";
import { MAX_DEPTH, type Definition } from "./definition.ts";
import { bodyBrace, headerAt, MAX_HEAD, type Header } from "./headers.ts";
import { isScript, type Language } from "./language.ts";
import { code, lex, type Token } from "./lex.ts";
import { lineBehind, marginOf, type Margin } from "./margin.ts";
import { parseParams, type Param } from "./params.ts";

/** Last token of a block that indentation (Python) or an aligned `end` (Ruby) closes; `body` is its first token. */
function indentedEnd(
  tokens: readonly Token[],
  margin: Margin,
  header: Header,
  body: number,
  language: Language,
): number {
  const own = lineBehind(margin, header.at) - 1;
  const width = margin.column[own] ?? 0;
  let line = lineBehind(margin, body - 1);
  if (margin.at[line] === undefined) return tokens.length - 1;
  while (line < margin.at.length && (margin.column[line] ?? 0) > width)
    line = margin.next[line] ?? margin.at.length;
  const behind = margin.at[line] ?? tokens.length;
  return language === "ruby" && tokens[behind]?.text === "end" ? behind : behind - 1;
}

/** First token of a body that no brace opens: behind the colon in Python. */
function blockStart(tokens: readonly Token[], from: number, language: Language): number {
  if (language !== "python") return from;
  for (let at = from; at < Math.min(tokens.length, from + MAX_HEAD); at += 1)
    if (tokens[at]?.text === ":") return at + 1;
  return from;
}

function isPublic(tokens: readonly Token[], header: Header, language: Language): boolean {
  const { name } = header;
  if (name.startsWith("#") || (name.startsWith("_") && !/^__\w+__$/.test(name))) return false;
  if (language === "go") return /^\p{Lu}/u.test(name);
  const line = tokens[header.at]?.line;
  const modifiers = new Set(
    tokens
      .slice(Math.max(0, header.at - 8), header.at)
      .filter((token) => token.line === line)
      .map((token) => token.text),
  );
  if (language === "rust") return modifiers.has("pub");
  if (language === "java" || language === "csharp")
    return modifiers.has("public") || modifiers.has("protected");
  if (isScript(language)) return modifiers.has("export");
  return (
    !modifiers.has("private") &&
    !modifiers.has("fileprivate") &&
    !(language === "c" && modifiers.has("static"))
  );
}

/** First and last token of a declaration's body; undefined for a declaration without one. */
function bodyOf(
  tokens: readonly Token[],
  header: Header,
  reading: Reading,
): { first: number; last: number } | undefined {
  const { language, pairs, margin } = reading;
  const from = (closeOf(header, pairs) ?? header.nameAt) + 1;
  if (margin !== undefined) {
    const first = blockStart(tokens, from, language);
    return { first, last: indentedEnd(tokens, margin, header, first, language) };
  }
  const first = bodyBrace(tokens, from, header);
  return first === undefined ? undefined : { first, last: pairs.get(first) ?? first };
}

interface Reading {
  text: string;
  language: Language;
  pairs: ReadonlyMap<number, number>;
  /** Only where blocks have no braces. */
  margin?: Margin;
}

function closeOf(header: Header, pairs: ReadonlyMap<number, number>): number | undefined {
  return header.paren === undefined ? undefined : pairs.get(header.paren);
}

function paramsOf(tokens: readonly Token[], header: Header, { text, language, pairs }: Reading): Param[] {
  const close = closeOf(header, pairs);
  const [opening, closing] = [tokens[header.paren ?? -1], tokens[close ?? -1]];
  if (header.kind === "class" || opening === undefined || closing === undefined) return [];
  return parseParams(text.slice(opening.start + 1, closing.start), language);
}

/** Definitions by tokens and blocks: exact for well-formed code in the usual layout, silent about the rest. */
export function outlineTokens(text: string, language: Language): Definition[] {
  const tokens = code(lex(text, language));
  const indented = language === "python" || language === "ruby";
  const reading: Reading = {
    text,
    language,
    pairs: partners(tokens),
    ...(indented ? { margin: marginOf(text, tokens) } : {}),
  };
  const found: Definition[] = [];
  const open: Definition[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const header = headerAt(tokens, at, reading.pairs, language);
    const body = header === undefined ? undefined : bodyOf(tokens, header, reading);
    const [start, end] = [tokens[at], tokens[body?.last ?? -1]];
    if (header === undefined || body === undefined || start === undefined || end === undefined) continue;
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= start.start) open.pop();
    if (open.length >= MAX_DEPTH) continue;
    const owner = open.at(-1);
    const member = owner?.kind === "class";
    const local = open.some((other) => other.kind === "function");
    const visible =
      isPublic(tokens, header, language) ||
      (isScript(language) && member && owner.exported && !header.name.startsWith("#"));
    const made: Definition = {
      kind: header.kind,
      name: header.name,
      parents: open.map((other) => other.name),
      line: start.line,
      endLine: end.endLine,
      start: start.start,
      end: end.start + end.text.length,
      bodyStart: tokens[body.first]?.start ?? end.start,
      params: paramsOf(tokens, header, reading),
      local,
      exported: !local && visible,
      decorated: isAnnotated(tokens, at),
      aliased: false,
      inherits:
        header.kind === "class"
          ? hasBase(tokens.slice(header.nameAt + 1, header.nameAt + MAX_HEAD), language)
          : member && owner.inherits,
    };
    found.push(made);
    open.push(made);
    if (header.kind === "function") at = Math.max(at, closeOf(header, reading.pairs) ?? header.nameAt);
  }
  return found;
}

/** `after` begins behind the class's name. */
function hasBase(after: readonly Token[], language: Language): boolean {
  const end = after.findIndex((token) => token.text === (language === "python" ? ":" : "{"));
  const head = after.slice(0, end === -1 ? 0 : end);
  if (language === "python") return head.some((token) => token.kind === "name");
  return head.some((token) => /^(?:extends|implements|:|<|for)$/.test(token.text));
}

/** An annotation on the same line or the line above. */
function isAnnotated(tokens: readonly Token[], at: number): boolean {
  const line = tokens[at]?.line ?? 0;
  for (let index = at - 1; index >= Math.max(0, at - 24); index -= 1) {
    const token = tokens[index];
    if (token === undefined || token.line < line - 2 || token.text === "}" || token.text === ";")
      return false;
    if (token.text === "@" || (token.text === "#" && tokens[index + 1]?.text === "[")) return true;
  }
  return false;
}
