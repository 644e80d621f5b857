import type { SourceFile } from "../source-file.ts";
import type { Token } from "./lex.ts";

const CONTINUES =
  /^(?:[([{,=+\-*/%|&<>.:]|[-+*/%|&]=|==|!=|->|=>|and|or|not|in|is|return|else|if|lambda|yield|await|print|%)$/;

/** A string that stands as a statement of its own, as documentation does in Python. */
export function isDocString(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (token?.kind !== "string") return false;
  const starts =
    before === undefined ||
    (before.endLine < token.line && (before.text === ":" || !CONTINUES.test(before.text)));
  return starts && (after === undefined || after.line > token.endLine);
}

/** The tokens that decide what a file does: without comments, and in Python without documentation strings. */
export function effective(file: SourceFile): Token[] {
  const tokens = file.tokens().filter((token) => token.kind !== "comment");
  return file.language === "python" ? tokens.filter((_, at) => !isDocString(tokens, at)) : tokens;
}

/** Whether two versions of a file differ in comments, documentation and layout alone. */
export function sameEffect(before: SourceFile, after: SourceFile): boolean {
  if (before.language === undefined) return false;
  const [a, b] = [effective(before), effective(after)];
  return a.length === b.length && a.every((token, at) => token.text === b[at]?.text);
}
