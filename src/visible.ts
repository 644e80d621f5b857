/**
 * Characters that a reader does not see or that reorder what is seen: controls except tab and LF, format characters
 * (zero-width, bidirectional, tags), line separators, lone surrogates, and all that Unicode calls ignorable (variation
 * selectors, fillers, joiners).
 */
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]|(?![\t\n])\p{Cc}/gu;

/** Text as it may be shown to a person or a model: hidden characters stand as `\u{...}`, nothing is dropped. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The text that `visible` was made from, for quotes that were copied from a view. */
export function unescapeVisible(text: string): string {
  return text.replace(/\\u\{([0-9a-f]{1,6})\}/g, (escape, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
  });
}
