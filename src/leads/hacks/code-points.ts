/** A character that does not show, or that shows as another one. */
export interface Oddity {
  kind: "bidi" | "invisible" | "lookalike";
  char: string;
  /** Column in UTF-16 units. */
  at: number;
}

const BIDI = /[\u202A-\u202E\u2066-\u2069]/u;
/** Marks that only nudge the direction of their neighbours. */
const DIRECTION_MARK = /[\u200E\u200F\u061C]/u;
/** Tab and carriage return are white space; a form feed parts the pages of old sources. */
const WHITE = /[\t\r\f]/;
/** Format and control characters, separators, and whatever else is ignored when text is drawn. */
const ODD = /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const PICTOGRAPH = /[\p{Extended_Pictographic}\u{1F3FB}-\u{1F3FF}\u{1F1E6}-\u{1F1FF}]/u;
/** Scripts that spell with joiners. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}\p{Script=Syriac}\p{Script=Thai}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/**
 * Characters of a line that do not show: bidirectional controls, zero-width and tag characters, fillers, control
 * codes. What emoji, joining scripts and right-to-left text need is left out.
 */
export function invisibles(line: string): Oddity[] {
  const found: Oddity[] = [];
  for (const match of line.matchAll(ODD)) {
    const [char] = match;
    const at = match.index;
    if (WHITE.test(char) || isNeeded(line, char, at)) continue;
    found.push({ kind: BIDI.test(char) ? "bidi" : "invisible", char, at });
  }
  return found;
}

function isNeeded(line: string, char: string, at: number): boolean {
  const before = lastChar(line.slice(0, at));
  const after = firstChar(line.slice(at + char.length));
  if (/[\uFE0E\uFE0F]/.test(char)) return PICTOGRAPH.test(before) || /[#*\d\p{S}\p{P}]/u.test(before);
  if (char === "\u200D" && PICTOGRAPH.test(after) && (PICTOGRAPH.test(before) || before === "\uFE0F"))
    return true;
  if (/[\u200C\u200D]/.test(char)) return isJoined(before, after);
  // The flags of England, Scotland and Wales are spelled with tag characters.
  if (/[\u{E0020}-\u{E007F}]/u.test(char)) return /\u{1F3F4}[\u{E0020}-\u{E007F}]*$/u.test(line.slice(0, at));
  if (DIRECTION_MARK.test(char) || /[\u2066-\u2069]/.test(char)) return RIGHT_TO_LEFT.test(line);
  return false;
}

function isJoined(before: string, after: string): boolean {
  return JOINING.test(before) || JOINING.test(after);
}

function lastChar(text: string): string {
  return /.$/su.exec(text.slice(-2))?.[0] ?? "";
}

function firstChar(text: string): string {
  return /^./su.exec(text.slice(0, 2))?.[0] ?? "";
}

/** Letters of other scripts that look like a Latin one, as code point and Latin letter. Cyrillic, Greek, others. */
const TWINS = [
  "0430a 0435e 043Eo 0440p 0441c 0443y 0445x 0456i 0458j 0455s 04BBh 0501d 051Bq 051Dw 0475v 04CFl 0410A 0412B 0415E 0405S 0406I 0408J 041AK 041CM 041DH 041EO 0420P 0421C 0422T 0423Y 0425X 050CG",
  "03BFo 03BDv 03B9i 03BAk 03C1p 03C5u 03C7x 0391A 0392B 0395E 0396Z 0397H 0399I 039AK 039CM 039DN 039FO 03A1P 03A4T 03A5Y 03A7X",
  "0251a 0261g 0131i 0585o 057Du",
].join(" ");
const LATIN_TWIN: ReadonlyMap<string, string> = new Map(
  TWINS.split(" ").map((pair) => [
    String.fromCodePoint(Number.parseInt(pair.slice(0, 4), 16)),
    pair.slice(4),
  ]),
);
const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;
const LATIN = /[A-Za-z]/;

/**
 * Words of code that are spelled with letters of another script that pass for Latin ones. A word in its own script, and
 * Greek letters of mathematics beside Latin ones, are left alone.
 */
export function lookalikes(code: string, isKnown: (word: string) => boolean): Oddity[] {
  const found: Oddity[] = [];
  for (const match of code.matchAll(WORD)) {
    const [word] = match;
    const foreign = Array.from(word).filter((char) => /\p{L}/u.test(char) && !LATIN.test(char));
    if (foreign.length === 0) continue;
    const styled = foreign.find((char) => /[\u{FF21}-\u{FF5A}\u{1D400}-\u{1D7FF}]/u.test(char));
    const twins = foreign.every((char) => LATIN_TWIN.has(char));
    const disguised = twins && (LATIN.test(word) || isKnown(skeleton(word)));
    const char = styled ?? (disguised ? foreign[0] : undefined);
    if (char !== undefined) found.push({ kind: "lookalike", char, at: match.index + word.indexOf(char) });
  }
  return found;
}

function skeleton(word: string): string {
  return Array.from(word)
    .map((char) => LATIN_TWIN.get(char) ?? char)
    .join("");
}
