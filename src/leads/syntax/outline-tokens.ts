import { isScript, type Language } from "./language.ts";
import { code, lex, type Token } from "./lex.ts";
import type { Definition } from "./outline.ts";
import { parseParams } from "./params.ts";

const FUNCTION_WORDS = new Set(["def", "func", "fn", "fun", "function"]);
const CLASS_WORDS = new Set(["class", "struct", "interface", "trait", "enum", "impl", "protocol"]);
/** Words before `(` that never begin a declaration. */
const CONTROL =
  /^(?:if|for|while|switch|catch|return|new|throw|else|do|synchronized|using|lock|sizeof|assert|super|this|await|typeof|when|match|foreach|elseif|function)$/;
const TYPED = new Set<Language>(["java", "csharp", "c"]);
const CLOSER: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** For each opening bracket the index of its partner. Brackets without one are left out. */
export function partners(tokens: readonly Token[]): Map<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "punct") continue;
    if (CLOSER[token.text] !== undefined) open.push(index);
    else if (token.text === ")" || token.text === "]" || token.text === "}") {
      while (open.length > 0) {
        const start = open.pop() ?? 0;
        if (CLOSER[tokens[start]?.text ?? ""] !== token.text) continue;
        found.set(start, index);
        break;
      }
    }
  }
  return found;
}

interface Header {
  kind: Definition["kind"];
  name: string;
  /** Index of the first token of the declaration, of its name and of its `(`, where it has one. */
  at: number;
  nameAt: number;
  paren?: number;
}

function opensClass(word: string, language: Language): boolean {
  if (language === "python") return word === "class";
  if (language === "ruby") return word === "class" || word === "module";
  if (word === "object") return language === "kotlin" || language === "scala";
  return CLASS_WORDS.has(word) || (language === "go" && word === "type");
}

function headerAt(
  tokens: readonly Token[],
  at: number,
  pairs: ReadonlyMap<number, number>,
  language: Language,
): Header | undefined {
  const token = tokens[at];
  if (token === undefined || token.kind !== "name") return undefined;
  let next = at + 1;
  if (FUNCTION_WORDS.has(token.text)) {
    // Go: a receiver in parentheses stands before the name.
    if (language === "go" && tokens[next]?.text === "(") next = (pairs.get(next) ?? next) + 1;
    if (language === "ruby" && tokens[next + 1]?.text === ".") next += 2;
    const name = tokens[next];
    if (name?.kind !== "name") return undefined;
    const paren = [1, 2, 3, 4, 5, 6, 7, 8]
      .map((step) => next + step)
      .find((index) => tokens[index]?.text === "(");
    return { kind: "function", name: name.text, at, nameAt: next, ...(paren === undefined ? {} : { paren }) };
  }
  if (opensClass(token.text, language)) {
    const name = tokens[next];
    if (name?.kind !== "name" || tokens[at - 1]?.text === ".") return undefined;
    return { kind: "class", name: name.text, at, nameAt: next };
  }
  if (!(TYPED.has(language) || isScript(language)) || tokens[next]?.text !== "(" || CONTROL.test(token.text))
    return undefined;
  const before = tokens[at - 1];
  const typed = before?.kind === "name" ? !CONTROL.test(before.text) : /^[>\]*&]$/.test(before?.text ?? "");
  const member = isScript(language) && /^[{};]$/.test(before?.text ?? "");
  return typed || member ? { kind: "function", name: token.text, at, nameAt: at, paren: next } : undefined;
}

/** The `{` that opens a body, or undefined for a declaration without one. */
function bodyBrace(tokens: readonly Token[], from: number, header: Header): number | undefined {
  for (let at = from; at < Math.min(tokens.length, from + 60); at += 1) {
    const text = tokens[at]?.text;
    if (text === "{") return at;
    if (text === ";" || text === "}" || (text === "=" && header.kind === "function")) return undefined;
    if (header.kind === "function" && text === "(" && at > from) return undefined;
  }
  return undefined;
}

function column(text: string, token: Token): number {
  return token.start - (text.lastIndexOf("\n", token.start - 1) + 1);
}

/** Last token of a block that indentation (Python) or an aligned `end` (Ruby) closes. */
function indentedEnd(text: string, tokens: readonly Token[], header: Header, language: Language): number {
  const start = tokens[header.at];
  if (start === undefined) return header.at;
  const width = column(text, start);
  let depth = 0;
  for (let at = header.at + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    if (CLOSER[token.text] !== undefined) depth += 1;
    const first = tokens[at - 1]?.endLine !== token.line;
    if (depth === 0 && first && column(text, token) <= width)
      return language === "ruby" && token.text === "end" ? at : at - 1;
    if (token.text === ")" || token.text === "]" || token.text === "}") depth -= 1;
  }
  return tokens.length - 1;
}

/** First token of a body that no brace opens: behind the colon in Python. */
function blockStart(tokens: readonly Token[], from: number, language: Language): number {
  if (language !== "python") return from;
  const colon = tokens.findIndex((token, at) => at >= from && token.text === ":");
  return colon === -1 ? from : colon + 1;
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

/** Definitions by tokens and blocks: exact for well-formed code in the usual layout, silent about the rest. */
export function outlineTokens(text: string, language: Language): Definition[] {
  const tokens = code(lex(text, language));
  const pairs = partners(tokens);
  const blocks = language === "python" || language === "ruby";
  const found: Definition[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const header = headerAt(tokens, at, pairs, language);
    if (header === undefined) continue;
    const closeParen = header.paren === undefined ? undefined : pairs.get(header.paren);
    const brace = blocks ? undefined : bodyBrace(tokens, (closeParen ?? header.nameAt) + 1, header);
    if (!blocks && brace === undefined) continue;
    const last = blocks ? indentedEnd(text, tokens, header, language) : (pairs.get(brace ?? at) ?? at);
    const [start, end] = [tokens[at], tokens[last]];
    if (start === undefined || end === undefined) continue;
    const enclosing = found.filter((other) => other.end > start.start);
    const owner = enclosing.at(-1);
    const local = enclosing.some((other) => other.kind === "function");
    const open = header.paren === undefined ? undefined : tokens[header.paren];
    const close = closeParen === undefined ? undefined : tokens[closeParen];
    const body = brace ?? blockStart(tokens, (closeParen ?? header.nameAt) + 1, language);
    found.push({
      kind: header.kind,
      name: header.name,
      parents: enclosing.map((other) => other.name),
      line: start.line,
      endLine: end.endLine,
      start: start.start,
      end: end.start + end.text.length,
      bodyStart: tokens[body]?.start ?? end.start,
      params:
        open === undefined || close === undefined || header.kind === "class"
          ? []
          : parseParams(text.slice(open.start + 1, close.start), language),
      local,
      exported:
        !local &&
        (isPublic(tokens, header, language) ||
          (isScript(language) && owner?.kind === "class" && owner.exported && !header.name.startsWith("#"))),
      decorated: isAnnotated(tokens, at),
      aliased: false,
      inherits:
        header.kind === "class"
          ? hasBase(tokens.slice(header.nameAt + 1, header.nameAt + 40), language)
          : owner?.kind === "class" && owner.inherits,
    });
    if (header.kind === "function") at = Math.max(at, closeParen ?? header.nameAt);
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
