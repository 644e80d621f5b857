import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  estimateAdvantages,
  groupStdShrink,
  redistribute,
  rewardForm,
  type GroupInput,
} from "../../src/redistribute/index.ts";
import { passing, scored } from "./groups.ts";

type Exact = "dr-grpo" | "rloo";

function rewarded(rewards: readonly number[]) {
  return rewards.map((reward, index) => ({ id: `r${index}`, reward }));
}

function formOf(rewards: readonly number[], qualities: readonly number[], estimator: Exact) {
  const rollouts = rewarded(rewards);
  const result = redistribute(scored(rewards, qualities, estimateAdvantages(rollouts, estimator)), {
    c_max: 1e7,
  });
  return { result, form: rewardForm(rollouts, result.rollouts, estimator) };
}

describe.each(["dr-grpo", "rloo"] as const)("%s", (estimator) => {
  test("binary rewards with pass rate p: r' = p + (1 - p) s, failing ones stay 0", () => {
    const { form } = formOf([1, 1, 1, 1, 1, 1, 0, 0], [1.5, 1, 0.5], estimator);
    const wanted = [1.5, 1, 0.5, 1.5, 1, 0.5].map((s) => expect.closeTo(0.75 + 0.25 * s, 14));
    expect(form).toStrictEqual({ exact: true, rewards: [...wanted, 0, 0] });
  });

  test("all pass: every reward stays 1, whatever the qualities", () => {
    expect(formOf([1, 1, 1], [1, 0.5, 0.7], estimator).form).toStrictEqual({
      exact: true,
      rewards: [1, 1, 1],
    });
  });

  test("the trainer makes the new advantages of the new rewards", () => {
    const reward = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));
    const rewards = fc.array(reward, { minLength: 2, maxLength: 32 });
    const qualities = fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), {
      minLength: 32,
      maxLength: 32,
    });
    fc.assert(
      fc.property(rewards, qualities, (values, q) => {
        const { result, form } = formOf(values, q, estimator);
        expect(form.exact).toBe(true);
        const again = estimateAdvantages(
          rewarded(values).map(({ id }, i) => ({ id, reward: form.rewards?.[i] })),
          estimator,
        );
        const errors = again.map((value, i) =>
          Math.abs((value ?? NaN) - (result.rollouts[i]?.advantage ?? NaN)),
        );
        expect(Math.max(...errors)).toBeLessThanOrEqual(1e-12);
        const isKept = (_: unknown, i: number) =>
          result.rollouts[i]?.advantage === result.rollouts[i]?.advantage_given;
        expect(form.rewards?.filter(isKept)).toStrictEqual(values.filter(isKept));
      }),
    );
  });

  test("advantages that were rounded to float32 are recognised", () => {
    const rollouts = rewarded([1, 1, 1, 0, 0, 0, 0]);
    const rounded = estimateAdvantages(rollouts, estimator).map((value) => Math.fround(value ?? 0));
    const result = redistribute(scored([1, 1, 1, 0, 0, 0, 0], [1, 0.5, 0.7], rounded));
    expect(rewardForm(rollouts, result.rollouts, estimator).exact).toBe(true);
  });
});

test("masked rollouts and those without a reward keep what they have and do not count", () => {
  const rollouts = [...rewarded([1, 1, 0]), { id: "m", reward: 1, masked: true }, { id: "n", reward: null }];
  const advantages = estimateAdvantages(rollouts, "dr-grpo");
  const group: GroupInput = {
    rollouts: rollouts.map(({ id }, i) => ({
      id,
      passed: i < 2,
      advantage: advantages[i] ?? null,
      quality: 1 + i,
    })),
  };
  const form = rewardForm(rollouts, redistribute(group).rollouts, "dr-grpo");
  const close = [2 / 3 + 2 / 9, 2 / 3 + 4 / 9].map((value) => expect.closeTo(value, 12));
  expect(form).toStrictEqual({ exact: true, rewards: [...close, 0, 1, null] });
});

test("a rollout without a reward gets none, even if its advantage changed", () => {
  const rollouts = [...rewarded([1, 0]), { id: "n", reward: null }, { id: "o" }];
  const reshaped = [
    { advantage_given: 0.5, advantage: 0.5 },
    { advantage_given: -0.5, advantage: -0.5 },
    { advantage_given: 1, advantage: 1.5 },
    { advantage_given: 1, advantage: 0.5 },
  ];
  expect(rewardForm(rollouts, reshaped, "dr-grpo")).toStrictEqual({
    exact: true,
    rewards: [1, 0, null, null],
  });
});

describe("there is no reward form", () => {
  const rewards = [1, 1, 1, 0];
  const rollouts = rewarded(rewards);
  const with_ = (advantages: readonly (number | null)[], config = {}) =>
    redistribute(scored(rewards, [1, 0.2, 0.9], advantages), config).rollouts;
  const centred = estimateAdvantages(rollouts, "dr-grpo");

  test.each([
    { reason: "no_estimator", estimator: null, reshaped: with_(centred) },
    { reason: "group_std", estimator: "grpo", reshaped: with_(estimateAdvantages(rollouts, "grpo")) },
    { reason: "leave_one_out_std", estimator: "rloo-std", reshaped: with_(centred) },
    { reason: "other_estimator", estimator: "rloo", reshaped: with_(centred) },
    {
      reason: "other_estimator",
      estimator: "dr-grpo",
      reshaped: with_(estimateAdvantages(rollouts, "grpo")),
    },
    { reason: "sum_not_kept", estimator: "dr-grpo", reshaped: with_(centred, { c_max: 1 }) },
    { reason: "sum_not_kept", estimator: "dr-grpo", reshaped: with_(centred, { mode: "downweight-only" }) },
    { reason: "no_advantage", estimator: "dr-grpo", reshaped: with_([null, null, null, null]) },
  ] as const)("$estimator: $reason", ({ reason, estimator, reshaped }) => {
    expect(rewardForm(rollouts, reshaped, estimator)).toStrictEqual({ exact: false, reason });
  });

  test("of token weights, which move the sum", () => {
    const group = scored(rewards, [1, 0.2, 0.9], centred);
    const weighted = {
      rollouts: group.rollouts.map((rollout, i) => ({ ...rollout, tokens: 100 * (i + 1) })),
    };
    const reshaped = redistribute(weighted, { weights: "tokens", c_max: 10 }).rollouts;
    expect(rewardForm(rollouts, reshaped, "dr-grpo")).toStrictEqual({ exact: false, reason: "sum_not_kept" });
  });

  test("of one rollout alone", () => {
    const alone = rewarded([1]);
    const reshaped = redistribute(scored([1], [1], [0])).rollouts;
    expect(rewardForm(alone, reshaped, "dr-grpo")).toStrictEqual({ exact: false, reason: "no_baseline" });
  });
});

describe("a trainer that divides by the group's deviation shrinks the group", () => {
  /** Four of sixteen pass, factors of variance 0.136: published as -4.7 %, 6.93 -> 6.60 and -0.577 -> -0.550. */
  const spread = Math.sqrt(0.136);
  const rewards = Array.from({ length: 16 }, (_, i) => (i < 4 ? 1 : 0));
  const advantages = estimateAdvantages(rewarded(rewards), "grpo", { ddof: 0, eps: 0 });
  const qualities = [1 + spread, 1 + spread, 1 - spread, 1 - spread];
  const { rollouts, redistribution } = redistribute(scored(rewards, qualities, advantages));
  const shrink = redistribution.group_std_shrink ?? NaN;

  test("by 1 / sqrt(1 + (1 - p) v) for binary rewards", () => {
    expect(shrink).toBeCloseTo(1 / Math.sqrt(1 + 0.75 * 0.136), 12);
    expect(redistribution.positive_sum_before).toBeCloseTo(6.93, 2);
    expect(redistribution.positive_sum_after * shrink).toBeCloseTo(6.6, 2);
    expect((rollouts[15]?.advantage ?? NaN) * shrink).toBeCloseTo(-0.55, 3);
  });

  test("which is what such a trainer makes of the new advantages as rewards", () => {
    const sent = rollouts.map(({ id, advantage }) => ({ id, reward: advantage }));
    const made = estimateAdvantages(sent, "grpo", { ddof: 0, eps: 0 });
    for (const [i, value] of made.entries()) {
      expect(value).toBeCloseTo((rollouts[i]?.advantage ?? NaN) * shrink, 12);
    }
  });

  test("as a function of two lists", () => {
    const before = rollouts.map(({ advantage_given }) => advantage_given ?? 0);
    const after = rollouts.map(({ advantage }) => advantage ?? 0);
    expect(groupStdShrink(before, after)).toBeCloseTo(shrink, 14);
    expect(groupStdShrink(before, before)).toBe(1);
    expect(groupStdShrink([0, 0], [0, 0])).toBeUndefined();
    expect(groupStdShrink([1, -1], [2, -1])).toBeUndefined();
    expect(groupStdShrink([1e200, -1e200], [1e200, -1e200])).toBeUndefined();
    expect(groupStdShrink([1e-160, -1e-160], [1e-160, -1e-160])).toBeUndefined();
  });

  test("not told where the sum was not kept, the group not centred or nothing there", () => {
    expect(
      redistribute(passing([{ quality: 1 }, { quality: 0.1 }]), { c_max: 1 }).redistribution,
    ).not.toHaveProperty("group_std_shrink");
    const above = {
      rollouts: [3, 1].map((quality) => ({ id: `q${quality}`, passed: true, advantage: 1, quality })),
    };
    expect(redistribute(above).redistribution).not.toHaveProperty("group_std_shrink");
    expect(redistribute({ rollouts: [] }).redistribution).not.toHaveProperty("group_std_shrink");
  });
});
