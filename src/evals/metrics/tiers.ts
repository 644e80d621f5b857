import type { Answer, GroupLabels } from "../types.ts";
import { share, sum, type Pooled, type Ratio } from "./metric.ts";

/** The labelled tier of one rollout, and the one it was placed in. */
export interface TierPair {
  labelled: 1 | 2 | 3;
  placed: 1 | 2 | 3;
}

/** The rollouts that have both a labelled tier and a place: what the metrics of tiers are about. */
export function placedTiers({ tiers }: GroupLabels, { places }: Answer): TierPair[] {
  return Object.entries(tiers).flatMap(([id, labelled]) => {
    const placed = places[id]?.tier;
    return placed === undefined ? [] : [{ labelled, placed }];
  });
}

/** Tier exact: of the rollouts with a labelled tier and a place, the share placed in that tier. */
export function tierExact(labels: GroupLabels, answer: Answer): Ratio | null {
  return share(placedTiers(labels, answer), ({ labelled, placed }) => labelled === placed);
}

/** Tier within one: as {@link tierExact}, with one tier of difference allowed. */
export function tierWithinOne(labels: GroupLabels, answer: Answer): Ratio | null {
  return share(placedTiers(labels, answer), ({ labelled, placed }) => Math.abs(labelled - placed) <= 1);
}

/**
 * Quadratic weighted kappa (Cohen 1968, "Weighted kappa"): 1 - sum w O / sum w E with w = (labelled - placed)^2, O the
 * rollouts counted by both tiers, and E what O would be on average if the placed tiers were dealt out at random.
 * Over several groups the rollouts are pooled first.
 *
 * @returns -1..1, n in rollouts: 1 for equal tiers, 0 for no more agreement than by chance; null when labels and grader
 *   know one and the same tier only.
 */
export function quadraticKappa(parts: readonly TierPair[]): Pooled {
  const n = parts.length;
  const distance = (labelled: number, placed: number) => (labelled - placed) ** 2;
  const observed = sum(parts.map(({ labelled, placed }) => distance(labelled, placed)));
  const counts = ([1, 2, 3] as const).map((tier) => ({
    tier,
    labelled: parts.filter((part) => part.labelled === tier).length,
    placed: parts.filter((part) => part.placed === tier).length,
  }));
  const expected = sum(
    counts.flatMap((row) =>
      counts.map((column) => (distance(row.tier, column.tier) * row.labelled * column.placed) / n),
    ),
  );
  return { value: n === 0 || expected === 0 ? null : 1 - observed / expected, n };
}
