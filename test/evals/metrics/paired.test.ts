import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_RESAMPLING, type Resampling } from "../../../src/evals/metrics/bootstrap.ts";
import { sum } from "../../../src/evals/metrics/metric.ts";
import { pairedDifference } from "../../../src/evals/metrics/paired.ts";
import { reference } from "./cases.ts";

const mean = (values: readonly number[]) => (values.length === 0 ? null : sum(values) / values.length);
const compare = (first: readonly number[], second: readonly number[], options: Partial<Resampling> = {}) =>
  pairedDifference(
    first.map((value, index) => ({ first: value, second: second[index] ?? NaN })),
    mean,
    { ...DEFAULT_RESAMPLING, resamples: 50, ...options },
  );

test("the difference and its exact p are scipy's permutation test", () => {
  for (const { first, second, difference, p } of reference.paired) {
    const result = compare(first, second);
    expect(result.difference).toBeCloseTo(difference, 12);
    expect(result.p).toBeCloseTo(p, 12);
    expect([result.first, result.second]).toEqual([mean(first), mean(second)]);
  }
});

const flat = (length: number, value: number) => Array.from({ length }, () => value);

describe("p", () => {
  test.each([
    ["equal graders", 5, 0, 1],
    // Only none and all exchanged are as large: 2 of 2^n.
    ["one group", 1, 3, 1],
    ["two groups", 2, 3, 0.5],
    ["five groups", 5, 3, 2 / 32],
    ["twelve groups, the last exact size", 12, -0.1, 2 / 4096],
  ])("%s", (_, length, gain, p) => {
    expect(compare(flat(length, 1), flat(length, 1 + gain)).p).toBe(p);
  });

  test("is drawn above twelve groups and never 0", () => {
    expect(compare(flat(13, 0), flat(13, 1), { resamples: 99 }).p).toBe(1 / 100);
    expect(compare(flat(13, 0), flat(13, 0), { resamples: 99 }).p).toBe(1);
  });

  test("drawn it is close to the exact one", () => {
    // Ten groups with no difference beside four with one: exactly 2 of 16 exchanges are as large.
    const second = [...flat(10, 0), ...flat(4, 1)];
    expect(compare(flat(14, 0), second, { resamples: 4000 }).p).toBeCloseTo(2 / 16, 1.5);
  });

  test("rounding does not part equal differences", () => {
    // 0.1 + 0.2 - 0.3 is not 0 in binary: both signs of a difference count as equally large.
    expect(compare([0, 0, 0], [0.1, 0.2, -0.3]).p).toBe(1);
    expect(compare([0.3, 0.1, 0.2], [0.1, 0.2, 0.6]).p).toBe(compare([3, 1, 2], [1, 2, 6]).p);
  });
});

test("exchanges and resamples without a value are left out", () => {
  // Without a value where a grader's second answer is 9 and its first 2: none exchanged, or both.
  const statistic = (values: readonly number[]) => (values[0] === 2 && values[1] === 9 ? null : mean(values));
  const groups = [
    { first: 1, second: 2 },
    { first: 9, second: 3 },
  ];
  // Found -2.5, as large when both are exchanged; exchanging one alone has no value.
  expect(pairedDifference(groups, statistic, DEFAULT_RESAMPLING)).toMatchObject({ difference: -2.5, p: 1 });
});

test.each<[string, (values: readonly number[]) => number | null]>([
  ["the first", (values) => (values[0] === 1 ? null : 1)],
  ["the second", (values) => (values[0] === 2 ? null : 1)],
])("no difference where %s has no value", (_, statistic) => {
  const groups = [
    { first: 1, second: 2 },
    { first: 1, second: 2 },
  ];
  const result = pairedDifference(groups, statistic, DEFAULT_RESAMPLING);
  expect([result.difference, result.interval, result.p]).toEqual([null, null, null]);
});

test("no groups: everything is null", () => {
  expect(compare([], [])).toEqual({ first: null, second: null, difference: null, interval: null, p: null });
});

test("both are resampled together: a constant gain has an interval without width", () => {
  expect(compare([1, 5, 9, 17], [2, 6, 10, 18]).interval).toEqual([1, 1]);
});

test("law: exchanging the graders turns the difference and keeps p", () => {
  const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })), {
    minLength: 2,
    maxLength: 6,
  });
  fc.assert(
    fc.property(values, (pairs) => {
      const [first, second] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
      const [there, back] = [compare(first, second), compare(second, first)];
      expect(back.difference).toBeCloseTo(-(there.difference ?? NaN), 12);
      expect(back.p).toBe(there.p);
      expect(back.interval?.[0]).toBeCloseTo(-(there.interval?.[1] ?? NaN), 12);
      expect(there.p).toBeGreaterThan(0);
      expect(there.p).toBeLessThanOrEqual(1);
    }),
  );
});
