import { isUtf8 } from "node:buffer";
import { GraderError, type Place } from "../errors.ts";

/** The text with every lone surrogate replaced by U+FFFD, so that it survives UTF-8 and JSON. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** Bytes as text. A byte order mark is dropped; `lossy` when something was not UTF-8 and became U+FFFD. */
export function decodeText(bytes: Buffer): { text: string; lossy: boolean } {
  return { text: new TextDecoder("utf-8").decode(bytes), lossy: !isUtf8(bytes) };
}

/** Behind a byte order mark, where there is one. */
export function behindMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Whether bytes are a text of white space alone. */
export function isBlank(bytes: Buffer): boolean {
  const ink = bytes.findIndex((byte) => byte !== 32 && (byte < 9 || byte > 13));
  return ink < 0 || ((bytes[ink] ?? 0) > 126 && decodeText(bytes).text.trim() === "");
}

/**
 * Bytes as text, refusing what is not UTF-8.
 * @throws GraderError `bad_input` at the first line that is not UTF-8; `where.line` is the line the bytes begin at.
 */
export function decodeStrict(bytes: Buffer, where: Place): string {
  if (isUtf8(bytes)) return new TextDecoder("utf-8").decode(bytes);
  let line = where.line ?? 1;
  for (let from = 0; from < bytes.length; line++) {
    const newline = bytes.indexOf(10, from);
    const to = newline < 0 ? bytes.length : newline + 1;
    if (!isUtf8(bytes.subarray(from, to))) break;
    from = to;
  }
  throw new GraderError("bad_input", "not UTF-8", { ...where, line });
}
