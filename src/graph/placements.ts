import { tiersOf } from "../evidence/support.ts";
import type { Placement, Verdict } from "../schema/verdict.ts";

/**
 * An accepted verdict as tier and dense rank by label. Rollouts of a tier about which nothing was found are tied: an
 * order among them would be noise in the advantages (design section 4).
 *
 * @param judged - Labels about which something was found, in them or in a rollout with the same tree.
 */
export function placementsOf(verdict: Verdict, judged: ReadonlySet<string>): Map<string, Placement> {
  const tiers = tiersOf(verdict);
  const placements = new Map<string, Placement>();
  for (const tier of [1, 2, 3] as const) {
    const order = verdict.ranking
      .map((tied) => tied.filter((label) => tiers.get(label) === tier))
      .filter((tied) => tied.length > 0);
    for (const [index, tied] of tieUnjudged(order, judged).entries())
      for (const label of tied) placements.set(label, { tier, rank: index + 1 });
  }
  return placements;
}

/** Places without those of some rollouts, which are then tied behind all others in tier 3, or have no place at all. */
export function withoutPlaces(
  placements: ReadonlyMap<string, Placement>,
  labels: ReadonlySet<string>,
  follows: "last" | "none",
): Map<string, Placement> {
  const others = [...placements].filter(([label]) => !labels.has(label));
  const ranksOf = (tier: Placement["tier"]) =>
    [...new Set(others.flatMap(([, place]) => (place.tier === tier ? [place.rank] : [])))].sort(
      (a, b) => a - b,
    );
  const ranks = { 1: ranksOf(1), 2: ranksOf(2), 3: ranksOf(3) };
  const last = { tier: 3 as const, rank: ranks[3].length + 1 };
  const moved = follows === "none" ? [] : [...placements.keys()].filter((label) => labels.has(label));
  return new Map([
    ...others.map(
      ([label, { tier, rank }]) => [label, { tier, rank: ranks[tier].indexOf(rank) + 1 }] as const,
    ),
    ...moved.map((label) => [label, last] as const),
  ]);
}

/** Moves all rollouts without a finding to the best place that one of them has. */
function tieUnjudged(order: readonly string[][], judged: ReadonlySet<string>): string[][] {
  const unjudged = order.flat().filter((label) => !judged.has(label));
  const first = order.findIndex((tied) => tied.some((label) => !judged.has(label)));
  return order
    .map((tied, index) => {
      const stay = tied.filter((label) => judged.has(label));
      return index === first ? [...stay, ...unjudged] : stay;
    })
    .filter((tied) => tied.length > 0);
}
