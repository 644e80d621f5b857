import type { DiffLine } from "../workspace/types.ts";
import { plain } from "./blocks.ts";
import type { SourceFile } from "./source-file.ts";

const CHECK = /^\s*if\b.*\berr\w*\s*!=\s*nil\s*\{\s*$/;
const DROPS = /^\s*(?:return(?:\s+.*,)?\s+nil|_\s*=\s*err\w*)\s*$/;
const BLANK_ERROR = /^\s*[\w., ]+,\s*_\s*:?=\s*[\w.]+\(/;

/** Lines that a check and its answer take. */
const MAX_BODY = 4;
/** Longest function header that is looked at for an error among its results, in characters. */
const MAX_HEADER = 500;

/**
 * Lines of a Go file after which an error is gone: a check that answers with a nil error, in a function whose results
 * have one. Lines count from 1.
 */
export async function goDrops(file: SourceFile): Promise<{ line: number; endLine: number }[]> {
  const masked = file.masked();
  const outline = await file.outline();
  return masked.flatMap((text, index) => {
    if (!CHECK.test(text)) return [];
    const below = masked.slice(index + 1, index + 1 + MAX_BODY);
    const close = below.findIndex((line) => /^\s*\}/.test(line));
    const body = below.slice(0, Math.max(0, close)).filter((line) => line.trim() !== "");
    if (body.length === 0 || !body.every((line) => DROPS.test(line))) return [];
    const owner = outline.findLast((one) => one.line <= index + 1 && index + 1 <= one.endLine);
    const header =
      owner === undefined
        ? ""
        : file.text.slice(owner.start, Math.min(owner.bodyStart, owner.start + MAX_HEADER));
    return /\)[^)]*\(?[^)]*\berror\b/.test(header) ? [{ line: index + 1, endLine: index + 2 + close }] : [];
  });
}

/** Added lines that take a result without the error that a removed line took along: `x, _ := f()`. */
export function forgottenErrors(added: readonly DiffLine[], removed: readonly DiffLine[]): DiffLine[] {
  const blank = (text: string) => plain(text).replace(/,\w*err\w*(?=:?=)/i, ",_");
  const before = new Set(
    removed.filter((line) => !BLANK_ERROR.test(line.text)).map((line) => blank(line.text)),
  );
  return added.filter((line) => BLANK_ERROR.test(line.text) && before.has(plain(line.text)));
}
