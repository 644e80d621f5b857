import * as fc from "fast-check";
import { GraderError } from "../../src/errors.ts";
import {
  redistribute,
  type GroupInput,
  type Placement,
  type RedistributionConfig,
  type RolloutInput,
} from "../../src/redistribute/index.ts";

/** The GraderError that a call throws; anything else fails the test. */
export function refusalOf(call: () => unknown): GraderError {
  try {
    call();
  } catch (error) {
    if (error instanceof GraderError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** A group with these passing rollouts, all with advantage 1 unless given, and one failing to balance it. */
export function passing(rollouts: readonly Partial<RolloutInput>[]): GroupInput {
  const good = rollouts.map((rollout, index) => ({
    id: `p${index}`,
    passed: true,
    advantage: 1,
    ...rollout,
  }));
  const sum = good.reduce((total, { advantage }) => total + (advantage ?? 0), 0);
  return { group_id: "g", rollouts: [...good, { id: "f", passed: false, advantage: -sum }] };
}

/** The new advantages of a group, in order. */
export function advantagesOf(
  group: GroupInput,
  config: Partial<RedistributionConfig> = {},
): (number | null)[] {
  return redistribute(group, config).rollouts.map(({ advantage }) => advantage);
}

/** A group from rewards; qualities go to the passing rollouts in turn. */
export function scored(
  rewards: readonly number[],
  qualities: readonly number[],
  advantages: readonly (number | null)[],
): GroupInput {
  let next = 0;
  return {
    rollouts: rewards.map((reward, index) => ({
      id: `r${index}`,
      passed: reward > 0,
      advantage: advantages[index] ?? null,
      quality: reward > 0 ? qualities[next++ % qualities.length] : undefined,
    })),
  };
}

/** Plain sum; null counts nothing. */
export function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

interface Draw {
  passed: boolean | null;
  advantage: number | null;
  tier: Placement["tier"];
  place: number;
  tokens: number;
  masked: boolean;
  ungraded: boolean;
}

/** Ranks made dense in each tier, from any numbers that order the rollouts. */
function placed(draws: readonly Draw[]): (Placement | undefined)[] {
  const judged = draws.filter(({ passed, ungraded }) => passed === true && !ungraded);
  return draws.map(({ passed, ungraded, tier, place }) => {
    if (passed !== true || ungraded) return undefined;
    const better = judged.filter((other) => other.tier === tier && other.place < place);
    return { tier, rank: new Set(better.map((other) => other.place)).size + 1 };
  });
}

const moderate = fc.double({ min: 1e-3, max: 1e3, noNaN: true });

const draw: fc.Arbitrary<Draw> = fc.record({
  passed: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constantFrom(false, null)),
  advantage: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(0.25, 0.5, 0.75, 1) },
    { weight: 4, arbitrary: moderate },
    moderate.map((value) => -value),
    fc.constantFrom(0, -0, null),
  ),
  tier: fc.constantFrom(1, 2, 3),
  place: fc.nat(4),
  tokens: fc.nat(100_000),
  masked: fc.nat(9).map((die) => die === 0),
  ungraded: fc.nat(9).map((die) => die === 0),
});

/** Groups with places: passing and failing rollouts, ties, masked, ungraded and unknown ones, zeros and nulls. */
export const placedGroup: fc.Arbitrary<GroupInput> = fc.array(draw, { maxLength: 24 }).map((draws) => {
  const places = placed(draws);
  return {
    group_id: "g",
    rollouts: draws.map(({ passed, advantage, tokens, masked, ungraded }, index) => ({
      id: `r${index}`,
      passed,
      advantage,
      tokens,
      masked,
      ungraded,
      placement: places[index],
    })),
  };
});

/** The same with given qualities in place of tiers. */
export const ratedGroup: fc.Arbitrary<GroupInput> = fc
  .tuple(
    placedGroup,
    fc.array(fc.oneof(moderate, fc.constantFrom(1, 2, 3)), { minLength: 24, maxLength: 24 }),
  )
  .map(([group, qualities]) => ({
    ...group,
    rollouts: group.rollouts.map((rollout, index) => ({
      ...rollout,
      placement: undefined,
      quality: qualities[index],
    })),
  }));

export const anyGroup = fc.oneof(placedGroup, ratedGroup);

/** Whether the redistribution may touch a rollout at all, with whole rollouts as weights. */
export function mayChange({ passed, advantage, masked, ungraded }: RolloutInput): boolean {
  return passed === true && advantage !== null && advantage > 0 && masked !== true && ungraded !== true;
}
