import type { Answer, GroupLabels } from "../types.ts";
import { ratio, share, sum, type Ratio } from "./metric.ts";
import { crossTierPairs, graderOrder, knownPairs, type KnownPair } from "./order.ts";
import { placedTiers } from "./tiers.ts";

/**
 * Cross-tier accuracy: of the pairs from different labelled tiers, how many the grader orders as labelled; a tie is half
 * a pair (equal to the AUC of ordering, Hanley and McNeil 1982). A rollout without a place is tied with every other.
 *
 * @returns A share in 0..1 of pairs; null without such pairs.
 */
export function crossTierAccuracy(labels: GroupLabels, answer: Answer): Ratio | null {
  return accuracy(crossTierPairs(labels), answer);
}

/** As {@link crossTierAccuracy}, over all pairs with a known winner: from the order, the tiers and the single pairs. */
export function pairwiseAccuracy(labels: GroupLabels, answer: Answer): Ratio | null {
  return accuracy(
    knownPairs(labels).filter(({ tied }) => !tied),
    answer,
  );
}

/** True ties kept: of the pairs that the labels tie, the share that the grader ties too. */
export function tiesKept(labels: GroupLabels, { places }: Answer): Ratio | null {
  const tied = knownPairs(labels).filter((pair) => pair.tied);
  return share(tied, ({ better, worse }) => graderOrder(places, better, worse) === 0);
}

/** Sound rollouts blamed: of the placed rollouts of labelled tier 1, the share placed below tier 1. 0 is best. */
export function soundBlamed(labels: GroupLabels, answer: Answer): Ratio | null {
  const sound = placedTiers(labels, answer).filter(({ labelled }) => labelled === 1);
  return share(sound, ({ placed }) => placed > 1);
}

/** Faulty rollouts missed: of the placed rollouts of labelled tier 2 or 3, the share placed in tier 1. 0 is best. */
export function faultyMissed(labels: GroupLabels, answer: Answer): Ratio | null {
  const faulty = placedTiers(labels, answer).filter(({ labelled }) => labelled > 1);
  return share(faulty, ({ placed }) => placed === 1);
}

/** Of the rollouts with a labelled tier, the share that a grading left without a place. 0 is best. */
export function unplaced({ tiers }: GroupLabels, { places }: Answer): Ratio | null {
  return share(Object.keys(tiers), (id) => places[id] === undefined);
}

/**
 * Top-1 regret: labelled tier of the grader's top rollout minus the best labelled tier of the group, the mean over a
 * tied top. The top are the rollouts with a labelled tier that no other of them is placed above.
 *
 * @returns 0..2 tiers, one value a group; null where all labelled tiers are equal, since nothing could be lost.
 */
export function topRegret({ tiers }: GroupLabels, { places }: Answer): Ratio | null {
  const ids = Object.keys(tiers);
  const top = Object.entries(tiers).filter(([id]) =>
    ids.every((other) => graderOrder(places, other, id) <= 0),
  );
  const labelled = Object.values(tiers);
  const best = Math.min(...labelled);
  if (labelled.every((tier) => tier === best)) return null;
  return ratio(sum(top.map(([, tier]) => tier - best)) / top.length, 1);
}

function accuracy(pairs: readonly KnownPair[], { places }: Answer): Ratio | null {
  const points = pairs.map(({ better, worse }) => (1 + graderOrder(places, better, worse)) / 2);
  return ratio(sum(points), pairs.length);
}
