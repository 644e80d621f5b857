import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  capLoss,
  redistribute,
  redistributionConfig,
  type RedistributionConfig,
} from "../../src/redistribute/index.ts";
import { commonScale, waterFill } from "../../src/redistribute/scale.ts";
import { exactSum } from "../../src/redistribute/sum.ts";
import { placedGroup, ratedGroup } from "./groups.ts";

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
  // Nearly all mass has the smallest quality, so that the factor is 1 / 0.067, rounded up.
  const shares = [
    { mass: 1e-18, quality: 1 },
    { mass: 0.3, quality: 0.067 },
  ];
  const { scale, capActive } = commonScale(shares, 0.3, 1 / 0.067);
  expect(0.3 / (0.067 * 0.3 + 1e-18)).toBeGreaterThan(1 / 0.067);
  expect({ scale, capActive }).toStrictEqual({ scale: 1 / 0.067, capActive: false });
});

test("water-fill by any masses: between 0 and the cap, rising with quality, and kept", () => {
  const share = fc.record({
    mass: fc.integer({ min: -40, max: 0 }).map((power) => 10 ** power),
    quality: fc.constantFrom(1, 0.9, 0.7, 0.3, 0.001),
  });
  fc.assert(
    fc.property(
      fc.array(share, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(1, 1.1, 1.5, 2),
      fc.constantFrom(1, 1.05, 3),
      (shares, cap, more) => {
        const own = exactSum(shares.map(({ mass }) => mass));
        const { factors, scale, capActive } = waterFill(shares, own * more, cap);
        const mass = exactSum(shares.map((each, index) => each.mass * (factors[index] ?? NaN)));
        expect(Math.abs(mass / (own * Math.min(more, cap)) - 1)).toBeLessThanOrEqual(1e-12);
        expect(factors.every((factor) => factor > 0 && factor <= cap)).toBe(true);
        const ladder = [...shares.keys()].toSorted(
          (one, other) => (shares[one]?.quality ?? 0) - (shares[other]?.quality ?? 0),
        );
        const rising = ladder.map((index) => factors[index] ?? NaN);
        expect(rising).toStrictEqual(rising.toSorted((one, other) => one - other));
        expect(Number.isFinite(scale)).toBe(true);
        if (more > cap) expect(capActive).toBe(true);
      },
    ),
    { numRuns: 1000 },
  );
});

test("water-fill beyond what the cap can give: lambda is the least that puts everyone at the cap", () => {
  const shares = [1, 0.5].map((quality) => ({ mass: 1, quality }));
  expect(waterFill(shares, 5, 2)).toStrictEqual({ scale: 4, factors: [2, 2], capActive: true });
});
