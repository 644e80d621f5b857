import type { Answer, GroupLabels } from "../types.ts";
import { sum, type Pooled } from "./metric.ts";

/** A scored rollout with a labelled tier. `sound`: the tier is 1. */
export interface ScoredRollout {
  score: number;
  sound: boolean;
}

/** The rollouts of an answer that have both a score and a labelled tier. */
export function scoredRollouts({ tiers }: GroupLabels, { places }: Answer): ScoredRollout[] {
  return Object.entries(tiers).flatMap(([id, tier]) => {
    const score = places[id]?.score;
    return score === undefined ? [] : [{ score, sound: tier === 1 }];
  });
}

/**
 * Area under the ROC curve: the probability that a rollout of labelled tier 1 has a higher score than one of another
 * tier, ties counted half (Hanley and McNeil 1982). Rollouts of all groups are pooled: scores are taken to mean the same
 * in each.
 *
 * @returns 0..1, n in rollouts; null without both kinds of rollout.
 */
export function areaUnderCurve(parts: readonly ScoredRollout[]): Pooled {
  const sorted = (kind: boolean) =>
    Float64Array.from(parts.filter(({ sound }) => sound === kind).map(({ score }) => score)).sort();
  const [sound, faulty] = [sorted(true), sorted(false)];
  // How many faulty scores are below a sound one, and how many are not above it; the mean counts ties half.
  let below = 0;
  let notAbove = 0;
  let points = 0;
  for (const score of sound) {
    while ((faulty[below] ?? NaN) < score) below += 1;
    while ((faulty[notAbove] ?? NaN) <= score) notAbove += 1;
    points += (below + notAbove) / 2;
  }
  const pairs = sound.length * faulty.length;
  return { value: pairs === 0 ? null : points / pairs, n: parts.length };
}

const BINS = 10;

/**
 * Expected calibration error of scores read as probabilities of tier 1 (Naeini et al. 2015; Guo et al. 2017, equation 3):
 * rollouts go into ten bins of equal width, [0, 0.1) to [0.9, 1]; the mean over rollouts of
 * |share of tier 1 in the bin - mean score in the bin|.
 *
 * @returns 0..1, n in rollouts; null without scores, or when a score is outside 0..1 and so is no probability.
 */
export function calibrationError(parts: readonly ScoredRollout[]): Pooled {
  const n = parts.length;
  const probabilities = parts.every(({ score }) => score >= 0 && score <= 1);
  if (n === 0 || !probabilities) return { value: null, n };
  // In each bin |sound - sum of scores| is its count times the difference of its means.
  const gaps = new Map<number, number>();
  for (const { score, sound } of parts) {
    const bin = Math.min(Math.floor(score * BINS), BINS - 1);
    gaps.set(bin, (gaps.get(bin) ?? 0) + Number(sound) - score);
  }
  return { value: sum([...gaps.values()].map((gap) => Math.abs(gap))) / n, n };
}
