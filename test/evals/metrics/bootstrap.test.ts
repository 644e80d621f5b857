import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bootstrapInterval, DEFAULT_RESAMPLING, quantile } from "../../../src/evals/metrics/bootstrap.ts";
import { sum } from "../../../src/evals/metrics/metric.ts";
import { seededRandom } from "../../../src/evals/metrics/random.ts";
import { reference } from "./cases.ts";

const mean = (values: readonly number[]) => sum(values) / values.length;
const draws = (seed: number, below: number, count = 6) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random(below));
};

describe("the generator", () => {
  test("gives Marsaglia's published numbers for his seed 2463534242", () => {
    // The seed whose spread state is his: 2463534242 times the inverse of the factor, modulo 2^32.
    const seed = Number((2_463_534_242n * 244_002_641n) % 2n ** 32n);
    expect(draws(seed, 2 ** 32, 3)).toEqual([723_471_715, 2_497_366_906, 2_064_144_800]);
  });

  test.each([
    [1, [317, 750, 866, 560, 927, 639]],
    [2, [634, 503, 172, 823, 119, 782]],
    [0, [0, 15, 616, 71, 558, 173]],
    [7, [899, 427, 556, 578, 355, 3]],
  ])("seed %d gives the same numbers everywhere", (seed, numbers) => {
    expect(draws(seed, 1000)).toEqual(numbers);
  });

  test("draws every number about as often", () => {
    const counts = new Map<number, number>();
    for (const number of draws(3, 5, 5000)) counts.set(number, (counts.get(number) ?? 0) + 1);
    expect(new Set(counts.keys())).toEqual(new Set([0, 1, 2, 3, 4]));
    // 1000 each, standard deviation 28.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });
});

test("quantiles are numpy's", () => {
  for (const { values, share, quantile: expected } of reference.quantiles)
    expect(quantile(values, share)).toBeCloseTo(expected, 12);
});

test.each([
  [[1, 2, 4], 0, 1],
  [[1, 2, 4], 0.5, 2],
  [[1, 2, 4], 0.75, 3],
  [[1, 2, 4], 1, 4],
  [[3], 0.3, 3],
])("the quantile of %j at %d is %d", (values, share, expected) => {
  expect(quantile(values, share)).toBe(expected);
});

describe("the interval", () => {
  test("has the quantiles of all resamples of three groups", () => {
    const { values, quantiles } = reference.distribution;
    const at = new Map(quantiles);
    for (const [level, low, high] of [
      [0.95, 0.025, 0.975],
      [0.8, 0.1, 0.9],
      [0, 0.5, 0.5],
    ] as const) {
      const interval = bootstrapInterval(values, mean, { resamples: 4000, seed: 1, level });
      expect(interval?.[0]).toBeCloseTo(at.get(low) ?? NaN, 12);
      expect(interval?.[1]).toBeCloseTo(at.get(high) ?? NaN, 12);
    }
  });

  test("is the same for the same seed, and another for another", () => {
    const groups = Array.from({ length: 9 }, (_, index) => index ** 2);
    const interval = (seed: number) =>
      bootstrapInterval(groups, mean, { ...DEFAULT_RESAMPLING, resamples: 100, seed });
    expect(interval(5)).toEqual(interval(5));
    expect(interval(5)).not.toEqual(interval(6));
  });

  test("draws as many groups as there are, as often as said", () => {
    const sizes: number[] = [];
    bootstrapInterval([1, 2, 3, 4], (sample) => sizes.push(sample.length), {
      ...DEFAULT_RESAMPLING,
      resamples: 7,
    });
    expect(sizes).toEqual([4, 4, 4, 4, 4, 4, 4]);
  });

  test("leaves out resamples without a value", () => {
    const largest = (sample: readonly number[]) => (sample.includes(0) ? null : Math.max(...sample));
    expect(bootstrapInterval([0, 7, 7], largest, DEFAULT_RESAMPLING)).toEqual([7, 7]);
  });

  test.each<[string, number[], (sample: readonly number[]) => number | null]>([
    ["no group", [], mean],
    ["one group", [3], mean],
    ["a statistic without a value", [3, 4], () => null],
  ])("is null for %s", (_, groups, statistic) => {
    expect(bootstrapInterval(groups, statistic, DEFAULT_RESAMPLING)).toBeNull();
  });

  test("is there for two groups", () => {
    expect(bootstrapInterval([3, 4], mean, DEFAULT_RESAMPLING)).toEqual([3, 4]);
  });

  test("law: it rises, lies within the values and moves with them", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 8 }), (groups) => {
        const resampling = { resamples: 50, seed: 2, level: 0.9 };
        const [low, high] = bootstrapInterval(groups, mean, resampling) ?? [NaN, NaN];
        expect(low).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(Math.min(...groups));
        expect(high).toBeLessThanOrEqual(Math.max(...groups));
        const moved =
          bootstrapInterval(
            groups.map((each) => each + 10),
            mean,
            resampling,
          ) ?? [];
        expect(moved[0]).toBeCloseTo(low + 10, 12);
        expect(moved[1]).toBeCloseTo(high + 10, 12);
      }),
    );
  });
});
