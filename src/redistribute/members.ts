import { GraderError, type Place } from "../errors.ts";
import type { RedistributionConfig } from "./config.ts";
import { placeOf, type GroupInput, type RolloutInput } from "./input.ts";
import { placementQualities, relativeQualities } from "./quality.ts";
import type { Share } from "./scale.ts";
import { exactSum } from "./sum.ts";

/** A rollout that passed and that the trainer rewards: position in the group, weight times advantage, advantage. */
interface Rewarded {
  readonly index: number;
  readonly mass: number;
  readonly advantage: number;
}

/** One rollout of the redistributed set. */
export interface Member extends Rewarded, Share {}

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
  const chosen: Rewarded[] = [];
  const excluded: number[] = [];
  const masses: number[] = [];
  group.rollouts.forEach((rollout, index) => {
    const { passed, advantage, masked, ungraded } = rollout;
    if (advantage === null || advantage <= 0 || masked === true) return;
    const weight = config.weights === "rollout" ? 1 : tokensOf(group, rollout, index, where);
    if (passed !== true) return;
    const mass = weight * advantage;
    if (rollout.excluded === true) excluded.push(index);
    else if (ungraded !== true && mass > 0) chosen.push({ index, advantage, mass });
    else return;
    masses.push(mass);
  });
  const qualities = groupQualities(group, chosen, config, where);
  const members = chosen.map(({ index, advantage, mass }) => ({
    index,
    advantage,
    mass,
    quality: qualities[index] ?? 1,
  }));
  return { members, excluded, target: exactSum(masses), qualities };
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

/** Qualities by place if any member has a place, otherwise the given ones; the members must agree in this. */
function groupQualities(
  group: GroupInput,
  members: readonly Rewarded[],
  config: RedistributionConfig,
  where: Place,
): readonly (number | undefined)[] {
  const places = placementQualities(group, config.tiers, where);
  const byPlace = members.length === 0 || members.some(({ index }) => places[index] !== undefined);
  const lacking = members.find(
    ({ index }) => (byPlace ? places[index] : group.rollouts[index]?.quality) === undefined,
  );
  // One rollout alone is compared with nothing, so a grader had no reason to judge it.
  if (lacking !== undefined && members.length === 1) return places;
  if (lacking !== undefined) {
    throw new GraderError(
      "bad_input",
      byPlace
        ? "is missing, though others of the group have a tier and a rank"
        : "is missing, as is a tier: a passing rollout that was not judged must say that it is ungraded",
      placeOf(group, lacking.index, byPlace ? "tier" : "quality", where),
    );
  }
  if (byPlace) return places;
  const indices = members.map(({ index }) => index);
  const relative = new Map(
    relativeQualities(group, indices, where).map((quality, at) => [indices[at], quality]),
  );
  return group.rollouts.map((_, index) => relative.get(index));
}
