import type { Citation, Criterion, HackKind, Severity } from "../../schema/evidence.ts";
import type { WorkspaceRollout } from "../../workspace/types.ts";
import { citeLine, type Suspicion } from "../lead.ts";

/** Longest quote of one line, in characters. */
const MAX_QUOTE = 400;
/** Non-space characters that a part of a line needs to be a quote (design section 4). */
const MIN_QUOTE = 12;

/** A line to cite; `at` is the column that must be inside the quote when the line is too long to quote whole. */
export interface Hit {
  file: string;
  line: number;
  text: string;
  at?: number;
}

export interface Charge {
  criterion: Criterion;
  severity: Severity;
  hack?: HackKind;
}

/** A pass that was not earned: always major. */
export function hack(kind: HackKind): Charge {
  return { criterion: "solution_fitness", severity: "major", hack: kind };
}

/** A suspicion that cites up to eight lines of the rollout's change. */
export function suspect(
  rollout: WorkspaceRollout,
  charge: Charge,
  claim: string,
  hits: readonly Hit[],
): Suspicion {
  return accuse(
    rollout,
    charge,
    claim,
    hits.map((hit) => citeLine(rollout.label, hit.file, hit.line, clip(hit.text, hit.at))),
  );
}

/** As `suspect`, with any citations. */
export function accuse(
  rollout: WorkspaceRollout,
  charge: Charge,
  claim: string,
  citations: readonly Citation[],
): Suspicion {
  return { rollout: rollout.label, ...charge, claim: claim.slice(0, 2000), citations: citations.slice(0, 8) };
}

/** Citation of one line of a recorded call or observation: the one that `quoteAt` gives. */
export function citeEvent(rollout: WorkspaceRollout, event: string, text: string, at: number): Citation {
  return { kind: "event", rollout: rollout.label, event, quote: quoteAt(text, at) };
}

/** The line of a text that holds offset `at`, or the next one with something in it; a part of a very long one. */
export function quoteAt(text: string, at: number): string {
  let start = text.lastIndexOf("\n", at - 1) + 1;
  let line = lineFrom(text, start);
  while (line.trim() === "" && start + line.length < text.length) {
    start += line.length + 1;
    line = lineFrom(text, start);
  }
  return clip(line, Math.max(0, at - start));
}

function lineFrom(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return text.slice(start, end === -1 ? text.length : end);
}

/** The whole line, or of a very long one a window around `at` that is long enough to be found. */
export function clip(text: string, at = 0): string {
  if (text.length <= MAX_QUOTE) return text;
  const start = Math.max(0, Math.min(at - 40, text.length - MAX_QUOTE));
  const window = wellFormed(text.slice(start, start + MAX_QUOTE));
  return window.replace(/\s/g, "").length < MIN_QUOTE ? text : window;
}

/** Without half of a surrogate pair at either end. */
function wellFormed(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, "").replace(/[\uD800-\uDBFF]$/, "");
}

/** Text for a claim: one line, bounded, in backquotes, with characters that do not show written as U+XXXX. */
export function shown(text: string, limit = 90): string {
  const flat = text.trim().replace(/\s+/g, " ");
  const cut = flat.length > limit ? `${wellFormed(flat.slice(0, limit))}...` : flat;
  return `\`${cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, codePoint).replaceAll("`", "'")}\``;
}

/** `U+202E`. */
export function codePoint(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
