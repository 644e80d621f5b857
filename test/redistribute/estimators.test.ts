import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateAdvantages, type ScoredRollout } from "../../src/redistribute/index.ts";
import { refusalOf, sum } from "./groups.ts";

function rollouts(rewards: readonly (number | null)[]): ScoredRollout[] {
  return rewards.map((reward, index) => ({ id: `r${index}`, reward }));
}

/** One pass in four: mean 1/4, sample deviation 1/2, population deviation sqrt(3)/4. */
test.each([
  { name: "grpo as in verl", estimator: "grpo", options: {}, pass: 0.75 / (0.5 + 1e-6) },
  { name: "grpo as in TRL", estimator: "grpo", options: { eps: 1e-4 }, pass: 0.75 / (0.5 + 1e-4) },
  { name: "grpo, population", estimator: "grpo", options: { ddof: 0, eps: 0 }, pass: Math.sqrt(3) },
  { name: "dr-grpo", estimator: "dr-grpo", options: {}, pass: 0.75 },
  { name: "rloo", estimator: "rloo", options: {}, pass: 1 },
] as const)("$name", ({ estimator, options, pass }) => {
  const [first, ...others] = estimateAdvantages(rollouts([1, 0, 0, 0]), estimator, options);
  expect(first).toBeCloseTo(pass, 14);
  for (const other of others) expect(other).toBeCloseTo(-pass / 3, 14);
});

test("rloo is the reward minus the mean of the others", () => {
  const rewards = [0.3, 1, -2, 7];
  const all = sum(rewards);
  for (const [index, advantage] of estimateAdvantages(rollouts(rewards), "rloo").entries()) {
    const own = rewards[index] ?? 0;
    expect(advantage).toBeCloseTo(own - (all - own) / 3, 13);
  }
});

describe.each(["grpo", "dr-grpo", "rloo"] as const)("%s", (estimator) => {
  test.each([0.1, 1, 1e300])("equal rewards of %s give zeros, not the noise of a mean", (reward) => {
    expect(estimateAdvantages(rollouts([reward, reward, reward]), estimator)).toStrictEqual([0, 0, 0]);
  });

  test("nothing counted, nothing made", () => {
    expect(estimateAdvantages([], estimator)).toStrictEqual([]);
    expect(estimateAdvantages(rollouts([null, null]), estimator)).toStrictEqual([null, null]);
    expect(estimateAdvantages([{ id: "a" }, { id: "b", reward: 1, masked: true }], estimator)).toStrictEqual([
      null,
      null,
    ]);
  });

  test("one alone has nothing to be compared with", () => {
    expect(estimateAdvantages(rollouts([null, 3]), estimator)).toStrictEqual([
      null,
      estimator === "rloo" ? null : 0,
    ]);
  });

  test("sums to zero and does not move with the rewards", () => {
    const rewards = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(rewards, fc.integer({ min: -64, max: 64 }), (values, shift) => {
        const advantages = estimateAdvantages(rollouts(values), estimator);
        const size = Math.max(1, ...advantages.map((advantage) => Math.abs(advantage ?? 0)));
        expect(Math.abs(sum(advantages))).toBeLessThanOrEqual(1e-12 * size * values.length);
        const shifted = estimateAdvantages(rollouts(values.map((value) => value + shift)), estimator);
        for (const [index, advantage] of shifted.entries()) {
          expect(Math.abs((advantage ?? NaN) - (advantages[index] ?? NaN))).toBeLessThanOrEqual(1e-11 * size);
        }
      }),
    );
  });

  test("whatever the rewards, the advantages are finite or the rewards are refused", () => {
    fc.assert(
      fc.property(fc.array(fc.double(), { maxLength: 8 }), (values) => {
        let advantages;
        try {
          advantages = estimateAdvantages(rollouts(values), estimator, { eps: 0 });
        } catch {
          const { where } = refusalOf(() => estimateAdvantages(rollouts(values), estimator, { eps: 0 }));
          expect(where.field).toMatch(/^rollouts\[\d\]\.reward$/);
          return;
        }
        expect(advantages.every((advantage) => advantage === null || Number.isFinite(advantage))).toBe(true);
      }),
    );
  });
});

test("deviations that vanish when squared still count", () => {
  const [low, high] = estimateAdvantages(rollouts([0, 1e-200]), "grpo", { eps: 0 });
  expect(low).toBeCloseTo(-Math.SQRT1_2, 12);
  expect(high).toBeCloseTo(Math.SQRT1_2, 12);
});

test.each([
  { estimator: "rloo-std", options: {}, field: "estimator" },
  { estimator: "grpo", options: { eps: -1 }, field: "eps" },
  { estimator: "grpo", options: { eps: NaN }, field: "eps" },
  { estimator: "grpo", options: { ddof: JSON.parse("2") }, field: "ddof" },
] as const)("$estimator with $options is refused", ({ estimator, options, field }) => {
  const error = refusalOf(() => estimateAdvantages(rollouts([1, 0]), estimator, options));
  expect(error).toMatchObject({ code: "bad_config", where: { field } });
});
