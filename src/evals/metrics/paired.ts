import { bootstrapInterval, type Interval, type Resampling } from "./bootstrap.ts";
import { seededRandom } from "./random.ts";

/** What two graders got in the same group. */
export interface Paired<Group> {
  first: Group;
  second: Group;
}

export interface Difference {
  first: number | null;
  second: number | null;
  /** second - first. */
  difference: number | null;
  interval: Interval | null;
  /** Two-sided. */
  p: number | null;
}

type Statistic<Group> = (groups: readonly Group[]) => number | null;

/** Up to this many groups all 2^n exchanges are tried. */
const EXACT_GROUPS = 12;
/** Differences this close are equal: the order of additions moves the last digits. */
const ROUNDING = 1e-12;

/**
 * Compares two graders over the same groups: the difference of their pooled values with a percentile bootstrap interval
 * (both are resampled together), and a permutation test.
 */
export function pairedDifference<Group>(
  groups: readonly Paired<Group>[],
  statistic: Statistic<Group>,
  resampling: Resampling,
): Difference {
  const difference = (sample: readonly Paired<Group>[]) => {
    const [first, second] = [
      statistic(sample.map((pair) => pair.first)),
      statistic(sample.map((pair) => pair.second)),
    ];
    return first === null || second === null ? null : second - first;
  };
  return {
    first: statistic(groups.map(({ first }) => first)),
    second: statistic(groups.map(({ second }) => second)),
    difference: difference(groups),
    interval: bootstrapInterval(groups, difference, resampling),
    p: exchangeTest(groups, difference, resampling),
  };
}

/**
 * Paired permutation test (Good 2005, "Permutation, Parametric and Bootstrap Tests of Hypotheses", chapter 3): if both
 * graders were alike, their answers for a group could be exchanged. p is the share of exchanges with a difference at least
 * as large, either way. All 2^n for up to 12 groups; above that random ones and (1 + hits) / (1 + tried), which is never
 * 0 (Phipson and Smyth 2010). For a metric that is a mean of groups this is the sign-flip test.
 */
function exchangeTest<Group>(
  groups: readonly Paired<Group>[],
  difference: Statistic<Paired<Group>>,
  { resamples, seed }: Resampling,
): number | null {
  const found = difference(groups);
  if (found === null) return null;
  const exchanged = (swap: (index: number) => boolean) =>
    difference(
      groups.map((pair, index) => (swap(index) ? { first: pair.second, second: pair.first } : pair)),
    );
  const isHit = (value: number) => Math.abs(value) >= Math.abs(found) - ROUNDING;

  const exact = groups.length <= EXACT_GROUPS;
  const random = seededRandom(seed);
  const tried = Array.from({ length: exact ? 2 ** groups.length : resamples }, (_, pattern) =>
    exchanged((index) => (exact ? (pattern >> index) % 2 : random(2)) === 1),
  ).filter((value) => value !== null);
  const hits = tried.filter(isHit).length;
  return exact ? hits / tried.length : (1 + hits) / (1 + tried.length);
}
