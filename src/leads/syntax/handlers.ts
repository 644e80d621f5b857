import { isScript, type Language } from "./language.ts";
import { code, type Token } from "./lex.ts";
import { partners } from "./outline-tokens.ts";

/** One error handler: an `except`, `catch` or `rescue` with its body. */
export interface Handler {
  line: number;
  endLine: number;
  /** What it catches, tokens between the keyword and the body. */
  head: Token[];
  body: Token[];
  /** What it guards; empty where that is not easily told. */
  guarded: Token[];
}

function indent(text: string, token: Token): number {
  return token.start - (text.lastIndexOf("\n", token.start - 1) + 1);
}

/** Index of the first token on a later line that stands at `width` or further left; brackets do not count. */
function dedent(text: string, tokens: readonly Token[], from: number, width: number): number {
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    const before = tokens[at - 1];
    if (token === undefined || before === undefined || before.endLine === token.line) continue;
    if (indent(text, token) <= width) return at;
  }
  return tokens.length;
}

function pythonHandlers(text: string, tokens: readonly Token[]): Handler[] {
  const found: Handler[] = [];
  let tries: { width: number; from: number; to: number }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.text === "try" && tokens[at + 1]?.text === ":") {
      const width = indent(text, token);
      tries = [
        ...tries.filter((other) => other.width < width),
        { width, from: at + 2, to: dedent(text, tokens, at + 2, width) },
      ];
    }
    if (token.text !== "except" || token.kind !== "name") continue;
    const colon = tokens.findIndex((other, index) => index > at && other.text === ":");
    if (colon === -1) continue;
    const width = indent(text, token);
    const end = dedent(text, tokens, colon + 1, width);
    const own = tries.find((other) => other.width === width);
    found.push(
      handler(
        tokens,
        token,
        [at + 1, colon],
        [colon + 1, end],
        own === undefined ? [0, 0] : [own.from, own.to],
      ),
    );
  }
  return found;
}

function handler(
  tokens: readonly Token[],
  keyword: Token,
  head: [number, number],
  body: [number, number],
  guarded: [number, number],
): Handler {
  return {
    line: keyword.line,
    endLine: tokens[body[1] - 1]?.endLine ?? keyword.line,
    head: tokens.slice(...head),
    body: tokens.slice(...body),
    guarded: tokens.slice(...guarded),
  };
}

function rubyHandlers(tokens: readonly Token[]): Handler[] {
  const found: Handler[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.text !== "rescue" || tokens[at - 1]?.endLine === token.line) continue;
    const body = tokens.findIndex((other, index) => index > at && other.line > token.line);
    const end = tokens.findIndex(
      (other, index) =>
        index > at &&
        /^(?:end|ensure|else|rescue)$/.test(other.text) &&
        tokens[index - 1]?.endLine !== other.line,
    );
    if (body !== -1 && end >= body) found.push(handler(tokens, token, [at + 1, body], [body, end], [0, 0]));
  }
  return found;
}

function braceHandlers(tokens: readonly Token[]): Handler[] {
  const pairs = partners(tokens);
  const opens = new Map([...pairs].map(([open, close]) => [close, open]));
  const found: Handler[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.text !== "catch" || tokens[at - 1]?.text !== "}") continue;
    const paren = tokens[at + 1]?.text === "(" ? pairs.get(at + 1) : at;
    const open = paren === undefined ? undefined : paren + 1;
    const close = open === undefined ? undefined : pairs.get(open);
    if (open === undefined || close === undefined || tokens[open]?.text !== "{") continue;
    const start = opens.get(at - 1) ?? at - 1;
    found.push(handler(tokens, token, [at + 1, open], [open + 1, close], [start + 1, at - 1]));
  }
  return found;
}

/** All handlers of a file in text order. */
export function handlersOf(text: string, all: readonly Token[], language: Language): Handler[] {
  const tokens = code(all);
  if (language === "python") return pythonHandlers(text, tokens);
  if (language === "ruby") return rubyHandlers(tokens);
  return braceHandlers(tokens);
}

const BROAD: Partial<Record<Language, RegExp>> = {
  python: /^(?:\(?.*\b(?:Base)?Exception\b.*)?$/,
  ruby: /^(?:=>.*|StandardError\b.*|Exception\b.*)?$/,
  c: /\.\.\.|std :: exception/,
};
const BROAD_TYPES =
  /^(?:\( (?:final )?(?:\\ )?(?:System \. )?(?:Exception|Throwable|RuntimeException|Error)\b.*|\( \w+ : (?:Exception|Throwable)\b.*)?$/;

/** Whether a handler takes every error. In JavaScript each of them does. */
export function isBroad(handler: Handler, language: Language): boolean {
  if (isScript(language)) return true;
  const head = handler.head.map((token) => token.text).join(" ");
  return (BROAD[language] ?? BROAD_TYPES).test(head);
}
