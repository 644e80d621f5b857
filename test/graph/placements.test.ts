import * as fc from "fast-check";
import { expect, test } from "vitest";
import { placementsOf, withoutPlaces } from "../../src/graph/placements.ts";
import type { Verdict } from "../../src/schema/verdict.ts";

const verdict: Verdict = {
  tier_1: ["A", "B", "C"],
  tier_2: ["D", "E"],
  tier_3: ["F"],
  ranking: [["A"], ["B", "C"], ["D"], ["E"], ["F"]],
};
const places = (judged: string[]) =>
  [...placementsOf(verdict, new Set(judged))]
    .map(([label, { tier, rank }]) => `${label}${tier}.${rank}`)
    .sort()
    .join(" ");

test.each([
  [["B", "C", "D", "E", "F"], "A1.1 B1.2 C1.2 D2.1 E2.2 F3.1"],
  [["D", "E", "F"], "A1.1 B1.1 C1.1 D2.1 E2.2 F3.1"],
  [["A", "D", "E", "F"], "A1.1 B1.2 C1.2 D2.1 E2.2 F3.1"],
  [["B", "D", "E", "F"], "A1.1 B1.2 C1.1 D2.1 E2.2 F3.1"],
])("with something found in %j the places are %s", (judged, expected) => {
  expect(places(judged)).toBe(expected);
});

test("law: every label is placed once, ranks are dense from 1, tiers are as submitted", () => {
  const labels = ["A", "B", "C", "D", "E", "F", "G"];
  const order = fc.shuffledSubarray(labels, { minLength: labels.length });
  const cuts = fc.array(fc.nat(3), { minLength: labels.length, maxLength: labels.length });
  fc.assert(
    fc.property(order, cuts, fc.subarray(labels), (order, cuts, judged) => {
      const tierOf = (index: number) => 1 + Math.min(2, Math.floor((index * 3) / 7));
      const ranking: string[][] = [];
      order.forEach((label, index) => {
        const joins = index > 0 && cuts[index] === 0 && tierOf(index) === tierOf(index - 1);
        if (joins) ranking.at(-1)?.push(label);
        else ranking.push([label]);
      });
      const inTier = (tier: number) => order.filter((_, index) => tierOf(index) === tier);
      const result = placementsOf(
        { tier_1: inTier(1), tier_2: inTier(2), tier_3: inTier(3), ranking },
        new Set(judged),
      );
      expect([...result.keys()].sort()).toEqual(labels);
      for (const tier of [1, 2, 3]) {
        const ranks = [...new Set(inTier(tier).map((label) => result.get(label)?.rank ?? 0))].sort(
          (a, b) => a - b,
        );
        expect(ranks).toEqual(ranks.map((_, index) => index + 1));
        const unjudged = inTier(tier).filter((label) => !judged.includes(label));
        expect(new Set(unjudged.map((label) => result.get(label)?.rank)).size).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test.each([
  [["A"], "last", "A3.2 B1.1 C1.1 D2.1 E2.2 F3.1"],
  [["D", "F"], "last", "A1.1 B1.2 C1.2 D3.1 E2.1 F3.1"],
  [["A", "E"], "none", "B1.1 C1.1 D2.1 F3.1"],
  [["A", "B", "C", "D", "E", "F"], "last", "A3.1 B3.1 C3.1 D3.1 E3.1 F3.1"],
  [["Z"], "last", "A1.1 B1.2 C1.2 D2.1 E2.2 F3.1"],
] as const)(
  "without the places of %j, which then have the %s, ranks stay dense",
  (labels, follows, expected) => {
    const before = placementsOf(verdict, new Set(["A", "B", "C", "D", "E", "F"]));
    const after = [...withoutPlaces(before, new Set(labels), follows)];
    expect(
      after
        .map(([label, { tier, rank }]) => `${label}${tier}.${rank}`)
        .sort()
        .join(" "),
    ).toBe(expected);
  },
);
