import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redistribute, type RolloutInput } from "../../src/redistribute/index.ts";
import { advantagesOf, passing, ratedGroup, sum } from "./groups.ts";

const hack = { quality: 1, excluded: true };

describe("an excluded hack", () => {
  test("hands its mass to the other passing rollouts, by their quality", () => {
    const group = passing([{ quality: 1 }, hack, { quality: 0.5 }, { quality: 0.5 }]);
    const { rollouts, redistribution } = redistribute(group);
    expect(rollouts.map(({ advantage }) => advantage)).toStrictEqual([2, 0, 1, 1, -4]);
    expect(redistribution).toMatchObject({
      scale: 2,
      cap_active: false,
      conserved: true,
      positive_sum_after: 4,
    });
  });

  test("hands it on evenly among equals, and to one alone", () => {
    const equal = { quality: 0.8 };
    const share = expect.closeTo(5 / 4, 12);
    expect(advantagesOf(passing([equal, equal, hack, equal, equal]))).toStrictEqual([
      share,
      share,
      0,
      share,
      share,
      -5,
    ]);
    expect(advantagesOf(passing([{ quality: 0.8 }, hack]))).toStrictEqual([2, 0, -2]);
    expect(advantagesOf(passing([{}, hack]))).toStrictEqual([2, 0, -2]);
  });

  test("alone, its mass is dropped, and that is told", () => {
    const { rollouts, redistribution } = redistribute(passing([hack]));
    expect(rollouts.map(({ advantage }) => advantage)).toStrictEqual([0, -1]);
    expect(redistribution).toMatchObject({
      conserved: false,
      residual: -1,
      positive_sum_before: 1,
      positive_sum_after: 0,
    });
  });

  test("more than the cap allows is dropped", () => {
    const { rollouts, redistribution } = redistribute(passing([{ quality: 1 }, hack, hack]));
    expect(rollouts.map(({ advantage }) => advantage)).toStrictEqual([2, 0, 0, -3]);
    expect(redistribution).toMatchObject({ cap_active: true, conserved: false, scale: 2 });
    const filled = redistribute(passing([{ quality: 1 }, { quality: 0.5 }, hack, hack, hack]), {
      mode: "water-fill",
    });
    expect(filled.rollouts.map(({ advantage }) => advantage)).toStrictEqual([2, 2, 0, 0, 0, -5]);
    expect(filled.redistribution).toMatchObject({ cap_active: true, conserved: false });
  });

  test("in the ablation its mass is gone", () => {
    expect(
      advantagesOf(passing([{ quality: 1 }, { quality: 0.5 }, hack]), { mode: "downweight-only" }),
    ).toStrictEqual([1, 0.5, 0, -3]);
  });

  test.each<Partial<RolloutInput>>([
    { passed: false },
    { passed: null },
    { advantage: -1 },
    { advantage: 0 },
    { advantage: -0 },
    { advantage: null },
    { masked: true },
  ])("with %o it is left as it was: it has no positive mass to lose", (fields) => {
    const group = passing([{ quality: 1 }, { quality: 1 }, { ...hack, ...fields }]);
    expect(advantagesOf(group)).toStrictEqual(group.rollouts.map(({ advantage }) => advantage));
  });

  test("never makes a hack better off, nor changes what it does not concern", () => {
    fc.assert(
      fc.property(
        ratedGroup,
        fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
        fc.constantFrom("common-scale", "water-fill", "downweight-only"),
        (group, dice, mode) => {
          const rollouts = group.rollouts.map((rollout, index) => ({
            ...rollout,
            excluded: dice[index] === true,
          }));
          const result = redistribute({ rollouts }, { mode, c_max: 1e7, s_max: 1e7 });
          const before = sum(
            rollouts.map(({ advantage, masked }) => (masked === true ? 0 : Math.max(advantage ?? 0, 0))),
          );
          const after = result.redistribution.positive_sum_after;
          expect(after).toBeLessThanOrEqual(before * (1 + 1e-12));
          expect(result.redistribution.conserved).toBe(Math.abs(after - before) <= 1e-9 * before);
          const hacks = result.rollouts.filter((_, index) => rollouts[index]?.excluded === true);
          expect(
            hacks.filter(({ advantage, advantage_given }) => (advantage ?? 0) > (advantage_given ?? 0)),
          ).toStrictEqual([]);
        },
      ),
    );
  });
});
