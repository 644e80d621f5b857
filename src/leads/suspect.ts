import type { Citation, FindingInput } from "../schema/evidence.ts";
import type { DiffLine } from "../workspace/types.ts";
import { citeLine, type Suspicion } from "./lead.ts";

/** Suspicions of one detector about one rollout after which more say nothing new. */
export const ENOUGH = 20;

/** Most lines that one suspicion cites. */
const MAX_CITED = 4;

/** Citations of the first few lines that have something to quote, words before bare punctuation. */
export function citeLines(rollout: string, file: string, lines: readonly DiffLine[]): Citation[] {
  const telling = lines.filter((line) => /[\p{L}\p{N}]/u.test(line.text));
  return (telling.length > 0 ? telling : lines.filter((line) => line.text.trim() !== ""))
    .slice(0, MAX_CITED)
    .map((line) => citeLine(rollout, file, line.new ?? line.old, line.text.replace(/\r$/, "")));
}

/** A suspicion about some lines of one file; undefined when none of them can be quoted. */
export function suspect(
  finding: Pick<FindingInput, "rollout" | "criterion" | "severity" | "claim">,
  file: string,
  lines: readonly DiffLine[],
): Suspicion | undefined {
  const citations = citeLines(finding.rollout, file, lines);
  return citations.length === 0 ? undefined : { ...finding, citations };
}

/** `in src/a.py, line 12` or `in src/a.py, lines 12, 15 and 3 more`. */
export function place(file: string, lines: readonly DiffLine[]): string {
  const numbers = lines.map((line) => line.new ?? line.old).filter((line) => line !== undefined);
  if (numbers.length === 0) return `in ${file}`;
  const shown = numbers.slice(0, 3).join(", ");
  const more = numbers.length > 3 ? ` and ${numbers.length - 3} more` : "";
  return `in ${file}, ${numbers.length === 1 ? "line" : "lines"} ${shown}${more}`;
}
