import { expect, test } from "vitest";
import { pairsOf, poolRatios, ratio, share, sum } from "../../../src/evals/metrics/metric.ts";

test("a ratio of nothing is null, a ratio of 0 is not", () => {
  expect(ratio(0, 0)).toBeNull();
  expect(ratio(0, 2)).toEqual({ numerator: 0, denominator: 2 });
  expect(share([], () => true)).toBeNull();
  expect(share([1, 2, 3], (item) => item > 1)).toEqual({ numerator: 2, denominator: 3 });
});

test("ratios are pooled by their denominators, not averaged", () => {
  const parts = [
    { numerator: 1, denominator: 1 },
    { numerator: 0, denominator: 3 },
  ];
  expect(poolRatios(parts)).toEqual({ value: 0.25, numerator: 1, n: 4 });
  expect(poolRatios([])).toEqual({ value: null, numerator: 0, n: 0 });
});

test("every two items once", () => {
  expect(pairsOf(["a", "b", "c"])).toEqual([
    ["a", "b"],
    ["a", "c"],
    ["b", "c"],
  ]);
  expect(pairsOf(["a"])).toEqual([]);
  expect([sum([]), sum([1, 2, 4])]).toEqual([0, 7]);
});
