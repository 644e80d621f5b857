/**
 * JSON as Python writes it with NaN and the infinities as null; the text itself when there are none. Strings are left.
 * Meant for texts that are not JSON otherwise: in damaged ones it cannot tell what is a string.
 */
export function withoutNonFinite(text: string): string {
  if (!/NaN|Infinity/.test(text)) return text;
  const pieces: string[] = [];
  const pattern = /"|-?\b(?:NaN|Infinity)\b/g;
  let from = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '"') {
      pattern.lastIndex = behindString(text, pattern.lastIndex);
      continue;
    }
    pieces.push(text.slice(from, match.index), "null");
    from = pattern.lastIndex;
  }
  return pieces.join("") + text.slice(from);
}

/** Behind the quote that ends the string whose first character is at `from`. */
function behindString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
