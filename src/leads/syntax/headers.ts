import type { Definition } from "./definition.ts";
import { isScript, type Language } from "./language.ts";
import type { Token } from "./lex.ts";

const FUNCTION_WORD: Partial<Record<Language, string>> = {
  python: "def",
  ruby: "def",
  scala: "def",
  go: "func",
  swift: "func",
  rust: "fn",
  kotlin: "fun",
  javascript: "function",
  typescript: "function",
  tsx: "function",
  php: "function",
  shell: "function",
};
const CLASS_WORDS = new Set(["class", "struct", "interface", "trait", "enum", "impl", "protocol"]);
/** Words before `(` that never begin a declaration. */
const CONTROL =
  /^(?:if|for|while|switch|catch|return|new|throw|else|do|synchronized|using|lock|sizeof|assert|super|this|await|typeof|when|match|foreach|elseif|function)$/;
const TYPED = new Set<Language>(["java", "csharp", "c"]);
/** Where a declaration begins. Indexes of tokens. */
export interface Header {
  kind: Definition["kind"];
  name: string;
  /** Its first token, its name and its `(`, where it has one. */
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

/** The declaration that begins at a token, or undefined. */
export function headerAt(
  tokens: readonly Token[],
  at: number,
  pairs: ReadonlyMap<number, number>,
  language: Language,
): Header | undefined {
  const token = tokens[at];
  if (token === undefined || token.kind !== "name") return undefined;
  let next = at + 1;
  if (token.text === FUNCTION_WORD[language]) {
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

/** Longest stretch between a declaration's parameters and its body, in tokens. */
export const MAX_HEAD = 60;

/** The `{` that opens a body, or undefined for a declaration without one. */
export function bodyBrace(tokens: readonly Token[], from: number, header: Header): number | undefined {
  for (let at = from; at < Math.min(tokens.length, from + MAX_HEAD); at += 1) {
    const text = tokens[at]?.text;
    if (text === "{") return at;
    if (text === ";" || text === "}" || (text === "=" && header.kind === "function")) return undefined;
    if (header.kind === "function" && text === "(" && at > from) return undefined;
  }
  return undefined;
}
