import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addPairs, crossTierPairs, pairwiseAccuracy } from "../../evals/metrics.ts";

const tiers = new Map([
  ["a", 1],
  ["b", 2],
  ["c", 2],
  ["d", 3],
]);

test.each<[string, Record<string, number>, number, number]>([
  ["perfect", { a: 4, b: 3, c: 2, d: 1 }, 5, 0],
  ["reversed", { a: 1, b: 2, c: 3, d: 4 }, 0, 0],
  ["all tied", { a: 1, b: 1, c: 1, d: 1 }, 0, 5],
  ["one pair swapped", { a: 2, b: 3, c: 1, d: 0 }, 4, 0],
  ["one without a score", { a: 3, b: 2, c: 2 }, 2, 3],
])("%s: of five cross-tier pairs %d", (_, scores, right, tied) => {
  const count = crossTierPairs(tiers, new Map(Object.entries(scores)));
  expect(count).toEqual({ pairs: 5, right, tied, wrong: 5 - right - tied });
  expect(pairwiseAccuracy(count)).toBe((right + tied / 2) / 5);
});

test("law: turning the scores round turns the accuracy round, and counts add up", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(scores, (values) => {
      const of = (sign: number) =>
        new Map([...tiers.keys()].map((id, index) => [id, sign * (values[index] ?? 0)]));
      const [count, turned] = [crossTierPairs(tiers, of(1)), crossTierPairs(tiers, of(-1))];
      expect((pairwiseAccuracy(count) ?? 0) + (pairwiseAccuracy(turned) ?? 0)).toBeCloseTo(1, 12);
      expect(pairwiseAccuracy(addPairs([count, turned]))).toBeCloseTo(0.5, 12);
    }),
  );
  expect(pairwiseAccuracy(addPairs([]))).toBeNull();
});
