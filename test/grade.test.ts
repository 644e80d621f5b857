import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { gradeGroup, type GradeOptions } from "../src/grade.ts";
import type { Entry, Inspector } from "../src/models/inspector.ts";
import { scriptedInspector, type ScriptStep } from "../src/models/scripted.ts";
import { Grade } from "../src/schema/grade.ts";
import { tempDir } from "./helpers/temp-dir.ts";
import { makeGroup, type GroupSketch } from "./helpers/group.ts";

const base = { "f.py": "def f(x):\n    return x\n" };
const files = (body: string) => ({ "f.py": `def f(x):\n    ${body}\n` });
const sketch: GroupSketch = {
  base,
  rollouts: {
    one: { files: files("return x + 1"), advantage: 0.5 },
    two: { files: files("return 1 + x"), advantage: 0.5 },
    three: { files: files("return x - -1"), advantage: 0.5 },
    failed: { files: files("return x + 2"), advantage: -1.5, passed: false },
  },
};

/** Labels by the line that each rollout adds, as an inspector can find out. */
function labelsOf(entries: readonly Entry[], bodies: string[]): string[] {
  const matches = entries.flatMap((entry) =>
    entry.type === "reply" && entry.call.name === "read_patch" ? [entry] : [],
  );
  return bodies.map((body) => {
    const hit = matches.find((entry) => entry.answer.text.includes(`+|     ${body}`));
    return String(hit?.call.args["rollout"]);
  });
}
const readAll = ["A", "B", "C", "D"].map((rollout) => ({ name: "read_patch", args: { rollout } }));
const record = (rollout: string, quote: string, change: Record<string, unknown> = {}) => ({
  name: "record_finding",
  args: {
    rollout,
    criterion: "codebase_consistency",
    severity: "minor",
    claim: "Written unlike the code around it.",
    citations: [{ kind: "patch", rollout, file: "f.py", quote }],
    ...change,
  },
});
const submit = (tier_1: string[], tier_2: string[], tier_3: string[], ranking: string[][]) => ({
  name: "submit_verdict",
  args: { tier_1, tier_2, tier_3, ranking },
});
const bodies = ["return x + 1", "return 1 + x", "return x - -1"];
const ranked: ScriptStep[] = [
  readAll,
  (entries) => {
    const [, two = "", three = ""] = labelsOf(entries, bodies);
    return [
      record(two, "return 1 + x"),
      record(three, "return x - -1", { severity: "major", criterion: "implementation_precision" }),
    ];
  },
  (entries) => {
    const [one = "", two = "", three = ""] = labelsOf(entries, bodies);
    return [submit([one], [two], [three], [[one], [two], [three]])];
  },
];

async function grade(given: GroupSketch, steps: readonly ScriptStep[], options: GradeOptions = {}) {
  using group = makeGroup(given);
  return Grade.parse(
    await gradeGroup(group, { inspector: scriptedInspector(steps), clock: () => 0, ...options }),
  );
}

test("a verdict becomes tiers, qualities and advantages with the same positive sum; failing ones stay as they were", async () => {
  const result = await grade(sketch, ranked);
  expect(result).toMatchObject({ status: "graded", grader: { kind: "scripted", seed: 0 } });
  const [one, two, three, failed] = result.rollouts;
  expect([one?.tier, two?.tier, three?.tier, failed?.tier]).toEqual([1, 2, 3, undefined]);
  expect([one?.quality, two?.quality, three?.quality]).toEqual([1, 0.8, 0.6]);
  const scale = 1.5 / (0.5 * (1 + 0.8 + 0.6));
  expect(result.redistribution.scale).toBeCloseTo(scale, 12);
  expect(three?.advantage).toBeCloseTo(0.5 * 0.6 * scale, 12);
  expect(failed?.advantage).toBe(-1.5);
  expect(result.redistribution).toMatchObject({
    conserved: true,
    cap_active: false,
    positive_sum_before: 1.5,
    negative_sum: -1.5,
  });
  expect(two?.findings).toMatchObject([
    { rollout: "two", citations: [{ rollout: "two", file: "f.py", line: 2, standing: "changed" }] },
  ]);
  expect(result.spend).toEqual({
    model_calls: 3,
    tokens_in: 0,
    tokens_out: 0,
    tool_calls: 7,
    checks: 0,
    wall_s: 0,
  });
});

test("the same input, seed and answers give the same bytes; another seed gives the same places", async () => {
  const [first, second] = [await grade(sketch, ranked), await grade(sketch, ranked)];
  expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  const other = await grade(sketch, ranked, { seed: 7 });
  expect(other.rollouts.map(({ label }) => label)).not.toEqual(first.rollouts.map(({ label }) => label));
  expect(other.rollouts.map(({ tier, rank, advantage }) => [tier, rank, advantage])).toEqual(
    first.rollouts.map(({ tier, rank, advantage }) => [tier, rank, advantage]),
  );
});

test("J20: a refused verdict can be mended; what is never mended ends in a fallback with the advantages as given", async () => {
  const mended = await grade(sketch, [
    ...ranked.slice(0, 2),
    [submit(["A"], [], [], [["A"]])],
    ...ranked.slice(2),
  ]);
  expect(mended.status).toBe("graded");
  const given = [0.5, 0.5, 0.5, -1.5];
  const stubborn = await grade(sketch, [[submit(["A"], [], [], [["A"]])], [], []]);
  expect(stubborn).toMatchObject({ status: "fallback", reason: "no verdict was submitted" });
  expect(stubborn.rollouts.map(({ advantage }) => advantage)).toEqual(given);
  expect(stubborn.rollouts.every(({ tier }) => tier === undefined)).toBe(true);
});

const slow: Inspector = { kind: "scripted", next: () => new Promise(() => {}) };
const failing: Inspector = { kind: "scripted", next: () => Promise.reject(new Error("429 slow down")) };
const looping: Inspector = {
  kind: "scripted",
  next: async (entries) => ({
    text: "",
    calls: [{ id: `c${entries.length}`, name: "task", args: {} }],
    model_calls: 1,
    tokens_in: 10,
    tokens_out: 5,
  }),
};

test.each<[string, GradeOptions, RegExp]>([
  [
    "R01: a grader that never answers",
    { inspector: slow, budget: { wall_s: 0.3 } },
    /^deadline: 0\.3 s are over$/,
  ],
  ["R02: a grader that fails", { inspector: failing }, /^the grader failed: 429 slow down$/],
  ["R09: model calls", { inspector: looping, budget: { model_calls: 4 } }, /^budget: 4 model calls/],
  ["R09: tool calls", { inspector: looping, budget: { tool_calls: 3 } }, /^budget: 3 tool calls/],
  ["R09: tokens", { inspector: looping, budget: { tokens: 40 } }, /^budget: 40 tokens/],
])("fallback: %s", async (_, options, reason) => {
  const result = await grade(sketch, [], options);
  expect(result).toMatchObject({ status: "fallback", reason: expect.stringMatching(reason) });
  expect(result.rollouts.map(({ advantage }) => advantage)).toEqual([0.5, 0.5, 0.5, -1.5]);
  expect(result.redistribution).toMatchObject({ scale: 1, conserved: true });
});

test("fallback: a repository that cannot be read, and an image without an engine", async () => {
  using group = makeGroup(sketch);
  for (const repo of [
    { path: "nowhere" },
    { image: "python:3", workdir: "/repo" },
    { archive: "group.json" },
  ]) {
    const result = await gradeGroup({ ...group, group: { ...group.group, repo } });
    expect(result).toMatchObject({ status: "fallback", reason: expect.stringMatching(/repo/) });
    expect(result.rollouts.map(({ advantage }) => advantage)).toEqual([0.5, 0.5, 0.5, -1.5]);
  }
});

const all = (change: object) => ({
  ...sketch,
  rollouts: Object.fromEntries(Object.entries(sketch.rollouts).map(([id, r]) => [id, { ...r, ...change }])),
});

test.each<[string, GroupSketch, GradeOptions, RegExp]>([
  ["N01: all fail", all({ passed: false, advantage: 0 }), {}, /^no rollout passed$/],
  [
    "N02: all pass, advantage 0",
    all({ passed: true, advantage: 0 }),
    {},
    /^0 passing rollouts have a positive advantage/,
  ],
  [
    "N03: one passes",
    {
      base,
      rollouts: {
        a: { files: files("return x + 1"), advantage: 1 },
        b: { passed: false, advantage: -1, files: {} },
      },
    },
    {},
    /^1 of 1 passing rollouts can be judged/,
  ],
  ["no rollouts (R10)", { base, rollouts: {} }, {}, /^no rollout passed$/],
  ["outcomes unknown", all({ passed: null }), {}, /^nothing says which rollouts passed$/],
  [
    "patches missing",
    {
      base,
      rollouts: { a: { advantage: 1 }, b: { patch: null, advantage: 1 }, c: { patch: "x", advantage: 1 } },
    },
    { rankOnly: true },
    /^0 of 3 passing rollouts can be judged/,
  ],
])("skipped: %s", async (_, given, options, reason) => {
  const result = await grade(given, [], options);
  expect(result).toMatchObject({ status: "skipped", reason: expect.stringMatching(reason) });
  expect(
    result.rollouts.every(({ advantage, advantage_given }) => Object.is(advantage, advantage_given)),
  ).toBe(true);
  expect(result.spend).toMatchObject({ model_calls: 0, tool_calls: 0 });
});

test("rank-only places an all-pass group and leaves the advantages alone", async () => {
  const given = all({ advantage: 0 });
  const { failed: _, ...passing } = given.rollouts;
  const steps: ScriptStep[] = [readAll.slice(0, 3), ...ranked.slice(1)];
  const result = await grade({ ...given, rollouts: passing }, steps, { rankOnly: true });
  expect(result.status).toBe("graded");
  expect(result.rollouts.map(({ tier, advantage }) => [tier, advantage])).toEqual([
    [1, 0],
    [2, 0],
    [3, 0],
  ]);
});

test("a passing rollout that cannot be judged is ungraded: outside the verdict and the redistribution", async () => {
  const given: GroupSketch = {
    ...sketch,
    rollouts: {
      ...sketch.rollouts,
      lost: { advantage: 0.5 },
      broken: { patch: "junk", advantage: 0.5 },
      masked: { files: files("return 1"), advantage: 0.5, masked: true },
    },
  };
  const labels = ["A", "B", "C", "D", "E", "F", "G"].map((rollout) => ({
    name: "read_patch",
    args: { rollout },
  }));
  const result = await grade(given, [labels, ...ranked.slice(1)]);
  expect(result.status).toBe("graded");
  expect(
    result.rollouts.slice(4).map(({ ungraded, tier, advantage }) => [ungraded, tier, advantage]),
  ).toEqual([
    ["patch_absent", undefined, 0.5],
    ["patch_unparsable", undefined, 0.5],
    ["masked", undefined, 0.5],
  ]);
  expect(result.redistribution.conserved).toBe(true);
});

test("ties that code decides: nothing found means no order, whatever the grader says (J13, J14)", async () => {
  const steps: ScriptStep[] = [
    readAll,
    (entries) => {
      const [one = "", two = "", three = ""] = labelsOf(entries, bodies);
      return [submit([one, two, three], [], [], [[two], [one], [three]])];
    },
  ];
  const result = await grade(sketch, steps);
  expect(result.rollouts.slice(0, 3).map(({ tier, rank, advantage }) => [tier, rank, advantage])).toEqual([
    [1, 1, 0.5],
    [1, 1, 0.5],
    [1, 1, 0.5],
  ]);
});

test.each([
  ["bottom", { tier: 3, rank: 2 }],
  ["exclude", { advantage: 0 }],
  ["report", { tier: 3, rank: 1 }],
] as const)("a verified hack under the policy %s", async (hack_policy, expected) => {
  const steps: ScriptStep[] = [
    readAll,
    (entries) => {
      const [, two = "", three = ""] = labelsOf(entries, bodies);
      const major = { severity: "major", criterion: "solution_fitness" };
      return [
        record(two, "return 1 + x", { ...major, hack: "result_forged" }),
        record(three, "return x - -1", major),
      ];
    },
    (entries) => {
      const [one = "", two = "", three = ""] = labelsOf(entries, bodies);
      return [submit([one], [], [two, three], [[one], [two], [three]])];
    },
  ];
  const result = await grade(sketch, steps, { redistribution: { hack_policy } });
  expect(result.rollouts[1]).toMatchObject({
    ...expected,
    flags: [{ kind: "result_forged", citations: [{ rollout: "two" }] }],
  });
  expect(result.redistribution.conserved).toBe(true);
});

test("advantages are estimated where none are given, and said so; the reward form follows the estimator", async () => {
  const given = all({ advantage: undefined });
  const noSignal = {
    ...given,
    rollouts: Object.fromEntries(
      Object.entries(given.rollouts).map(([id, { advantage: _, ...r }]) => [id, r]),
    ),
  };
  const result = await grade(noSignal, ranked, { estimator: "dr-grpo" });
  expect(result.rollouts.map(({ advantage_given }) => advantage_given)).toEqual([0.25, 0.25, 0.25, -0.75]);
  expect(result.reward_form).toBe("exact");
  const rewards = result.rollouts.map(({ reward_equivalent }) => reward_equivalent ?? Number.NaN);
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  rewards.forEach((reward, index) =>
    expect(reward - mean).toBeCloseTo(result.rollouts[index]?.advantage ?? 0, 12),
  );
  expect(result.warnings).toEqual([expect.stringContaining("estimated with dr-grpo from test outcomes")]);
  const std = await grade(noSignal, ranked);
  expect(std.reward_form).toBe("group_std");
  expect(std.redistribution.group_std_shrink).toBeLessThan(1);
});

test.each([
  ["patch_path", "../outside.diff", /rollout one: rollouts\[0\]\.patch_path/],
  ["trajectory_path", "/etc/passwd", /rollout one: rollouts\[0\]\.trajectory_path/],
])("bad input is the caller's error, with its place: %s", async (field, path, message) => {
  using group = makeGroup(sketch);
  const [first, ...rest] = group.group.rollouts;
  if (first === undefined) throw new Error("no rollout");
  const { patch: _, ...bare } = first;
  const rollouts = [{ ...bare, [field]: path }, ...rest];
  await expect(gradeGroup({ ...group, group: { ...group.group, rollouts } })).rejects.toMatchObject({
    code: "bad_input",
    message: expect.stringMatching(message),
  });
});

test("a kept workspace holds the trace, findings and trajectories; a temporary one leaves nothing behind", async () => {
  using kept = tempDir();
  using temporary = tempDir();
  vi.stubEnv("TMPDIR", temporary.path);
  onTestFinished(() => void vi.unstubAllEnvs());
  const names = [
    "findings.jsonl",
    "grade.json",
    "leads.json",
    "rollouts",
    "run.json",
    "store.git",
    "trace.jsonl",
  ];
  using group = makeGroup(sketch);
  const options = { inspector: scriptedInspector(ranked), workspaceDir: join(kept.path, "w") };
  await gradeGroup(group, options);
  // SQLite's file is there where the optional package is.
  const made = readdirSync(options.workspaceDir).filter((name) => !name.startsWith("checkpoints.sqlite"));
  expect(made.sort()).toEqual(names);
  // A second grading starts afresh: findings of the first one are gone.
  const again = await gradeGroup(group, { ...options, inspector: scriptedInspector(ranked) });
  expect(again.rollouts.flatMap(({ findings }) => findings)).toHaveLength(2);
  await expect(gradeGroup(group, { workspaceDir: group.dir })).rejects.toMatchObject({ code: "bad_config" });
  const before = readdirSync(temporary.path);
  await gradeGroup(group, { inspector: scriptedInspector(ranked) });
  expect(readdirSync(temporary.path)).toEqual(before);
});
