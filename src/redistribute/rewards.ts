import type { Place } from "../errors.ts";
import { KEPT } from "./audit.ts";
import type { TrainerEstimator } from "./config.ts";
import { baselineRewards, countsForBaseline, mean, type ScoredRollout } from "./estimators.ts";
import { exactSum } from "./sum.ts";

/** A rollout's advantages, as `redistribute` returns them. */
interface Reshaped {
  readonly advantage_given: number | null;
  readonly advantage: number | null;
}

/**
 * Why no rewards give the new advantages:
 *
 * - `no_estimator`: it is not known what the trainer makes of rewards;
 * - `group_std`: the trainer divides by the group's deviation, which the new rewards change (see groupStdShrink);
 * - `leave_one_out_std`: it divides by the others' deviation, which near-equal rewards make arbitrarily small;
 * - `sum_not_kept`: the unweighted sum changed (cap, exclusion, token weights), and the trainer would subtract the mean;
 * - `other_estimator`: the given advantages are not what this estimator makes of the rewards;
 * - `no_advantage`: a rollout that counts for the mean has no advantage;
 * - `no_baseline`: fewer than two rollouts count for the mean.
 */
export type RewardFormRefusal =
  | "no_estimator"
  | "group_std"
  | "leave_one_out_std"
  | "sum_not_kept"
  | "other_estimator"
  | "no_advantage"
  | "no_baseline";

export type RewardForm =
  | { readonly exact: true; readonly rewards: readonly (number | null)[] }
  | { readonly exact: false; readonly reason: RewardFormRefusal; readonly rewards?: undefined };

/** Part of the largest advantage that float32 rounding may take; estimators differ by far more. */
const ROUNDING = 1e-6;

/**
 * Rewards from which the trainer's own estimator makes the new advantages: r' = mu + A' / k, with k = 1 (`dr-grpo`) or
 * n / (n - 1) (`rloo`). Exact, since the new advantages sum to what the given ones did, zero, so that the mean stays mu.
 *
 * @param rollouts - The whole group. Masked rollouts and those without a reward keep what they have.
 * @param reshaped - Their advantages, in the same order: the rollouts that `redistribute` returned.
 * @param estimator - The trainer's.
 * @returns One reward per rollout, in order and in the unit of the given ones, or the reason why there are none.
 * @throws GraderError `bad_input` for a reward that is not finite.
 */
export function rewardForm(
  rollouts: readonly ScoredRollout[],
  reshaped: readonly Reshaped[],
  estimator: TrainerEstimator | null,
  where: Place = {},
): RewardForm {
  if (estimator === null) return refused("no_estimator");
  if (estimator === "rloo-std") return refused("leave_one_out_std");
  if (estimator === "grpo") return refused("group_std");
  const rewards = baselineRewards(rollouts, where);
  const n = rewards.length;
  if (n < 2) return refused("no_baseline");
  const counted = reshaped.filter((_, index) => countsForBaseline(rollouts[index]));
  const given = known(counted.map((rollout) => rollout.advantage_given));
  const wanted = known(counted.map(({ advantage }) => advantage));
  if (given === undefined || wanted === undefined) return refused("no_advantage");

  const mu = mean(rewards);
  const k = estimator === "rloo" ? n / (n - 1) : 1;
  const expected = rewards.map((reward) => k * (reward - mu));
  const errors = expected.map((advantage, index) => Math.abs(advantage - (given[index] ?? 0)));
  if (largest(errors) > ROUNDING * Math.max(largest(expected), largest(given)))
    return refused("other_estimator");
  const size = exactSum(given.map(Math.abs));
  if (!(Math.abs(exactSum(wanted) - exactSum(given)) <= KEPT * size)) return refused("sum_not_kept");
  const equivalent = rollouts.map((rollout, index) => {
    const { reward = null } = rollout;
    const { advantage = null, advantage_given = null } = reshaped[index] ?? {};
    const keeps = advantage === null || Object.is(advantage, advantage_given);
    return keeps || !countsForBaseline(rollout) ? reward : mu + advantage / k;
  });
  return { exact: true, rewards: equivalent };
}

function refused(reason: RewardFormRefusal): RewardForm {
  return { exact: false, reason };
}

/** The values if there is none missing. */
function known(values: readonly (number | null)[]): number[] | undefined {
  const present = values.filter((value) => value !== null);
  return present.length === values.length ? present : undefined;
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}
