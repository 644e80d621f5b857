import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  capLoss,
  redistribute,
  redistributionConfig,
  type RedistributionConfig,
} from "../../src/redistribute/index.ts";
import { advantagesOf, passing, placedGroup, ratedGroup } from "./groups.ts";

const unit = fc.double({ min: 0.01, max: 1, noNaN: true });
const bands = fc.array(unit, { minLength: 6, maxLength: 6 }).map((values): RedistributionConfig["tiers"] => {
  const [a = 1, b = 1, c = 1, d = 1, e = 1, f = 1] = values.toSorted((one, other) => other - one);
  return [
    { hi: a, lo: b },
    { hi: c, lo: d },
    { hi: e, lo: f },
  ];
});

describe("the cap", () => {
  test("never binds when the smallest quality times the cap is at least 1", () => {
    fc.assert(
      fc.property(placedGroup, bands, fc.double({ min: 1, max: 3, noNaN: true }), (group, tiers, slack) => {
        const config = redistributionConfig({ tiers, c_max: Math.min(slack / tiers[2].lo, 1e9) });
        const { redistribution } = redistribute(group, config);
        expect(redistribution.cap_active).toBe(false);
        expect(redistribution.conserved).toBe(true);
      }),
    );
  });

  test("is the only thing that breaks conservation, costs no more than foretold and says so", () => {
    let bound = 0;
    fc.assert(
      fc.property(placedGroup, bands, fc.double({ min: 1, max: 2, noNaN: true }), (group, tiers, c_max) => {
        const config = redistributionConfig({ tiers, c_max });
        const { redistribution } = redistribute(group, config);
        expect(redistribution.scale).toBeLessThanOrEqual(Math.max(c_max, 1 / tiers[2].lo));
        if (redistribution.cap_active) bound += 1;
        if (!redistribution.cap_active) expect(redistribution.conserved).toBe(true);
        expect(redistribution.residual).toBeLessThanOrEqual(1e-12);
        expect(redistribution.residual).toBeGreaterThanOrEqual(-capLoss(config) - 1e-12);
      }),
    );
    expect(bound).toBeGreaterThan(0);
  });

  test("in water-fill it limits every rollout and the sum is still kept", () => {
    let bound = 0;
    fc.assert(
      fc.property(ratedGroup, fc.double({ min: 1, max: 3, noNaN: true }), (group, s_max) => {
        const { rollouts, redistribution } = redistribute(group, { mode: "water-fill", s_max });
        for (const { advantage, advantage_given } of rollouts) {
          if (advantage === null || advantage_given === null || advantage_given <= 0) continue;
          expect(advantage).toBeLessThanOrEqual(s_max * advantage_given * (1 + 1e-15));
        }
        if (redistribution.cap_active) bound += 1;
        expect(Math.abs(redistribution.residual)).toBeLessThanOrEqual(1e-12);
      }),
    );
    expect(bound).toBeGreaterThan(0);
  });
});

test("a cap that rounding alone would pass is not active", () => {
  const tiers = [
    { hi: 1, lo: 1 },
    { hi: 0.7, lo: 0.7 },
    { hi: 0.7, lo: 0.7 },
  ] as const;
  // Nearly all mass has the smallest quality, so that the factor is 1 / 0.7 but for rounding.
  const group = passing([
    { advantage: 1e-14, placement: { tier: 1, rank: 1 } },
    { advantage: 1, placement: { tier: 2, rank: 1 } },
  ]);
  const { redistribution } = redistribute(group, { tiers, c_max: 1 / 0.7 });
  expect(redistribution).toMatchObject({ cap_active: false, conserved: true });
});

describe("water-fill where a rest vanishes in rounding", () => {
  test.each([1e-17, 1e-25, 1e-200])("a share of %s neither turns negative nor infinite", (tiny) => {
    const group = passing([
      { advantage: 1, quality: 1 },
      { advantage: 1, quality: 0.9 },
      { advantage: tiny, quality: 0.001 },
    ]);
    const after = advantagesOf(group, { mode: "water-fill", s_max: 1 });
    expect(after.slice(0, 2)).toStrictEqual([1, 1]);
    expect(after[2]).toBeGreaterThanOrEqual(0);
    expect(after[2]).toBeLessThanOrEqual(tiny);
  });
});
