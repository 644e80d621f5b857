import type { Finding } from "../../index.ts";
import type { LabelledFinding } from "../types.ts";

/**
 * Whether a grader's finding is about a labelled one. Both are of the same rollout, which the caller sees to; then either
 * is enough:
 *   - they have the same criterion, or
 *   - a citation of the rollout's patch is in the labelled file, and its lines overlap the labelled ones or one quote
 *     contains the other, white space aside.
 * No wording is compared. So two different faults under one criterion count as the same one, and a fault reported
 * elsewhere under another criterion counts as another: read precision and recall as comparisons between graders.
 */
export function matches(finding: Finding, labelled: LabelledFinding): boolean {
  return finding.criterion === labelled.criterion || samePlace(finding, labelled);
}

function samePlace(finding: Finding, { file, lines, quote }: LabelledFinding): boolean {
  return finding.citations.some(
    (citation) =>
      citation.kind === "patch" &&
      citation.rollout === finding.rollout &&
      citation.file === file &&
      (overlaps(citation, lines) || (quote !== undefined && sameText(citation.quote, quote))),
  );
}

/** A citation covers as many lines as its quote has, from its line on. */
function overlaps(cited: { line?: number | undefined; quote: string }, lines?: [number, number]): boolean {
  if (cited.line === undefined || lines === undefined) return false;
  const last = cited.line + cited.quote.trimEnd().split("\n").length - 1;
  return cited.line <= lines[1] && lines[0] <= last;
}

function sameText(one: string, other: string): boolean {
  const [first, second] = [plain(one), plain(other)];
  return first !== "" && second !== "" && (first.includes(second) || second.includes(first));
}

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();
