import { describe, expect, test } from "vitest";
import {
  estimateAdvantages,
  redistribute,
  type GroupInput,
  type RedistributionConfig,
} from "../../src/redistribute/index.ts";
import { advantagesOf, passing, refusalOf, scored, sum } from "./groups.ts";

interface Unchanged {
  id: string;
  what: string;
  group: GroupInput;
  config?: Partial<RedistributionConfig>;
}

const unchanged: Unchanged[] = [
  {
    id: "N01",
    what: "all fail",
    group: { rollouts: [0, 1, 2].map((i) => ({ id: `r${i}`, passed: false, advantage: 0 })) },
  },
  {
    id: "N02",
    what: "all pass, so every advantage is 0",
    group: {
      rollouts: [3, 1, 2].map((quality, i) => ({ id: `r${i}`, passed: true, advantage: 0, quality })),
    },
  },
  { id: "N03", what: "a single pass", group: passing([{ advantage: 0.7, quality: 0.3 }]) },
  { id: "N03", what: "a single pass that nobody judged", group: passing([{ advantage: 0.7 }]) },
  {
    id: "N07",
    what: "passing with an advantage below or at zero",
    group: {
      rollouts: [0.3, -0.29, -0, 0, -0.01].map((advantage, i) => ({
        id: `r${i}`,
        passed: true,
        advantage,
        quality: 0.5 + i,
      })),
    },
  },
  {
    id: "N09",
    what: "the smallest double",
    group: passing([
      { advantage: 5e-324, quality: 1 },
      { advantage: 5e-324, quality: 3 },
    ]),
  },
  {
    id: "N09",
    what: "a subnormal",
    group: passing([
      { advantage: 1e-310, quality: 1 },
      { advantage: 1e-310, quality: 3 },
    ]),
  },
  {
    id: "N16",
    what: "all qualities equal",
    group: passing([0.1, 0.2, 0.3].map((advantage) => ({ advantage, quality: 0.7 }))),
  },
  {
    id: "N16",
    what: "all in one tier and rank",
    group: passing([0.1, 0.2].map((advantage) => ({ advantage, placement: { tier: 2, rank: 1 } }))),
  },
];

describe.each(["common-scale", "water-fill", "downweight-only"] as const)("%s", (mode) => {
  test.each(unchanged)("$id $what: to the bit", ({ group, config }) => {
    expect(advantagesOf(group, { mode, ...config })).toStrictEqual(
      group.rollouts.map(({ advantage }) => advantage),
    );
  });
});

test("N02 all pass: no advantage appears from qualities", () => {
  const advantages = estimateAdvantages(
    [
      { id: "a", reward: 1 },
      { id: "b", reward: 1 },
    ],
    "dr-grpo",
  );
  expect(advantagesOf(scored([1, 1], [1, 0.5], advantages))).toStrictEqual([0, 0]);
});

test("N04 six of eight pass, q = (1.5, 1, 0.5) twice", () => {
  const rewards = [1, 1, 1, 1, 1, 1, 0, 0];
  const advantages = estimateAdvantages(
    rewards.map((reward, i) => ({ id: `r${i}`, reward })),
    "dr-grpo",
  );
  const group = scored(rewards, [1.5, 1, 0.5], advantages);
  const after = advantagesOf(group);
  const wanted = [0.375, 0.25, 0.125, 0.375, 0.25, 0.125, -0.75, -0.75];
  for (const [index, advantage] of after.entries()) expect(advantage).toBeCloseTo(wanted[index] ?? NaN, 15);
  expect(after.slice(6)).toStrictEqual([-0.75, -0.75]);
  expect(sum(after.slice(0, 6))).toBeCloseTo(1.5, 12);
  expect(redistribute(group).redistribution.scale).toBeCloseTo(1.5, 12);
});

test("N05 q = (1.5, 0.5, 0.5, 0.5), cap 1.5: filled, not renormalised and clipped", () => {
  const group = passing([1.5, 0.5, 0.5, 0.5].map((quality) => ({ quality })));
  const { rollouts, redistribution } = redistribute(group, { mode: "water-fill", s_max: 1.5 });
  const wanted = [1.5, 2.5 / 3, 2.5 / 3, 2.5 / 3];
  for (const [index, each] of wanted.entries()) expect(rollouts[index]?.advantage).toBeCloseTo(each, 14);
  expect(redistribution).toMatchObject({ cap: 1.5, cap_active: true, conserved: true });
  expect(redistribution.positive_sum_after).toBeCloseTo(4, 12);
});

test("N05 the same under one common scale: the cap binds, and the loss is told", () => {
  const group = passing([1.5, 0.5, 0.5, 0.5].map((quality) => ({ quality })));
  const { redistribution } = redistribute(group, { c_max: 1.5 });
  expect(redistribution).toMatchObject({ scale: 1.5, cap_active: true, conserved: false });
  expect(redistribution.positive_sum_after).toBeCloseTo(3, 12);
  expect(redistribution.residual).toBeCloseTo(-0.25, 12);
});

test.each([
  { qualities: [1, 0, 0, 0], bad: 1 },
  { qualities: [0, 0, 0, 0], bad: 0 },
  { qualities: [1, 1, -1, 1], bad: 2 },
  { qualities: [1e200, 1e-200, 1, 1], bad: 1 },
])("N06 qualities $qualities that no cap could repair are a configuration error", ({ qualities, bad }) => {
  const error = refusalOf(() => redistribute(passing(qualities.map((quality) => ({ quality })))));
  expect(error.code).toBe("bad_config");
  expect(error.where).toStrictEqual({ group: "g", rollout: `p${bad}`, field: `rollouts[${bad}].quality` });
});

test("N07 continuous rewards: a passing rollout below the mean is not punished for its quality", () => {
  const rewards = [1, 0.95, 0.9, 0.7, 0.2];
  const advantages = estimateAdvantages(
    rewards.map((reward, i) => ({ id: `r${i}`, reward })),
    "dr-grpo",
  );
  expect(advantages[3]).toBeCloseTo(-0.05, 12);
  const group = scored(rewards, [0.5, 1, 0.8, 1.5, 1], advantages);
  const after = advantagesOf(group);
  expect(after.slice(3)).toStrictEqual(advantages.slice(3));
  expect(sum(after)).toBeCloseTo(0, 12);
  expect(after[0]).not.toBe(advantages[0]);
});

test.each([NaN, Infinity, -Infinity, JSON.parse("1e999"), JSON.parse("-1e999")])(
  "N08 an advantage of %s is refused and nothing of the group comes out",
  (bad) => {
    const group = passing([{ quality: 1 }, { quality: 2, advantage: bad }]);
    expect(refusalOf(() => redistribute(group)).where).toMatchObject({
      rollout: "p1",
      field: "rollouts[1].advantage",
    });
  },
);

test.each([NaN, Infinity, JSON.parse("1e999")])("N08 a reward of %s is refused", (bad) => {
  const error = refusalOf(() =>
    estimateAdvantages(
      [
        { id: "a", reward: 1 },
        { id: "b", reward: bad },
      ],
      "grpo",
    ),
  );
  expect(error.where).toStrictEqual({ rollout: "b", field: "rollouts[1].reward" });
});

test("N08 null is no advantage, and poisons no sibling", () => {
  const group = passing([{ quality: 1 }, { quality: 2, advantage: null }, { quality: 2 }]);
  const after = advantagesOf(group);
  expect(after[1]).toBeNull();
  expect(sum([after[0] ?? null, after[2] ?? null])).toBeCloseTo(2, 12);
});

test.each([1e300, 1e-250])("N09 advantages of %s keep their sum and stay finite", (size) => {
  const group = passing([
    { advantage: size, quality: 1 },
    { advantage: size, quality: 3 },
  ]);
  const [low, high] = advantagesOf(group);
  expect((low ?? NaN) / size).toBeCloseTo(0.5, 12);
  expect((high ?? NaN) / size).toBeCloseTo(1.5, 12);
});

test("N09 sums that no double holds are refused at the largest advantage", () => {
  const group = passing([
    { advantage: 1e308, quality: 1 },
    { advantage: 1.1e308, quality: 3 },
  ]);
  const rollouts = group.rollouts.slice(0, 2);
  expect(refusalOf(() => redistribute({ rollouts })).where).toMatchObject({ rollout: "p1" });
});

test("N10 near-equal rewards are not amplified by the redistribution", () => {
  const rewards = [0.1 + 0.2, 0.3, 0.3, 0.3];
  const advantages = estimateAdvantages(
    rewards.map((reward, i) => ({ id: `r${i}`, reward })),
    "grpo",
  );
  const group = scored(rewards, [1, 0.5, 0.7, 0.9], advantages);
  const after = advantagesOf(group);
  const size = Math.max(...advantages.map((advantage) => Math.abs(advantage ?? 0)));
  expect(size).toBeLessThan(1e-9);
  for (const advantage of after) expect(Math.abs(advantage ?? 0)).toBeLessThanOrEqual(2 * size);
  const positive = (values: readonly (number | null)[]) =>
    sum(values.map((value) => Math.max(value ?? 0, 0)));
  expect(positive(after)).toBeCloseTo(positive(advantages), 24);
});

/** A small generator of its own, so that the groups are the same everywhere. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each([16, 64, 256, 1024])("N11 %i random rollouts: kept to 1e-12 and the same in any order", (n) => {
  const next = numbers(n);
  const rollouts = Array.from({ length: n }, (_, i) => ({
    id: `r${i}`,
    passed: next() < 0.5,
    advantage: next() - 0.3,
    quality: 0.5 + next() / 2,
  }));
  for (const mode of ["common-scale", "water-fill"] as const) {
    const one = redistribute({ rollouts }, { mode });
    const other = redistribute({ rollouts: rollouts.toReversed() }, { mode });
    expect(Math.abs(one.redistribution.residual)).toBeLessThanOrEqual(1e-12);
    expect(other.rollouts.toReversed()).toStrictEqual(one.rollouts);
    // What a trainer keeps in float32: half a unit in the last place each, so no more of the sum.
    const single = one.rollouts.reduce(
      (total, { advantage }) => total + Math.max(Math.fround(advantage ?? 0), 0),
      0,
    );
    expect(single / one.redistribution.positive_sum_before).toBeCloseTo(1, 6);
  }
});
