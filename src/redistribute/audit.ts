import type { Redistribution } from "../schema/grade.ts";
import type { RedistributionConfig } from "./config.ts";
import type { RolloutInput } from "./input.ts";
import { exactSum } from "./sum.ts";

/** Largest relative difference of a mass that still counts as kept. */
export const KEPT = 1e-9;
/** Advantages that sum to zero but for this part of their size are centred: trainers round them to float32. */
const CENTRED = 1e-6;
/** Smaller sums of squares have lost their digits. */
const SMALLEST_MOMENT = 1e-280;

/**
 * The factor by which a trainer that divides by the group's standard deviation shrinks the whole group, failing
 * rollouts too, when the new advantages reach it as rewards: std(before) / std(after). No reward can undo it, since
 * what leaves such a trainer always has the same second moment: for binary rewards with pass rate p and factors of
 * variance v it is 1 / sqrt(1 + (1 - p) v). The trainer's epsilon is not counted.
 *
 * @param before - Given advantages of the rollouts that count for the trainer's mean.
 * @param after - New advantages of the same rollouts.
 * @returns At most about 1 where the sum was kept; undefined when either side is zero everywhere, does not sum to zero
 *   (the trainer would then shift the group as well) or has squares that no double holds.
 */
export function groupStdShrink(before: readonly number[], after: readonly number[]): number | undefined {
  const isCentred = (values: readonly number[]) =>
    isZeroBeside(exactSum(values), exactSum(values.map(Math.abs)));
  if (!isCentred(before) || !isCentred(after)) return undefined;
  return deviationRatio(momentOf(before), momentOf(after));
}

/**
 * Masses before and after, and whether the configured one was kept. Masked rollouts carry none, a null advantage
 * neither. Token masses are there when every rollout with a positive advantage says its tokens.
 */
export function audit(
  rollouts: readonly RolloutInput[],
  after: readonly (number | null)[],
  weights: RedistributionConfig["weights"],
): Omit<Redistribution, "mode" | "scale" | "cap" | "cap_active"> {
  const { given, now, negative, tokens } = columns(rollouts, after);
  const sums = { before: exactSum(given), after: exactSum(now) };
  const mass = tokens && { before: exactSum(times(given, tokens)), after: exactSum(times(now, tokens)) };
  const negativeSum = exactSum(negative);
  const isCentred = (positive: number) => isZeroBeside(positive + negativeSum, positive - negativeSum);
  const rest = momentOf(negative);
  const shrink =
    isCentred(sums.before) && isCentred(sums.after)
      ? deviationRatio(momentOf(given) + rest, momentOf(now) + rest)
      : undefined;
  const kept = weights === "tokens" && mass !== undefined ? mass : sums;
  const residual = kept.before === 0 ? 0 : (kept.after - kept.before) / kept.before;
  return {
    conserved: Math.abs(residual) <= KEPT,
    residual,
    positive_sum_before: sums.before,
    positive_sum_after: sums.after,
    negative_sum: negativeSum,
    ...(mass && { token_mass_before: mass.before, token_mass_after: mass.after }),
    ...(shrink !== undefined && { group_std_shrink: shrink }),
  };
}

/** The positive advantages in the loss, as given and as they are now, with their tokens, and the negative ones. */
function columns(rollouts: readonly RolloutInput[], after: readonly (number | null)[]) {
  const given: number[] = [];
  const now: number[] = [];
  const tokens: number[] = [];
  const negative: number[] = [];
  let hasTokens = false;
  rollouts.forEach(({ advantage, masked, tokens: count }, index) => {
    if (advantage === null || masked === true) return;
    if (count !== undefined) hasTokens = true;
    if (advantage < 0) negative.push(advantage);
    if (advantage <= 0) return;
    given.push(advantage);
    now.push(after[index] ?? 0);
    if (count !== undefined) tokens.push(count);
  });
  return { given, now, negative, tokens: hasTokens && tokens.length === given.length ? tokens : undefined };
}

function times(values: readonly number[], by: readonly number[]): number[] {
  return values.map((value, index) => value * (by[index] ?? 0));
}

function momentOf(values: readonly number[]): number {
  return exactSum(values.map((value) => value * value));
}

/** std(before) / std(after) from the sums of squares of values whose means are zero. */
function deviationRatio(before: number, after: number): number | undefined {
  const ratio = Math.sqrt(before / after);
  return Math.min(before, after) > SMALLEST_MOMENT && Number.isFinite(ratio) ? ratio : undefined;
}

function isZeroBeside(value: number, size: number): boolean {
  return Math.abs(value) <= CENTRED * size;
}
