import { GraderError, type Place } from "../errors.ts";
import type { RedistributionConfig } from "./config.ts";
import { placeOf, type GroupInput, type RolloutInput } from "./input.ts";
import { placementQualities, relativeQualities } from "./quality.ts";
import type { Share } from "./scale.ts";
import { exactSum } from "./sum.ts";

/** One rollout of the redistributed set. */
export interface Member extends Share {
  /** Position in the group. */
  readonly index: number;
  readonly advantage: number;
}

export interface RedistributedSet {
  readonly members: readonly Member[];
  /** Positions of the passing hacks whose mass is handed on. */
  readonly excluded: readonly number[];
  /** Mass of members and excluded: what the members are to have in the end. */
  readonly target: number;
  /** Of every rollout of the group, as far as it has one. */
  readonly qualities: readonly (number | undefined)[];
}

/** Who takes part, with mass and quality. Throws as `redistribute` says. */
export function redistributedSet(
  group: GroupInput,
  config: RedistributionConfig,
  where: Place,
): RedistributedSet {
  const places = placementQualities(group, config.tiers, where);
  const members: Member[] = [];
  const excluded: number[] = [];
  const masses: number[] = [];
  let placed = 0;
  group.rollouts.forEach((rollout, index) => {
    const { passed, advantage, masked, ungraded } = rollout;
    if (advantage === null || advantage <= 0 || masked === true) return;
    const weight = config.weights === "rollout" ? 1 : tokensOf(group, rollout, index, where);
    if (passed !== true) return;
    const mass = weight * advantage;
    const quality = places[index];
    if (rollout.excluded === true) excluded.push(index);
    else if (ungraded !== true && mass > 0) {
      members.push({ index, advantage, mass, quality: quality ?? 1 });
      if (quality !== undefined) placed += 1;
    } else return;
    masses.push(mass);
  });
  const set = { members, excluded, target: exactSum(masses), qualities: places };
  if (placed === members.length) return set;
  if (placed === 0) return { ...set, ...rated(group, members, where) };
  const lacking = members.find(({ index }) => places[index] === undefined)?.index ?? 0;
  const message = "is missing, though others of the group have a tier and a rank";
  throw new GraderError("bad_input", message, placeOf(group, lacking, "tier", where));
}

/** Members and qualities as they were given; the two kinds of quality have no common unit and are not mixed. */
function rated(
  group: GroupInput,
  members: readonly Member[],
  where: Place,
): Pick<RedistributedSet, "members" | "qualities"> {
  const lacking = members.find(({ index }) => group.rollouts[index]?.quality === undefined);
  // One rollout alone is compared with nothing, so a grader had no reason to judge it.
  if (lacking !== undefined && members.length === 1) return { members, qualities: [] };
  if (lacking !== undefined) {
    const message =
      "is missing, as is a tier: a passing rollout that was not judged must say that it is ungraded";
    throw new GraderError("bad_input", message, placeOf(group, lacking.index, "quality", where));
  }
  const indices = members.map(({ index }) => index);
  const relative = relativeQualities(group, indices, where);
  const qualities: (number | undefined)[] = group.rollouts.map(() => undefined);
  const withQualities = members.map((member, position) => {
    const quality = relative[position] ?? member.quality;
    qualities[member.index] = quality;
    return { ...member, quality };
  });
  return { members: withQualities, qualities };
}

/** Asked of every rollout with positive mass, in R or not: the reported token mass needs them all. */
function tokensOf(group: GroupInput, rollout: RolloutInput, index: number, where: Place): number {
  if (rollout.tokens !== undefined) return rollout.tokens;
  throw new GraderError(
    "bad_input",
    "is missing: weighting by tokens needs it for every rollout with a positive advantage",
    placeOf(group, index, "tokens", where),
  );
}
