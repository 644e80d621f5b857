import type { Place } from "../types.ts";

/** What is known of one rollout before its rank is: its tier, and a score or an order inside it. */
export interface Standing {
  tier: Place["tier"];
  /** Higher is better. */
  score?: number;
  /** Lower is better; taken in place of the score where it is given. */
  rank?: number;
}

/**
 * Dense ranks inside each tier, by rank where one is given, else by score, best first. Equal ones are tied, and
 * so is all that has neither: behind everything in its tier that has one.
 */
export function placesOf(standings: Readonly<Record<string, Standing>>): Record<string, Place> {
  const all = Object.entries(standings);
  const keyOf = ({ rank, score }: Standing) => rank ?? (score === undefined ? Infinity : -score);
  return Object.fromEntries(
    all.map(([id, own]) => {
      const better = all.filter(([, other]) => other.tier === own.tier && keyOf(other) < keyOf(own));
      const rank = new Set(better.map(([, other]) => keyOf(other))).size + 1;
      return [id, { tier: own.tier, rank, ...(own.score === undefined ? {} : { score: own.score }) }];
    }),
  );
}
