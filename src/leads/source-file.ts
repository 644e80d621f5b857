import type { Language } from "./syntax/language.ts";
import { lex, type Token } from "./syntax/lex.ts";
import { maskedLines } from "./syntax/mask.ts";
import { outline } from "./syntax/outline.ts";
import { type Definition } from "./syntax/definition.ts";

/** A text with what the detectors read from it. Each part is made at the first question and kept. */
export interface SourceFile {
  path: string;
  text: string;
  language?: Language;
  /** Index 0 is line 1; line ends are left out. */
  lines(): string[];
  /** Comments included; empty for a language that is not known. */
  tokens(): Token[];
  /** Lines with comments and the inside of strings blanked. */
  masked(): string[];
  outline(): Promise<Definition[]>;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

export function sourceFile(path: string, text: string, language: Language | undefined): SourceFile {
  const lines = once(() => text.split("\n"));
  const tokens = once(() => (language === undefined ? [] : lex(text, language)));
  return {
    path,
    text,
    ...(language === undefined ? {} : { language }),
    lines,
    tokens,
    masked: once(() => (language === undefined ? lines() : maskedLines(text, tokens()))),
    outline: once(async () => (language === undefined ? [] : outline(text, language))),
  };
}

/** The innermost definition that holds a line, or undefined at the top level of the file. */
export function enclosing(definitions: readonly Definition[], line: number): Definition | undefined {
  return definitions.findLast((definition) => definition.line <= line && line <= definition.endLine);
}
