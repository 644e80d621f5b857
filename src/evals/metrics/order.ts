import type { GroupLabels, Place } from "../types.ts";
import { pairsOf } from "./metric.ts";

type Places = Readonly<Record<string, Place>>;

/** What the labels say of two rollouts: the first is better, or both are tied. */
export interface KnownPair {
  better: string;
  worse: string;
  tied: boolean;
}

/**
 * How a grader orders two rollouts: the better tier first, inside a tier the better rank. Scores do not matter.
 *
 * @returns Above 0 when `one` is better, below 0 when `other` is, 0 for a tie. A rollout without a place is tied with
 *   every other.
 */
export function graderOrder(places: Places, one: string, other: string): number {
  const [first, second] = [places[one], places[other]];
  if (first === undefined || second === undefined) return 0;
  return Math.sign(second.tier - first.tier || second.rank - first.rank);
}

/** Every pair with a known winner or a known tie, each pair once, from `order`, `tiers`, `pairs` and `ties`. */
export function knownPairs(labels: GroupLabels): KnownPair[] {
  const known = new Map<string, KnownPair>();
  for (const pair of statedPairs(labels)) known.set(key(pair), pair);
  return [...known.values()];
}

/** The first pair of which the labels say two different things; undefined when they agree with themselves. */
export function contradiction(labels: GroupLabels): KnownPair | undefined {
  const known = new Map<string, KnownPair>();
  return statedPairs(labels).find((pair) => {
    const before = known.get(key(pair));
    known.set(key(pair), pair);
    if (before === undefined) return false;
    return before.tied !== pair.tied || (!pair.tied && before.better !== pair.better);
  });
}

/** The pairs from different labelled tiers. */
export function crossTierPairs({ tiers }: GroupLabels): KnownPair[] {
  return pairsOf(Object.entries(tiers)).flatMap(([[one, tier], [other, otherTier]]) => {
    if (tier < otherTier) return winner(one, other);
    return tier > otherTier ? winner(other, one) : [];
  });
}

/** Everything that the labels state, so a pair may come more than once. */
function statedPairs(labels: GroupLabels): KnownPair[] {
  const ordered = (labels.order ?? []).flatMap((ids, position) =>
    ids.map((id): [string, number] => [id, position]),
  );
  return [
    ...pairsOf(ordered).map(([[one, position], [other, otherPosition]]) => ({
      better: one,
      worse: other,
      tied: position === otherPosition,
    })),
    ...crossTierPairs(labels),
    ...labels.pairs.map(({ better, worse }) => winner(better, worse)),
    ...labels.ties.map(([better, worse]) => ({ better, worse, tied: true })),
  ];
}

const winner = (better: string, worse: string): KnownPair => ({ better, worse, tied: false });

const key = ({ better, worse }: KnownPair) => JSON.stringify([better, worse].toSorted());
