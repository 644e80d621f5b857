import type { Language } from "./language.ts";
import { between, code, type Token } from "./lex.ts";
import { isDocString } from "./neutral.ts";
import type { Definition } from "./definition.ts";

/** One token of a body as it compares: a local name stands as its number, everything else as written. */
export interface Normal {
  text: string;
  line: number;
}

const quoteless = (text: string) => (/^["'`]/.test(text) ? `"${text.slice(1, -1)}"` : text);

/** Tokens of a definition's body without comments and documentation. */
export function bodyTokens(tokens: readonly Token[], definition: Definition, language: Language): Token[] {
  const body = code(between(tokens, definition.bodyStart, definition.end));
  const plain = language === "python" ? body.filter((_, at) => !isDocString(body, at)) : body;
  return unwrapped(plain.filter((token) => token.text !== ";"));
}

/** Without the braces around a body. */
function unwrapped(body: Token[]): Token[] {
  return body[0]?.text === "{" && body.at(-1)?.text === "}" ? body.slice(1, -1) : body;
}

/** Whether the name at `at` belongs to the operand before it. */
export function isMember(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text;
  return before === "." || before === "?." || before === "->" || before === "::";
}

/** Names that a body binds itself: assigned, declared or looped over. */
export function boundNames(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "name" || isMember(tokens, at)) continue;
    const next = tokens[at + 1]?.text;
    const before = tokens[at - 1]?.text ?? "";
    // `for (Type name : list)`
    const typed = next === ":" && tokens[at - 1]?.kind === "name" && before !== "case";
    const declared = typed || /^(?:const|let|var|for|as|val|auto|int|final)$/.test(before);
    if (
      next === "=" ||
      next === ":=" ||
      next === "=>" ||
      declared ||
      (next === "in" && before !== "(") ||
      (before === "," && (next === "in" || next === "of"))
    )
      names.add(token.text);
  }
  return names;
}

/** A body with parameters and local names numbered in order of appearance, so that renaming does not hide a copy. */
export function normalBody(tokens: readonly Token[], definition: Definition, language: Language): Normal[] {
  const body = bodyTokens(tokens, definition, language);
  const params = new Set(definition.params.map((param) => param.name));
  const locals = boundNames(body);
  const numbers = new Map<string, number>();
  return body.map((token, at): Normal => {
    const bound =
      token.kind === "name" && !isMember(body, at) && (params.has(token.text) || locals.has(token.text));
    if (!bound)
      return { text: token.kind === "string" ? quoteless(token.text) : token.text, line: token.line };
    const number = numbers.get(token.text) ?? numbers.size;
    numbers.set(token.text, number);
    return { text: `$${number}`, line: token.line };
  });
}
