import type { Answer, GroupLabels } from "../types.ts";
import { pairsOf, sum, type Pooled } from "./metric.ts";
import { graderOrder } from "./order.ts";

/** Pairs of one group, counted as Kendall's tau-b needs them. */
export interface RankPairs {
  concordant: number;
  discordant: number;
  /** Pairs that the labels tie, and that the grader ties; a pair that both tie is in both. */
  tied_by_labels: number;
  tied_by_grader: number;
  pairs: number;
}

/**
 * The labelled order against the grader's. The labelled order is `order`, or the tiers where that is absent. A rollout
 * without a place is tied with every other.
 *
 * @returns null without at least two labelled rollouts.
 */
export function rankPairs({ order, tiers }: GroupLabels, { places }: Answer): RankPairs | null {
  const labelled: [string, number][] =
    order?.flatMap((ids, position) => ids.map((id): [string, number] => [id, position])) ??
    Object.entries(tiers);
  const pairs = pairsOf(labelled).map(([[one, position], [other, otherPosition]]) => ({
    truth: Math.sign(otherPosition - position),
    given: graderOrder(places, one, other),
  }));
  if (pairs.length === 0) return null;
  const count = (holds: (pair: { truth: number; given: number }) => boolean) => pairs.filter(holds).length;
  return {
    concordant: count(({ truth, given }) => truth * given > 0),
    discordant: count(({ truth, given }) => truth * given < 0),
    tied_by_labels: count(({ truth }) => truth === 0),
    tied_by_grader: count(({ given }) => given === 0),
    pairs: pairs.length,
  };
}

/**
 * Kendall's tau-b (Kendall 1945, "The treatment of ties in ranking problems"): (C - D) / sqrt((P - Tl)(P - Tg)), where P
 * are all pairs, C and D the concordant and discordant ones, Tl and Tg those tied by the labels and by the grader.
 * Over several groups each count is summed first, so that a pair weighs the same in a small group and in a large one.
 *
 * @returns -1..1, n in pairs; null when the labels or the grader tie everything.
 */
export function kendallTauB(parts: readonly RankPairs[]): Pooled {
  const total = (key: keyof RankPairs) => sum(parts.map((part) => part[key]));
  const pairs = total("pairs");
  const size = Math.sqrt((pairs - total("tied_by_labels")) * (pairs - total("tied_by_grader")));
  return { value: size === 0 ? null : (total("concordant") - total("discordant")) / size, n: pairs };
}
