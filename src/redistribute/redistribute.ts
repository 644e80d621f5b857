import { GraderError, type Place } from "../errors.ts";
import type { Redistribution } from "../schema/grade.ts";
import { audit } from "./audit.ts";
import { redistributionConfig, type RedistributionConfig } from "./config.ts";
import { checkGroup, placeOf, type GroupInput } from "./input.ts";
import { redistributedSet, type RedistributedSet } from "./members.ts";
import { placementQualities } from "./quality.ts";
import { commonScale, downweight, waterFill, type Scaling } from "./scale.ts";

/** One rollout after the redistribution. */
export interface RedistributedRollout {
  readonly id: string;
  /** The factor that its place or given quality stands for, in (0, 1]; missing where there is none. */
  readonly quality?: number;
  readonly advantage_given: number | null;
  /** Same unit as the given one, which it is to the bit outside the redistributed set. Finite or null. */
  readonly advantage: number | null;
}

export interface RedistributedGroup {
  /** In the order of the input. */
  readonly rollouts: readonly RedistributedRollout[];
  readonly redistribution: Redistribution;
}

/** Below this mass (about 1e-289) ratios of doubles lose their digits or overflow: nothing is changed. */
const SMALLEST_MASS = 2 ** -960;

/**
 * Reshapes the advantages of one group by quality without changing their positive sum (design of gagar, section 8).
 *
 * The redistributed set R holds the rollouts that passed, were graded, are in the loss (not masked; with token weights,
 * not without tokens) and have an advantage above 0. Everything else keeps its advantage to the bit. So does R, with
 * `scale` 1, when it has one member, when all its qualities are equal or when its mass is below 2^-960. For equal
 * advantages better quality never gets less, and equal quality gets the same. The order of the rollouts makes no
 * difference, to the bit. Exclusion alone takes from R's outside: an excluded rollout's positive advantage becomes 0,
 * and R takes over its mass as far as the cap allows.
 *
 * @param group - All rollouts of one task. Quality comes from the places if any member of R has one, otherwise from
 *   `quality`: the two have no common unit.
 * @param options - See redistributionConfig.
 * @param where - File and line, for errors.
 * @throws GraderError `bad_input` (not finite, wrong type, duplicate id, no quality, no tokens, ranks not dense, sums
 *   too large for a double) or `bad_config` (options; a quality that is not positive), with group, rollout and field.
 */
export function redistribute(
  group: GroupInput,
  options: Partial<RedistributionConfig> = {},
  where: Place = {},
): RedistributedGroup {
  const config = redistributionConfig(options);
  checkGroup(group, where);
  const set = redistributedSet(group, config, where);
  const scaling = isIdle(set) ? undefined : scale(set, config);

  const after = group.rollouts.map(({ advantage }) => advantage);
  for (const index of set.excluded) after[index] = 0;
  scaling?.factors.forEach((factor, position) => {
    const member = set.members[position];
    if (member !== undefined) after[member.index] = factor * member.advantage;
  });
  return describe(group, after, set.qualities, config, scaling, where);
}

/**
 * The answer for a group that is not redistributed (skipped, fallback or only ranked): every advantage as it was given,
 * beside the same record. Throws as `redistribute` does for input that cannot be trusted.
 */
export function identity(
  group: GroupInput,
  options: Partial<RedistributionConfig> = {},
  where: Place = {},
): RedistributedGroup {
  const config = redistributionConfig(options);
  checkGroup(group, where);
  const given = group.rollouts.map(({ advantage }) => advantage);
  const qualities = placementQualities(group, config.tiers, where);
  return describe(group, given, qualities, config, undefined, where);
}

function isIdle({ members, excluded, target }: RedistributedSet): boolean {
  const [first] = members;
  if (first === undefined || target < SMALLEST_MASS) return true;
  return excluded.length === 0 && members.every(({ quality }) => quality === first.quality);
}

function scale({ members, target }: RedistributedSet, config: RedistributionConfig): Scaling {
  if (config.mode === "downweight-only") return downweight(members);
  if (config.mode === "water-fill") return waterFill(members, target, config.s_max);
  return commonScale(members, target, config.c_max);
}

function describe(
  group: GroupInput,
  after: readonly (number | null)[],
  qualities: readonly (number | undefined)[],
  config: RedistributionConfig,
  scaling: Scaling | undefined,
  where: Place,
): RedistributedGroup {
  const redistribution: Redistribution = {
    mode: config.mode,
    scale: scaling?.scale ?? 1,
    cap: { "common-scale": config.c_max, "water-fill": config.s_max, "downweight-only": 1 }[config.mode],
    cap_active: scaling?.capActive ?? false,
    ...audit(group.rollouts, after, config.weights),
  };
  refuseOverflow(group, redistribution, where);
  const rollouts = group.rollouts.map(({ id, advantage: given }, index) => {
    const quality = qualities[index];
    const advantage = after[index] ?? null;
    return quality === undefined
      ? { id, advantage_given: given, advantage }
      : { id, quality, advantage_given: given, advantage };
  });
  return { rollouts, redistribution };
}

/** Every advantage is finite, their sums need not be. */
function refuseOverflow(group: GroupInput, record: Redistribution, where: Place): void {
  const { positive_sum_before, positive_sum_after, negative_sum } = record;
  const { token_mass_before = 0, token_mass_after = 0 } = record;
  const sums = [positive_sum_before, positive_sum_after, negative_sum, token_mass_before, token_mass_after];
  if (sums.every(Number.isFinite)) return;
  const sizes = group.rollouts.map(({ advantage }) => Math.abs(advantage ?? 0));
  const largest = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size), 0));
  throw new GraderError(
    "bad_input",
    "is so large that the group's sums are not finite",
    placeOf(group, largest, "advantage", where),
  );
}
