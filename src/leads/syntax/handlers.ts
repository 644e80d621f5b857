import { isScript, type Language } from "./language.ts";
import { code, type Token } from "./lex.ts";
import { partners } from "./brackets.ts";

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

/** A longer body does something about its error, and nobody reads a longer guarded part for an idiom. Tokens. */
const MAX_PART = 400;

function indent(text: string, token: Token): number {
  return token.start - (text.lastIndexOf("\n", token.start - 1) + 1);
}

/** Index of the first of the next tokens that `test` holds for; undefined when none of MAX_PART does. */
function ahead(
  tokens: readonly Token[],
  from: number,
  test: (token: Token, before: Token | undefined) => boolean,
): number | undefined {
  for (let at = from; at < Math.min(tokens.length, from + MAX_PART); at += 1) {
    const token = tokens[at];
    if (token !== undefined && test(token, tokens[at - 1])) return at;
  }
  return tokens.length - from < MAX_PART ? tokens.length : undefined;
}

function handler(
  tokens: readonly Token[],
  at: number,
  body: [number, number],
  guarded: [number, number] = [0, 0],
): Handler {
  const line = tokens[at]?.line ?? 0;
  return {
    line,
    endLine: tokens[body[1] - 1]?.endLine ?? line,
    head: tokens.slice(at + 1, body[0] - 1),
    body: tokens.slice(...body),
    guarded: guarded[1] - guarded[0] > MAX_PART ? [] : tokens.slice(...guarded),
  };
}

function pythonHandlers(text: string, tokens: readonly Token[]): Handler[] {
  return tokens.flatMap((token, at): Handler[] => {
    if (token.text !== "except" || token.kind !== "name") return [];
    const width = indent(text, token);
    const colon = ahead(tokens, at + 1, (other) => other.text === ":");
    const end =
      colon === undefined
        ? undefined
        : ahead(
            tokens,
            colon + 1,
            (other, before) => before?.endLine !== other.line && indent(text, other) <= width,
          );
    return colon === undefined || end === undefined ? [] : [handler(tokens, at, [colon + 1, end])];
  });
}

function rubyHandlers(tokens: readonly Token[]): Handler[] {
  return tokens.flatMap((token, at): Handler[] => {
    if (token.text !== "rescue" || tokens[at - 1]?.endLine === token.line) return [];
    const body = ahead(tokens, at + 1, (other) => other.line > token.line);
    const end = ahead(
      tokens,
      at + 1,
      (other, before) => /^(?:end|ensure|else|rescue)$/.test(other.text) && before?.endLine !== other.line,
    );
    if (body === undefined || end === undefined || end < body) return [];
    return [{ ...handler(tokens, at, [body, end]), head: tokens.slice(at + 1, body) }];
  });
}

function braceHandlers(tokens: readonly Token[]): Handler[] {
  const pairs = partners(tokens);
  const opens = new Map([...pairs].map(([open, close]) => [close, open]));
  return tokens.flatMap((token, at): Handler[] => {
    if (token.text !== "catch" || tokens[at - 1]?.text !== "}") return [];
    const paren = tokens[at + 1]?.text === "(" ? pairs.get(at + 1) : at;
    const open = paren === undefined ? undefined : paren + 1;
    const close = open === undefined ? undefined : pairs.get(open);
    if (open === undefined || close === undefined || tokens[open]?.text !== "{" || close - open > MAX_PART)
      return [];
    return [handler(tokens, at, [open + 1, close], [(opens.get(at - 1) ?? at - 1) + 1, at - 1])];
  });
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
