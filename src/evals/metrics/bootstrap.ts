import { seededRandom } from "./random.ts";

/** How intervals and p-values are drawn. */
export interface Resampling {
  /** Bootstrap resamples, and permutations where all are too many. */
  resamples: number;
  seed: number;
  /** Coverage of the intervals, in 0..1. */
  level: number;
}

export const DEFAULT_RESAMPLING: Resampling = { resamples: 2000, seed: 1, level: 0.95 };

export type Interval = [low: number, high: number];

/**
 * Percentile bootstrap (Efron and Tibshirani 1993, chapter 13) over groups: as many groups as there are are drawn with
 * replacement, the statistic is computed again over what was drawn. Groups are drawn and not rollouts, since rollouts of
 * one group share its task.
 *
 * @param statistic - null where a resample leaves it undefined; such resamples are left out.
 * @returns null for fewer than two groups, and when no resample is defined.
 */
export function bootstrapInterval<Group>(
  groups: readonly Group[],
  statistic: (sample: readonly Group[]) => number | null,
  { resamples, seed, level }: Resampling,
): Interval | null {
  if (groups.length < 2) return null;
  const random = seededRandom(seed);
  const values = Array.from({ length: resamples }, () =>
    statistic(groups.map(() => groups[random(groups.length)] as Group)),
  ).filter((value) => value !== null);
  if (values.length === 0) return null;
  values.sort((one, other) => one - other);
  return [quantile(values, (1 - level) / 2), quantile(values, (1 + level) / 2)];
}

/** Quantile between sorted values by linear interpolation (Hyndman and Fan 1996, definition 7). */
export function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const [low = NaN, high = low] = sorted.slice(below, below + 2);
  return low + (position - below) * (high - low);
}
