import { code, lex, type Token } from "./lex.ts";
import { isScript, type Language } from "./language.ts";

/** One parameter of a function, as its declaration says it. */
export interface Param {
  /** Empty for a pattern that binds several names. */
  name: string;
  /** The whole declaration, white space made uniform. */
  text: string;
  /** May be left out by a caller: has a default, a question mark, or collects the rest. */
  optional: boolean;
  rest: boolean;
  /** Python: after `*`, so it can only be given by name. */
  keywordOnly: boolean;
  default?: string;
}

const OPEN = new Set(["(", "[", "{"]);
const CLOSE = new Set([")", "]", "}"]);

/** Splits at commas outside brackets (and outside `<...>` where types come before or after names). */
export function splitTopLevel(tokens: readonly Token[], angles: boolean): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === "punct") {
      if (OPEN.has(token.text) || (angles && token.text === "<")) depth += 1;
      else if (CLOSE.has(token.text) || (angles && token.text === ">")) depth -= 1;
      else if (angles && token.text === ">>") depth -= 2;
      else if (token.text === "," && depth === 0) {
        parts.push([]);
        continue;
      }
    }
    parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

const spaced = (tokens: readonly Token[]) => tokens.map((token) => token.text).join(" ");

function indexAtDepthZero(tokens: readonly Token[], texts: readonly string[]): number {
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (depth === 0 && texts.includes(token.text)) return index;
    if (OPEN.has(token.text)) depth += 1;
    else if (CLOSE.has(token.text)) depth -= 1;
  }
  return -1;
}

function lastName(tokens: readonly Token[]): string {
  return tokens.findLast((token) => token.kind === "name")?.text ?? "";
}

/** Where the name stands in `tokens`, which hold no default. */
function nameOf(tokens: readonly Token[], language: Language): string {
  if (language === "python" || language === "ruby")
    return tokens.find((token) => token.kind === "name")?.text ?? "";
  const colon = indexAtDepthZero(tokens, [":"]);
  if (
    isScript(language) ||
    language === "kotlin" ||
    language === "swift" ||
    language === "scala" ||
    language === "rust"
  ) {
    const head = colon === -1 ? tokens : tokens.slice(0, colon);
    return head.some((token) => token.text === "{" || token.text === "[") ? "" : lastName(head);
  }
  if (language === "go") return tokens[0]?.kind === "name" ? tokens[0].text : "";
  return lastName(tokens);
}

/** Parameters from the text between the parentheses of a declaration. The receiver (`self`, `this`) is left out. */
export function parseParams(text: string, language: Language): Param[] {
  const params: Param[] = [];
  let keywordOnly = false;
  for (const part of splitTopLevel(code(lex(text, language)), language !== "python" && language !== "ruby")) {
    const first = part[0]?.text ?? "";
    if (language === "python" && part.length === 1 && (first === "*" || first === "/")) {
      keywordOnly ||= first === "*";
      continue;
    }
    const equals = indexAtDepthZero(part, ["="]);
    const head = equals === -1 ? part : part.slice(0, equals);
    const rest = head.some((token) => token.text === "...") || first === "*" || first === "**";
    const name = nameOf(head, language);
    const receiver = params.length === 0 && (name === "self" || name === "cls" || name === "this");
    if (!receiver) {
      params.push({
        name,
        text: spaced(part),
        optional: rest || equals !== -1 || (isScript(language) && head[1]?.text === "?"),
        rest,
        keywordOnly,
        ...(equals === -1 ? {} : { default: spaced(part.slice(equals + 1)) }),
      });
    }
    if (language === "python" && first === "*") keywordOnly = true;
  }
  return params;
}
