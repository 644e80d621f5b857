import { GraderError, type Place } from "../errors.ts";
import { MIN_QUALITY, type RedistributionConfig } from "./config.ts";
import { placeOf, type GroupInput } from "./input.ts";

/**
 * Quality of a place: hi - (hi - lo) (rank - 1) / max(ranks - 1, 1) in its tier's band (design of gagar, section 8).
 *
 * @param ranks - How many ranks the tier has.
 * @returns Dimensionless, lo..hi of the tier. A better rank never has less.
 */
export function placementQuality(
  placement: { readonly tier: 1 | 2 | 3; readonly rank: number },
  ranks: number,
  tiers: RedistributionConfig["tiers"],
): number {
  const { hi, lo } = tiers[placement.tier - 1] ?? tiers[2];
  // The subtraction may end one rounding below lo, and so below the next tier.
  return Math.max(lo, hi - ((hi - lo) * (placement.rank - 1)) / Math.max(ranks - 1, 1));
}

/**
 * Quality of every rollout that passed and has a place; undefined for the others.
 *
 * Every place in the group counts towards the number of ranks, whether or not its rollout is redistributed.
 *
 * @throws GraderError `bad_input` when the ranks of a tier are not dense (1, 2, 3 ... with ties sharing one).
 */
export function placementQualities(
  group: GroupInput,
  tiers: RedistributionConfig["tiers"],
  where: Place = {},
): (number | undefined)[] {
  const ranks = ranksPerTier(group, where);
  return group.rollouts.map(({ passed, placement }) =>
    passed === true && placement !== undefined
      ? placementQuality(placement, ranks[placement.tier], tiers)
      : undefined,
  );
}

/**
 * Given qualities as factors: divided by the largest of them.
 *
 * @param members - Positions in the group of the rollouts that are compared.
 * @returns One factor in (0, 1] per member.
 * @throws GraderError `bad_config` for a quality that is zero, negative or vanishes beside the largest: it would remove
 *   the rollout's advantage altogether, which is what excluding it is for.
 */
export function relativeQualities(
  group: GroupInput,
  members: readonly number[],
  where: Place = {},
): number[] {
  const given = members.map((index) => group.rollouts[index]?.quality ?? 0);
  const largest = given.reduce((most, quality) => Math.max(most, quality), 0);
  return given.map((quality, position) => {
    const relative = quality / largest;
    if (relative >= MIN_QUALITY) return relative;
    const index = members[position] ?? 0;
    throw new GraderError(
      "bad_config",
      `must be above 0 (and at least ${MIN_QUALITY} of the group's largest, ${largest}), not ${quality}`,
      placeOf(group, index, "quality", where),
    );
  });
}

/** Number of ranks in each tier, of which the ranks used must be every one. */
function ranksPerTier(group: GroupInput, where: Place): Record<1 | 2 | 3, number> {
  const used: Record<1 | 2 | 3, boolean[]> = { 1: [], 2: [], 3: [] };
  const limit = group.rollouts.length;
  group.rollouts.forEach(({ placement }) => {
    // A rank above the number of rollouts leaves a gap somewhere: it counts as one beyond all others.
    if (placement !== undefined) used[placement.tier][Math.min(placement.rank, limit + 1) - 1] = true;
  });
  for (const tier of [1, 2, 3] as const) {
    const gap = used[tier].findIndex((isUsed) => !isUsed);
    if (gap < 0) continue;
    const above = group.rollouts.findIndex(
      ({ placement }) => placement?.tier === tier && placement.rank > gap + 1,
    );
    throw new GraderError(
      "bad_input",
      `the ranks of tier ${tier} are not dense: no rollout has rank ${gap + 1}`,
      placeOf(group, above, "rank", where),
    );
  }
  return { 1: used[1].length, 2: used[2].length, 3: used[3].length };
}
