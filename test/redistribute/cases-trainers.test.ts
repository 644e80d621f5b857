import { describe, expect, test } from "vitest";
import {
  estimateAdvantages,
  redistribute,
  redistributionConfig,
  redistributionMarker,
  refuseMarked,
  rewardForm,
} from "../../src/redistribute/index.ts";
import { advantagesOf, passing, refusalOf, scored, sum } from "./groups.ts";

describe.each([
  { name: "grpo, ddof 1", estimator: "grpo", options: { ddof: 1 } },
  { name: "grpo, ddof 0", estimator: "grpo", options: { ddof: 0 } },
  { name: "dr-grpo", estimator: "dr-grpo", options: {} },
  { name: "rloo", estimator: "rloo", options: {} },
] as const)("N12 $name", ({ estimator, options }) => {
  const rewards = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0];
  const scoredRollouts = rewards.map((reward, i) => ({ id: `r${i}`, reward }));
  const advantages = estimateAdvantages(scoredRollouts, estimator, options);
  const result = redistribute(scored(rewards, [1, 0.5, 0.8, 0.7], advantages));

  test("the sum is kept", () => {
    expect(result.redistribution.conserved).toBe(true);
    expect(sum(result.rollouts.map(({ advantage }) => advantage))).toBeCloseTo(0, 12);
  });

  test("the reward form gives the same advantages or is refused", () => {
    const form = rewardForm(scoredRollouts, result.rollouts, estimator);
    if (estimator === "grpo") {
      expect(form).toStrictEqual({ exact: false, reason: "group_std" });
      expect(result.redistribution.group_std_shrink).toBeLessThan(1);
      return;
    }
    const rerun = estimateAdvantages(
      scoredRollouts.map(({ id }, i) => ({ id, reward: form.rewards?.[i] ?? null })),
      estimator,
    );
    for (const [i, advantage] of rerun.entries()) {
      expect(advantage).toBeCloseTo(result.rollouts[i]?.advantage ?? NaN, 12);
    }
  });
});

describe("N13 weighted by tokens", () => {
  const lengths = [2000, 8000, 20_000, 40_000];
  const tiers = [1, 2, 2, 3] as const;
  const flat = {
    tiers: [
      { hi: 1, lo: 1 },
      { hi: 2 / 3, lo: 2 / 3 },
      { hi: 1 / 3, lo: 1 / 3 },
    ],
  } as const;
  const group = (order: readonly (1 | 2 | 3)[]) =>
    passing(order.map((tier, i) => ({ tokens: lengths[i] ?? 0, placement: { tier, rank: 1 } })));

  test.each([
    { name: "short is better", order: tiers, ratio: 51 / 70 },
    { name: "long is better", order: tiers.toReversed(), ratio: 89 / 70 },
  ])("whole rollouts keep the sum and change the token mass: $name", ({ order, ratio }) => {
    const { redistribution } = redistribute(group(order), flat);
    const { token_mass_before = NaN, token_mass_after = NaN } = redistribution;
    expect(redistribution.conserved).toBe(true);
    expect(token_mass_after / token_mass_before).toBeCloseTo(ratio, 12);
  });

  test("the token mass is kept, with larger scales, and the sum is not", () => {
    const { rollouts, redistribution } = redistribute(group(tiers), { ...flat, weights: "tokens", c_max: 3 });
    const { token_mass_before = NaN, token_mass_after = NaN } = redistribution;
    const wanted = [105 / 51, 70 / 51, 70 / 51, 35 / 51];
    for (const [i, each] of wanted.entries()) expect(rollouts[i]?.advantage).toBeCloseTo(each, 12);
    expect(token_mass_after).toBeCloseTo(token_mass_before, 6);
    expect(redistribution.conserved).toBe(true);
    expect(redistribution.residual).toBeCloseTo(0, 12);
    expect(redistribution.positive_sum_after).not.toBeCloseTo(redistribution.positive_sum_before, 3);
    expect(redistribution.group_std_shrink).toBeUndefined();
  });

  test("a rollout without tokens is outside the set", () => {
    const empty = passing([
      { tokens: 10, quality: 1 },
      { tokens: 0, quality: 3 },
      { tokens: 10, quality: 2 },
    ]);
    const after = advantagesOf(empty, { weights: "tokens" });
    expect(after[1]).toBe(1);
    expect(sum([after[0] ?? null, after[2] ?? null])).toBeCloseTo(2, 12);
  });

  test("missing tokens are an error, not zero", () => {
    const missing = passing([{ tokens: 10, quality: 1 }, { quality: 3 }]);
    expect(refusalOf(() => redistribute(missing, { weights: "tokens" })).where).toMatchObject({
      rollout: "p1",
      field: "rollouts[1].tokens",
    });
    expect(redistribute(missing).redistribution).not.toHaveProperty("token_mass_before");
  });
});

describe("N14 masked, truncated and unscored rollouts", () => {
  const rollouts = [
    { id: "a", reward: 1 },
    { id: "b", reward: 0 },
    { id: "c", reward: null },
    { id: "d", reward: 1, masked: true },
    { id: "e", reward: 0 },
  ];

  test.each(["grpo", "dr-grpo", "rloo"] as const)("are outside the baseline of %s", (estimator) => {
    const all = estimateAdvantages(rollouts, estimator);
    const counted = estimateAdvantages(
      rollouts.filter(({ id }) => "abe".includes(id)),
      estimator,
    );
    expect(all).toStrictEqual([counted[0], counted[1], null, null, counted[2]]);
  });

  test("keep the advantage that they came with", () => {
    const group = passing([
      { quality: 1 },
      { quality: 3 },
      { quality: 0.1, advantage: 2, masked: true },
      { advantage: 2, ungraded: true },
      { advantage: null },
    ]);
    const after = advantagesOf(group);
    expect(after.slice(2)).toStrictEqual([2, 2, null, -6]);
    expect(sum(after.slice(0, 2))).toBeCloseTo(2, 12);
  });
});

test("N15 a group that carries the marker is refused", () => {
  const group = passing([{ quality: 1 }, { quality: 2 }]);
  const redistributed = redistributionMarker(group, redistributionConfig());
  expect(() => refuseMarked(group)).not.toThrow();
  const error = refusalOf(() => refuseMarked({ ...group, redistributed }, { file: "f", line: 2 }));
  expect(error.code).toBe("already_redistributed");
  expect(error.where).toStrictEqual({ file: "f", line: 2, field: "redistributed" });
});
