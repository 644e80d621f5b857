import * as fc from "fast-check";
import { expect, test } from "vitest";
import { placedTiers, quadraticKappa, tierExact, tierWithinOne } from "../../../src/evals/metrics/tiers.ts";
import { groups, labels, placed, reference, tiersOnly } from "./cases.ts";

const of = (numerator: number, denominator: number) => ({ numerator, denominator });

test.each([
  ["as labelled", "a b | c | d", of(4, 4), of(4, 4)],
  ["all in tier 2", "| a b c d |", of(1, 4), of(4, 4)],
  ["turned round", "d | c | a b", of(1, 4), of(1, 4)],
  ["all in tier 1", "a b c d | |", of(2, 4), of(3, 4)],
  ["one without a place", "a | c | b", of(2, 3), of(2, 3)],
  ["unlabelled rollouts do not count", "a x | y | z", of(1, 1), of(1, 1)],
  ["none placed", "x | |", null, null],
])("%s: tier exact and within one", (_, line, exact, within) => {
  const known = tiersOnly("a b | c | d");
  expect(tierExact(known, placed(line))).toEqual(exact);
  expect(tierWithinOne(known, placed(line))).toEqual(within);
});

const kappa = (known: string, given: string) => quadraticKappa(placedTiers(tiersOnly(known), placed(given)));

test.each([
  ["as labelled", "a b | c | d", "a b | c | d", 1, 4],
  // sum w O = 4 + 4 + 0; each of a, b, c against each: row and column counts are 1, 1, 1, so sum w E = 12 / 3.
  ["turned round", "a | b | c", "c | b | a", -1, 3],
  ["a constant is chance", "a | b | c", "| a b c |", 0, 3],
  // O: 1-1 once, 1-2 once, 2-2 once, 3-3 once: sum w O = 1. Counts 2,1,1 and 1,2,1: sum w E = (4 + 8 + 1 + 1 + 4 + 2) / 4.
  ["one off by one", "a b | c | d", "a | b c | d", 1 - 1 / 5, 4],
])("kappa: %s", (_, known, given, value, n) => {
  const result = kappa(known, given);
  expect(result.value).toBeCloseTo(value, 14);
  expect(result.n).toBe(n);
});

test.each([
  ["one tier on both sides", "a b | |", "a b | |", 2],
  ["nothing placed", "a | b |", "x | |", 0],
])("kappa is null: %s", (_, known, given, n) => {
  expect(kappa(known, given)).toEqual({ value: null, n });
});

test("kappa is scikit-learn's", () => {
  for (const { labelled, placed, kappa: expected } of reference.kappas) {
    const pairs = labelled.map((tier, index) => ({ labelled: tier, placed: placed[index] ?? 1 }));
    const { value } = quadraticKappa(pairs);
    if (expected === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(expected, 12);
  }
});

test("law: kappa is 1 on equality, symmetric, at most 1 and the same for the mirrored tiers", () => {
  fc.assert(
    fc.property(groups, ({ labels: known, answer }) => {
      const pairs = placedTiers(known, answer);
      const { value } = quadraticKappa(pairs);
      const swapped = pairs.map(({ labelled, placed }) => ({ labelled: placed, placed: labelled }));
      const mirror = (tier: 1 | 2 | 3) => (4 - tier) as 1 | 2 | 3;
      const mirrored = pairs.map(({ labelled, placed }) => ({
        labelled: mirror(labelled),
        placed: mirror(placed),
      }));
      const close = (other: number | null) => Math.abs((other ?? NaN) - (value ?? NaN)) < 1e-12;
      expect(value === null || value <= 1).toBe(true);
      if (value !== null)
        expect([swapped, mirrored].map((each) => close(quadraticKappa(each).value))).toEqual([true, true]);
      const equal = pairs.map(({ labelled }) => ({ labelled, placed: labelled }));
      expect(quadraticKappa(equal).value).toBe(
        new Set(equal.map((each) => each.labelled)).size > 1 ? 1 : null,
      );
    }),
  );
});

test("no labels, no tiers", () => {
  expect(placedTiers(labels({}), placed("a | |"))).toEqual([]);
});
