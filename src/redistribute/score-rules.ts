import { GraderError } from "../errors.ts";

/** How the scores of any grader, larger is better, become qualities; see scoreQualities. */
export const QUALITY_RULES = ["linear", "rank", "given"] as const;
export type QualityRule = (typeof QUALITY_RULES)[number];

/**
 * Qualities from the scores of one group's passing rollouts.
 *
 * - `linear`: the group's smallest..largest score onto lo..1. Any affine change of the scores gives the same.
 * - `rank`: dense ranks spread evenly over lo..1. Any rising change of the scores gives the same.
 * - `given`: the score is the quality; `redistribute` divides by the largest.
 *
 * @param scores - Finite, any unit.
 * @param lo - Quality of the lowest score under `linear` and `rank`: 0 < lo <= 1. Scores that are all equal give 1.
 * @returns One quality per score, in order; equal scores have equal ones, and a larger score never less.
 * @throws GraderError `bad_config` for `lo` or an unknown rule.
 */
export function scoreQualities(scores: readonly number[], rule: QualityRule, lo = 0.5): number[] {
  if (!(lo > 0 && lo <= 1)) {
    throw new GraderError("bad_config", `must be above 0 and at most 1, not ${lo}`, { field: "quality_lo" });
  }
  if (rule === "given") return [...scores];
  if (rule === "linear") return linear(scores, lo);
  if (rule === "rank") return byRank(scores, lo);
  throw new GraderError("bad_config", `must be one of ${QUALITY_RULES.join(", ")}, not ${String(rule)}`, {
    field: "quality_rule",
  });
}

function linear(scores: readonly number[], lo: number): number[] {
  const least = scores.reduce((one, other) => Math.min(one, other), Infinity);
  const most = scores.reduce((one, other) => Math.max(one, other), -Infinity);
  // Halved, so that the distance of two finite scores is finite.
  const range = most / 2 - least / 2;
  return scores.map((score) => (range > 0 ? lo + (1 - lo) * ((score / 2 - least / 2) / range) : 1));
}

function byRank(scores: readonly number[], lo: number): number[] {
  const ladder = [...new Set(scores)].sort((one, other) => other - one);
  const steps = Math.max(ladder.length - 1, 1);
  const ranks = new Map(ladder.map((score, index) => [score, index]));
  // The subtraction may end one rounding below lo, and a small lo at zero.
  return scores.map((score) => Math.max(lo, 1 - ((1 - lo) * (ranks.get(score) ?? 0)) / steps));
}
