import { isIndented, type Language } from "./language.ts";
import type { Token } from "./lex.ts";

/**
 * The text with comments and the inside of strings blanked, line by line, so that a plain pattern sees code only.
 * Columns stay where they are. The first and last character of a string are kept: a pattern can tell that one is there.
 */
export function maskedLines(text: string, tokens: readonly Token[]): string[] {
  let masked = "";
  let done = 0;
  for (const token of tokens) {
    if (token.kind !== "comment" && token.kind !== "string") continue;
    masked += text.slice(done, token.start);
    masked += token.kind === "comment" ? blank(token.text) : blankInside(token.text);
    done = token.start + token.text.length;
  }
  return (masked + text.slice(done)).split("\n");
}

const blank = (text: string) => text.replaceAll(/[^\n\r]/g, " ");

function blankInside(text: string): string {
  return text.length < 2 ? text : text.slice(0, 1) + blank(text.slice(1, -1)) + text.slice(-1);
}

/** How many brackets are open at the start of each line, index 0 for line 1. Braces count where they are no blocks. */
export function bracketDepths(masked: readonly string[], language: Language): number[] {
  const [opening, closing] = isIndented(language) ? ["([{", ")]}"] : ["([", ")]"];
  let depth = 0;
  return masked.map((line) => {
    const here = depth;
    for (const char of line) {
      if (opening.includes(char)) depth += 1;
      else if (closing.includes(char)) depth -= 1;
    }
    return here;
  });
}
