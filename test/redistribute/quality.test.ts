import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  DEFAULT_CONFIG,
  placementQualities,
  placementQuality,
  redistribute,
} from "../../src/redistribute/index.ts";
import { MIN_QUALITY } from "../../src/redistribute/config.ts";
import { passing, refusalOf } from "./groups.ts";

const { tiers } = DEFAULT_CONFIG;

test.each([
  { tier: 1, rank: 1, ranks: 1, quality: 1 },
  { tier: 1, rank: 1, ranks: 3, quality: 1 },
  { tier: 1, rank: 2, ranks: 3, quality: 0.95 },
  { tier: 1, rank: 3, ranks: 3, quality: 0.9 },
  { tier: 2, rank: 1, ranks: 2, quality: 0.8 },
  { tier: 2, rank: 2, ranks: 2, quality: 0.7 },
  { tier: 3, rank: 1, ranks: 1, quality: 0.6 },
  { tier: 3, rank: 5, ranks: 5, quality: 0.5 },
] as const)("tier $tier, rank $rank of $ranks: $quality", ({ tier, rank, ranks, quality }) => {
  expect(placementQuality({ tier, rank }, ranks, tiers)).toBeCloseTo(quality, 14);
});

test("a better place never has less quality, in any bands", () => {
  const bounds = fc.array(fc.double({ min: 1e-9, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(bounds, fc.integer({ min: 1, max: 40 }), (values, ranks) => {
      const [a = 1, b = 1, c = 1, d = 1, e = 1, f = 1] = values.toSorted((one, other) => other - one);
      const ladder = ([1, 2, 3] as const).flatMap((tier) =>
        Array.from({ length: ranks }, (_, at) =>
          placementQuality({ tier, rank: at + 1 }, ranks, [
            { hi: a, lo: b },
            { hi: c, lo: d },
            { hi: e, lo: f },
          ]),
        ),
      );
      for (const [at, quality] of ladder.entries()) expect(quality).toBeLessThanOrEqual(ladder[at - 1] ?? 1);
    }),
  );
});

const place = (tier: 1 | 2 | 3, rank: number) => ({ placement: { tier, rank } });

test("ranks are counted over the whole group, masked rollouts and zero advantages too", () => {
  const group = passing([place(1, 1), { ...place(1, 2), masked: true }, { ...place(1, 3), advantage: 0 }]);
  expect(placementQualities(group, tiers)).toStrictEqual([1, expect.closeTo(0.95, 14), 0.9, undefined]);
});

test.each([
  { places: [place(1, 1), place(1, 3)], bad: 1 },
  { places: [place(2, 2), place(1, 1)], bad: 0 },
  { places: [place(3, 1), place(3, 2), place(3, 1e9)], bad: 2 },
])("ranks that are not dense are refused: $places", ({ places, bad }) => {
  const error = refusalOf(() => redistribute(passing(places)));
  expect(error.code).toBe("bad_input");
  expect(error.where).toMatchObject({ rollout: `p${bad}`, field: `rollouts[${bad}].rank` });
});

test.each([
  { name: "neither place nor quality", rollouts: [{ quality: 1 }, {}], bad: "rollouts[1].quality" },
  { name: "a place missing beside places", rollouts: [place(1, 1), { quality: 1 }], bad: "rollouts[1].tier" },
  {
    name: "a tier out of range",
    rollouts: [place(1, 1), { placement: { tier: JSON.parse("4"), rank: 1 } }],
    bad: "rollouts[1].tier",
  },
  { name: "a rank of 0", rollouts: [place(1, 1), place(2, 0)], bad: "rollouts[1].rank" },
  { name: "half a rank", rollouts: [place(1, 1), place(2, 1.5)], bad: "rollouts[1].rank" },
])("$name is refused", ({ rollouts, bad }) => {
  expect(refusalOf(() => redistribute(passing(rollouts))).where).toMatchObject({ field: bad });
});

test("places win over given qualities, which they may have come with", () => {
  const group = passing([
    { ...place(1, 1), quality: 0.1 },
    { ...place(3, 1), quality: 1 },
  ]);
  expect(redistribute(group).rollouts.map(({ quality }) => quality)).toStrictEqual([1, 0.6, undefined]);
});

test("given qualities are divided by the largest of the set, and scaling them changes nothing", () => {
  const group = passing([{ quality: 40 }, { quality: 10 }, { quality: 1000, masked: true }]);
  const { rollouts } = redistribute(group);
  expect(rollouts.map(({ quality }) => quality)).toStrictEqual([1, 0.25, undefined, undefined]);
});

test("a place of a rollout that did not pass has no quality", () => {
  const group = passing([place(1, 1), { ...place(1, 2), passed: false }, { ...place(1, 3), passed: null }]);
  expect(placementQualities(group, tiers).slice(0, 3)).toStrictEqual([1, undefined, undefined]);
});

test("the smallest quality that is taken, and what is said of a smaller one and of a gap", () => {
  const smallest = passing([{ quality: 1 }, { quality: MIN_QUALITY }]);
  expect(redistribute(smallest).rollouts[1]?.quality).toBe(MIN_QUALITY);
  const zero = refusalOf(() => redistribute(passing([{ quality: 2 }, { quality: 0 }])));
  expect(zero.message).toContain("must be above 0 (and at least 1e-100 of the group's largest, 2), not 0");
  const gap = refusalOf(() => redistribute(passing([place(2, 1), place(2, 3)])));
  expect(gap.message).toContain("the ranks of tier 2 are not dense: no rollout has rank 2");
});
