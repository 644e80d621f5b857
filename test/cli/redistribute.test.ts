import { describe, expect, test } from "vitest";
import { redistribute, redistributionConfig, redistributionMarker } from "../../src/redistribute/index.ts";
import { column, filter, group } from "./redistribute-filter.ts";

const tiers = group("t", [
  { tier: 1, rank: 1 },
  { tier: 3, rank: 1 },
  { passed: false, advantage: -2 },
]);

test("places come in, advantages, the record and the marker come out", () => {
  const { status, lines, err } = filter(tiers);
  expect(status).toBe(0);
  const [line] = lines;
  const rollouts = [
    { id: "r0", passed: true, advantage: 1, placement: { tier: 1 as const, rank: 1 } },
    { id: "r1", passed: true, advantage: 1, placement: { tier: 3 as const, rank: 1 } },
    { id: "r2", passed: false, advantage: -2 },
  ];
  const wanted = redistribute({ rollouts });
  expect(column(line, "advantage")).toStrictEqual([1.25, 0.75, -2]);
  expect(column(line, "advantage_given")).toStrictEqual([1, 1, -2]);
  expect(column(line, "quality")).toStrictEqual([1, 0.6, undefined]);
  expect(line?.["redistribution"]).toStrictEqual(wanted.redistribution);
  expect(line?.["redistributed"]).toStrictEqual(
    redistributionMarker({ group_id: "t", rollouts }, redistributionConfig()),
  );
  expect(err).toBe("gagar redistribute: 1 groups read, 1 redistributed, 0 unchanged, 0 bad\n");
});

test("what went through once is refused, unless the marker is taken off: then the given advantages count", () => {
  const once = filter(tiers);
  const twice = filter(once.out);
  expect([twice.status, twice.out]).toStrictEqual([2, ""]);
  expect(twice.err).toMatch(/^gagar: <stdin>:1: group t: redistributed: .*redistributed before/);
  const { redistributed: _marker, ...unmarked } = once.lines[0] ?? {};
  expect(column(filter(JSON.stringify(unmarked)).lines[0], "advantage")).toStrictEqual([1.25, 0.75, -2]);
});

describe("scores of any grader", () => {
  const scores = group("s", [
    { score: 10, mine: 1 },
    { score: 0, mine: 8 },
    { score: 2.5, mine: 4 },
    { passed: false, advantage: -3 },
  ]);

  test.each([
    { args: ["--quality-rule", "linear"], quality: [1, 0.5, 0.625] },
    { args: ["--quality-rule", "linear", "--quality-lo", "0.2"], quality: [1, 0.2, 0.4] },
    { args: ["--quality-rule", "rank"], quality: [1, 0.5, 0.75] },
    { args: ["--quality-rule", "given", "--score-field", "mine"], quality: [0.125, 1, 0.5] },
  ])("$args", ({ args, quality }) => {
    const { lines } = filter(scores, ...args, "--cap", "8");
    expect(column(lines[0], "quality")).toStrictEqual([
      ...quality.map((each) => expect.closeTo(each, 12)),
      undefined,
    ]);
    const sum = column(lines[0], "advantage").reduce<number>((total, each) => total + Number(each), 0);
    expect(sum).toBeCloseTo(0, 12);
  });

  test("without a rule are not read", () => {
    const { status, err } = filter(scores);
    expect(status).toBe(2);
    expect(err).toMatch(/group s: rollout r0: rollouts\[0\]\.quality: is missing/);
  });

  test("a missing one is named", () => {
    const { err } = filter(group("s", [{ score: 1 }, {}, { score: 2 }]), "--quality-rule", "rank");
    expect(err).toMatch(/rollout r1: rollouts\[1\]\.score: is missing/);
  });

  test("count in place of tiers and qualities where there is a rule", () => {
    const both = group("s", [
      { score: 1, quality: 9, tier: 1, rank: 1 },
      { score: 3, quality: 1, tier: 3, rank: 1 },
    ]);
    expect(column(filter(both, "--quality-rule", "given", "--cap", "3").lines[0], "advantage")).toStrictEqual(
      [0.5, 1.5],
    );
  });

  test("are not needed, and do not count, where nothing was to be judged", () => {
    const { status, lines } = filter(
      group("s", [
        { score: 3 },
        { score: 1 },
        { masked: true, score: 99 },
        { ungraded: "no patch" },
        { passed: null },
      ]),
      "--quality-rule",
      "linear",
    );
    expect(status).toBe(0);
    expect(column(lines[0], "quality")).toStrictEqual([1, 0.5, undefined, undefined, undefined]);
  });

  test("a rule that lets the cap bind is warned about", () => {
    const { err } = filter("", "--quality-rule", "linear", "--quality-lo", "0.2");
    expect(err).toMatch(/^gagar: warning: .*up to 60\.0 % of a group's positive mass/);
    expect(filter("", "--quality-rule", "given", "--cap", "1", "-q").err).toBe("");
  });
});

test("qualities come in, and the ones given stay as they are", () => {
  const { lines } = filter(
    group("q", [{ quality: 30 }, { quality: 10 }]),
    "--mode",
    "water-fill",
    "--cap",
    "1.2",
  );
  expect(column(lines[0], "advantage")).toStrictEqual([1.2, expect.closeTo(0.8, 12)]);
  expect(column(lines[0], "quality")).toStrictEqual([30, 10]);
});

describe("advantages from rewards", () => {
  const rewards = group(
    "e",
    [
      { reward: 1, tier: 1 },
      { reward: 1, tier: 3 },
      { reward: 0, passed: false },
    ].map((each) => ({
      ...each,
      advantage: undefined,
      ...("tier" in each && { rank: 1 }),
    })),
  );

  test("dr-grpo: with the exact reward form", () => {
    const [line] = filter(rewards, "--estimator", "dr-grpo").lines;
    const given = [1 / 3, 1 / 3, -2 / 3].map((each) => expect.closeTo(each, 14));
    expect(column(line, "advantage_given")).toStrictEqual(given);
    expect(column(line, "advantage")).toStrictEqual(
      [5 / 12, 1 / 4, -2 / 3].map((each) => expect.closeTo(each, 14)),
    );
    expect(column(line, "reward_equivalent")).toStrictEqual([
      ...[13 / 12, 11 / 12].map((each) => expect.closeTo(each, 14)),
      0,
    ]);
  });

  test("grpo: with the reason why there is none, and the shrink", () => {
    const [line] = filter(rewards, "--estimator", "grpo").lines;
    expect(line?.["reward_form"]).toBe("group_std");
    expect(column(line, "reward_equivalent")).toStrictEqual([undefined, undefined, undefined]);
    expect(line?.["redistribution"]).toHaveProperty("group_std_shrink");
  });

  test("outcomes stand in where no rollout has a reward; an unknown one has no advantage", () => {
    const bare = group("b", [
      { advantage: null, tier: 1, rank: 1 },
      { advantage: null, passed: false },
      { advantage: null, passed: null },
    ]);
    expect(column(filter(bare, "--estimator", "rloo").lines[0], "advantage")).toStrictEqual([1, -1, null]);
    expect(column(filter(bare).lines[0], "advantage")).toStrictEqual([null, null, null]);
  });

  test("given advantages are never mixed with estimated ones", () => {
    const mixed = group("m", [
      { reward: 1, quality: 1 },
      { reward: 0, advantage: undefined },
    ]);
    const { status, err } = filter(mixed, "--estimator", "grpo");
    expect(status).toBe(2);
    expect(err).toMatch(/rollout r1: rollouts\[1\]\.advantage: is missing: null says/);
  });

  test("without an estimator, missing ones are an error", () => {
    expect(filter(rewards).err).toMatch(/rollouts\[0\]\.advantage: is missing: give it, or --estimator/);
  });
});

describe("hacks", () => {
  const flagged = group("h", [
    { tier: 1, rank: 1, flags: [{ kind: "tests_tampered" }] },
    { tier: 1, rank: 2 },
    { tier: 2, rank: 1 },
  ]);

  test.each([
    { policy: "bottom", tiers: [3, 1, 2], quality: [0.6, 1, 0.8], zero: false },
    { policy: "exclude", tiers: [1, 1, 2], quality: [1, 0.9, 0.8], zero: true },
    { policy: "report", tiers: [1, 1, 2], quality: [1, 0.9, 0.8], zero: false },
  ])("$policy", ({ policy, tiers, quality, zero }) => {
    const [line] = filter(flagged, "--hack-policy", policy).lines;
    expect(column(line, "tier")).toStrictEqual(tiers);
    expect(column(line, "rank")).toStrictEqual(policy === "bottom" ? [1, 1, 1] : [1, 2, 1]);
    expect(column(line, "quality")).toStrictEqual(quality);
    expect(column(line, "advantage")[0] === 0).toBe(zero);
    expect(line?.["redistribution"]).toMatchObject({ conserved: true });
  });

  test("a sum that cannot be kept is counted in the summary", () => {
    const { err } = filter(group("h", [{ quality: 1, excluded: true }]));
    expect(err).toMatch(/1 redistributed, 0 unchanged, 0 bad; 1 with their positive sum not kept\n$/);
  });
});

test("what is not the redistribution's own stays as it was written", () => {
  const line =
    '{"uid":12345678901234567890,"group_id":"g","note":"\\u00e9 \\"number-0\\"","rollouts":[' +
    '{"id":"a","passed":true,"advantage":0.50,"tier":1,"rank":1,"seed":9007199254740993,"__proto__":{"x":1e400}},' +
    '{"id":"b","passed":true,"advantage":0.5,"tier":1,"rank":1,"reward_equivalent":7},' +
    '{"id":"c","passed":null,"advantage":-0.0,"ungraded":"patch_absent"}],"meta":{"a":[1e-999,-0]},' +
    '"reward_form":"group_std"}';
  const { out } = filter(line);
  for (const part of [
    '"uid":12345678901234567890',
    '"note":"é \\"number-0\\""',
    '"seed":9007199254740993,"__proto__":{"x":1e400}',
    '"advantage":-0.0,"ungraded":"patch_absent","advantage_given":-0.0',
    '"meta":{"a":[1e-999,-0]}',
  ]) {
    expect(out).toContain(part);
  }
  // It belonged to other advantages.
  expect(out).not.toContain("reward_equivalent");
  expect(out).toMatch(/^[^\n]+\n$/);
});

test("a group that its grader skipped, and single passes that nobody judged, go through unchanged", () => {
  const untouched = (status: string) =>
    group("s", [{}, {}, { passed: false, advantage: -2 }], { status, reason: "x" });
  const skipped = untouched("skipped") + untouched("fallback");
  const alone = group("a", [{}, { passed: false, advantage: -1 }]);
  for (const args of [[], ["--quality-rule", "rank"]]) {
    const { status, lines, err } = filter(alone + (args.length === 0 ? skipped : ""), ...args);
    expect(status).toBe(0);
    expect(err).toMatch(new RegExp(` 0 redistributed, ${lines.length} unchanged`));
    for (const line of lines)
      expect(column(line, "advantage")).toStrictEqual(column(line, "advantage_given"));
  }
});
