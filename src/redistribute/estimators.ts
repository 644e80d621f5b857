import { GraderError, type Place } from "../errors.ts";
import type { TrainerEstimator } from "./config.ts";
import { placeOf } from "./input.ts";
import { exactSum } from "./sum.ts";

/** The estimators that can be computed here from rewards; see estimateAdvantages. */
export const ESTIMATORS = ["grpo", "dr-grpo", "rloo"] as const;
export type Estimator = (typeof ESTIMATORS)[number];

/** One rollout as an estimator sees it. `reward` has any unit, the same for the group; null or absent for none. */
export interface ScoredRollout {
  readonly id: string;
  readonly reward?: number | null | undefined;
  readonly masked?: boolean | undefined;
}

/** Only `grpo` reads these. */
export interface StdOptions {
  /** Delta degrees of freedom: 1 is the sample deviation (torch's default, so TRL's and verl's), 0 the population's. */
  readonly ddof?: 0 | 1;
  /** Added to the deviation: 1e-6 in verl (the default here), 1e-4 in TRL. */
  readonly eps?: number;
}

/**
 * Advantages from rewards, as the usual trainers compute them. With mean mu and deviation sigma over the n rollouts
 * that have a reward and are not masked:
 *
 * - `grpo`: (r - mu) / (sigma + eps), dimensionless;
 * - `dr-grpo`: r - mu, in the unit of the reward;
 * - `rloo`: n / (n - 1) (r - mu), which is r minus the mean of the others.
 *
 * @returns One per rollout, in order. Null where there is no reward, where it is masked and, for `rloo`, where there are
 *   no others to compare with. Equal rewards give zeros, never the noise of a rounded mean.
 * @throws GraderError `bad_input` for a reward that is not finite or too large for a mean, `bad_config` for an
 *   estimator that is not one of the three (`rloo-std` is known to rewardForm alone).
 */
export function estimateAdvantages(
  rollouts: readonly ScoredRollout[],
  estimator: TrainerEstimator,
  options: StdOptions = {},
  where: Place = {},
): (number | null)[] {
  if (!isEstimator(estimator)) {
    throw new GraderError("bad_config", `${estimator} cannot be computed from rewards here`, {
      ...where,
      field: "estimator",
    });
  }
  const rewards = baselineRewards(rollouts, where);
  const rule = ruleOf(estimator, rewards, options, where);
  return rollouts.map((rollout, index) => {
    if (!countsForBaseline(rollout)) return null;
    const advantage = rule(rollout.reward);
    if (advantage === null || Number.isFinite(advantage)) return advantage;
    throw new GraderError(
      "bad_input",
      "is too large for a mean to be taken",
      placeOf({ rollouts }, index, "reward", where),
    );
  });
}

/** The formula as a function of one reward, with the group's mean and deviation in it. */
function ruleOf(
  estimator: Estimator,
  rewards: readonly number[],
  { ddof = 1, eps = 1e-6 }: StdOptions,
  where: Place,
): (reward: number) => number | null {
  if (ddof !== 0 && ddof !== 1)
    throw new GraderError("bad_config", "must be 0 or 1", { ...where, field: "ddof" });
  if (!(Number.isFinite(eps) && eps >= 0)) {
    throw new GraderError("bad_config", "must be a finite number, 0 or more", { ...where, field: "eps" });
  }
  const n = rewards.length;
  if (estimator === "rloo" && n < 2) return () => null;
  if (rewards.every((reward) => reward === rewards[0])) return () => 0;
  const mu = mean(rewards);
  if (estimator === "dr-grpo") return (reward) => reward - mu;
  if (estimator === "rloo") return (reward) => (n / (n - 1)) * (reward - mu);
  const deviations = rewards.map((reward) => reward - mu);
  const largest = deviations.reduce((most, deviation) => Math.max(most, Math.abs(deviation)), 0);
  // Divided by the largest first, so that no square overflows or vanishes.
  const squares = exactSum(deviations.map((deviation) => (deviation / largest) ** 2));
  const sigma = largest * Math.sqrt(squares / (n - ddof));
  return (reward) => (reward - mu) / (sigma + eps);
}

/** Whether a trainer's estimator is one that can be computed here. */
export function isEstimator(name: TrainerEstimator): name is Estimator {
  return ESTIMATORS.some((each) => each === name);
}

/** Whether a rollout takes part in the group's mean and deviation. */
export function countsForBaseline<R extends ScoredRollout>(
  rollout: R | undefined,
): rollout is R & { reward: number } {
  return typeof rollout?.reward === "number" && rollout.masked !== true;
}

/** Rewards of the rollouts that count, in order. Throws as estimateAdvantages does for one that is not finite. */
export function baselineRewards(rollouts: readonly ScoredRollout[], where: Place = {}): number[] {
  rollouts.forEach(({ reward = null }, index) => {
    if (reward === null || Number.isFinite(reward)) return;
    throw new GraderError(
      "bad_input",
      "must be a finite number, or null when there is none",
      placeOf({ rollouts }, index, "reward", where),
    );
  });
  return rollouts.filter(countsForBaseline).map(({ reward }) => reward);
}

/** Mean of some values; 0 for none. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : exactSum(values) / values.length;
}
