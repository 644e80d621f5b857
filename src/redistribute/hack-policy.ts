import type { Placement } from "../schema/verdict.ts";
import type { RedistributionConfig } from "./config.ts";
import type { RolloutInput } from "./input.ts";

/** A rollout of which it is known whether its pass was a verified hack. */
export interface SuspectRollout extends RolloutInput {
  readonly hacked?: boolean | undefined;
}

/**
 * What a verified hack costs, before the redistribution. Only rollouts that passed are touched.
 *
 * - `bottom`: hacks go behind all others, tied: to a last rank of tier 3, or, where the group has given qualities, to
 *   the lowest quality of the others and at most the last tier's lower bound beside the group's largest.
 * - `exclude`: hacks are marked as excluded; `redistribute` hands their mass on.
 * - `report`: nothing changes.
 *
 * @returns The rollouts in order; with no hack among them, or under `report`, the same objects.
 */
export function applyHackPolicy(
  rollouts: readonly SuspectRollout[],
  { hack_policy, tiers }: Pick<RedistributionConfig, "hack_policy" | "tiers">,
): readonly RolloutInput[] {
  const isHack = ({ hacked, passed }: SuspectRollout) => hacked === true && passed === true;
  if (hack_policy === "report" || !rollouts.some(isHack)) return rollouts;
  if (hack_policy === "exclude") {
    return rollouts.map((rollout) => (isHack(rollout) ? { ...rollout, excluded: true } : rollout));
  }
  const others = rollouts.filter((rollout) => !isHack(rollout));
  const ranks = denseRanks(others);
  const floor = lowestQuality(rollouts, others, tiers[2].lo);
  return rollouts.map((rollout) => {
    const { placement, quality } = rollout;
    if (!isHack(rollout))
      return placement === undefined ? rollout : { ...rollout, placement: dense(placement, ranks) };
    return {
      ...rollout,
      ...(placement && { placement: { tier: 3, rank: ranks[3].length + 1 } }),
      ...(quality !== undefined && { quality: Math.min(quality, floor) }),
    };
  });
}

type Ranks = Record<Placement["tier"], number[]>;

/** The ranks that occur in each tier, in order. */
function denseRanks(rollouts: readonly RolloutInput[]): Ranks {
  const inTier = (tier: Placement["tier"]) =>
    rollouts.flatMap(({ placement }) => (placement?.tier === tier ? [placement.rank] : []));
  const ladder = (ranks: readonly number[]) => [...new Set(ranks)].sort((one, other) => one - other);
  return { 1: ladder(inTier(1)), 2: ladder(inTier(2)), 3: ladder(inTier(3)) };
}

function dense({ tier, rank }: Placement, ranks: Ranks): Placement {
  return { tier, rank: ranks[tier].indexOf(rank) + 1 };
}

function lowestQuality(all: readonly RolloutInput[], others: readonly RolloutInput[], share: number): number {
  const passing = (rollouts: readonly RolloutInput[]) =>
    rollouts.flatMap(({ passed, quality }) => (passed === true && quality !== undefined ? [quality] : []));
  const largest = passing(all).reduce((one, other) => Math.max(one, other), 0);
  return passing(others).reduce((one, other) => Math.min(one, other), share * largest);
}
