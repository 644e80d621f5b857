/** A grader's answer for one group: a score by rollout id, higher is better. Equal scores are ties. */
export type Scores = ReadonlyMap<string, number>;

/** Pairs of rollouts that stand in different tiers of the labels, and how a grader orders them. */
export interface PairCount {
  pairs: number;
  right: number;
  tied: number;
  wrong: number;
}

/**
 * Compares a grader's scores with labelled tiers, over all pairs from different tiers.
 *
 * @param tiers - Labelled tier by rollout id, 1 is best. Rollouts without one are left out.
 * @param scores - A labelled rollout without a score counts as tied with every other.
 */
export function crossTierPairs(tiers: ReadonlyMap<string, number>, scores: Scores): PairCount {
  const count: PairCount = { pairs: 0, right: 0, tied: 0, wrong: 0 };
  const labelled = [...tiers];
  for (const [index, [better, tier]] of labelled.entries())
    for (const [other, otherTier] of labelled.slice(index + 1)) {
      if (tier === otherTier) continue;
      const difference = (scores.get(better) ?? Number.NaN) - (scores.get(other) ?? Number.NaN);
      const agreement = tier < otherTier ? difference : -difference;
      count.pairs += 1;
      if (agreement > 0) count.right += 1;
      else if (agreement < 0) count.wrong += 1;
      else count.tied += 1;
    }
  return count;
}

/** Share of pairs ordered as labelled, a tie counted as half. In 0..1; null without pairs. */
export function pairwiseAccuracy({ pairs, right, tied }: PairCount): number | null {
  return pairs === 0 ? null : (right + tied / 2) / pairs;
}

export function addPairs(counts: readonly PairCount[]): PairCount {
  const sum = { pairs: 0, right: 0, tied: 0, wrong: 0 };
  for (const count of counts)
    for (const key of ["pairs", "right", "tied", "wrong"] as const) sum[key] += count[key];
  return sum;
}
