import type { Answer } from "../types.ts";
import { pairsOf, share, type GroupRun, type Ratio } from "./metric.ts";
import { graderOrder } from "./order.ts";

/**
 * Of the pairs of rollouts that both answers place, the share that both order alike: the same winner, or a tie in both.
 *
 * @returns null when fewer than two rollouts have a place in both.
 */
export function orderAgreement(one: Answer, other: Answer): Ratio | null {
  const shared = Object.keys(one.places).filter((id) => other.places[id] !== undefined);
  return share(
    pairsOf(shared),
    ([first, second]) => graderOrder(one.places, first, second) === graderOrder(other.places, first, second),
  );
}

/**
 * Agreement of the plain answers with those for changed input, each with the one of the same repeat. For "shuffled" this
 * is the swap agreement: does the order in which rollouts are shown move the result?
 */
export function variantAgreement(group: GroupRun, variant: string): Ratio[] {
  const changed = graded(group.variants[variant] ?? []);
  return graded(group.plain).flatMap((answer) =>
    changed
      .filter(({ repeat }) => repeat === answer.repeat)
      .flatMap((other) => orderAgreement(answer, other) ?? []),
  );
}

/** Test-retest agreement: of every two repeats of the plain input. */
export function retestAgreement(group: GroupRun): Ratio[] {
  return pairsOf(graded(group.plain)).flatMap(([one, other]) => orderAgreement(one, other) ?? []);
}

/**
 * The tiers that repeats of the plain input gave each rollout: a unit of Krippendorff's alpha a rollout, a rater a
 * repeat. A repeat without an answer, or without a place for the rollout, is a missing value. A rollout with one value
 * says nothing and is left out.
 */
export function repeatedTiers(group: GroupRun): number[][] {
  const answers = graded(group.plain);
  const ids = new Set(answers.flatMap(({ places }) => Object.keys(places)));
  return [...ids]
    .map((id) => answers.flatMap(({ places }) => places[id]?.tier ?? []))
    .filter((tiers) => tiers.length > 1);
}

function graded(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status === "graded");
}
