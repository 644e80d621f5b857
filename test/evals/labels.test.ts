import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readLabels } from "../../src/evals/suites/labels.ts";
import { externalSuite } from "../../src/evals/suites/external.ts";
import { GraderError } from "../../src/index.ts";
import { makeGroup } from "../helpers/group.ts";
import { tempDir } from "../helpers/temp-dir.ts";

function write(root: string, files: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), typeof value === "string" ? value : JSON.stringify(value));
  }
}

const finding = { criterion: "solution_fitness", severity: "major", claim: "is wrong", lines: [3, 4] };
const tiers = {
  group_id: "g",
  rollouts: {
    a: { passed: true, tier: 1, findings: [] },
    b: { passed: true, tier: 3, hack: true, findings: [{ ...finding, file: "f.py", quote: null }] },
    c: { passed: true, tier: 2, findings: [{ ...finding, severity: "minor" }] },
    d: { passed: false, failure_mode: "x", findings: [] },
  },
  order: [["a"], ["c"], ["b"]],
  identical_patches: [["a", "x", "y"]],
  cosmetic_only: [["b", "c"]],
  hidden_checks: [{ id: "h", expect_fail: ["b", "c"] }],
};

const major = { ...finding, file: "f.py", behavioural: true };
const known = {
  group_id: "g",
  tiers: { a: 1, b: 3, c: 2 },
  order: [["a"], ["c"], ["b"]],
  ties: [
    ["a", "x"],
    ["a", "y"],
    ["x", "y"],
    ["b", "c"],
  ],
  pairs: [],
  hacks: ["b"],
  findings: { a: [], b: [major], c: [{ ...finding, severity: "minor", behavioural: false }], d: [] },
};
const paired = {
  group_id: "g",
  tiers: {},
  ties: [["a", "b"]],
  pairs: [{ better: "c", worse: "a" }],
  hacks: [],
  findings: {},
};
const quality = {
  rollouts: { a: { duplicate_of: null }, b: { passing: true, duplicate_of: "a" } },
  pairs: [{ better: "c", worse: "a", reason: "r" }],
};

test.each<[string, Record<string, unknown>, unknown]>([
  ["tiers in labels.json", { "labels.json": tiers }, known],
  ["tiers by the group's name", { "g.json": tiers }, known],
  ["tiers in a folder of that name", { "g/labels.json": tiers }, known],
  ["pairs", { "quality.json": quality }, paired],
  ["nothing", { "other.json": tiers }, undefined],
])("labels: %s", async (_, files, expected) => {
  using dir = tempDir();
  write(dir.path, files);
  expect(await readLabels("g", dir.path)).toEqual(expected);
});

test.each<[string, unknown, RegExp]>([
  ["no JSON", "{", /labels\.json: no JSON/],
  [
    "a tier that there is not",
    { ...tiers, rollouts: { a: { tier: 4 } } },
    /labels\.json: rollouts\.a\.tier: /,
  ],
  ["labels of another group", { ...tiers, group_id: "h" }, /group g: group_id: are the labels of "h"/],
])("labels: %s is refused with its place", async (_, labels, message) => {
  using dir = tempDir();
  write(dir.path, { "labels.json": labels });
  await expect(readLabels("g", dir.path)).rejects.toThrow(message);
});

const base = { "f.py": "x = 1\n" };
const rollouts = { a: { files: { "f.py": "x = 2\n" } }, b: { files: { "f.py": "x = 3\n" } } };
const labels = { group_id: "g", rollouts: { a: { tier: 1 }, b: { tier: 2 } } };

test("a folder of groups: those that can be read are read, whatever is wrong with the others", async () => {
  using good = makeGroup({ base, rollouts });
  using bad = makeGroup({ base, rollouts, id: "bad" });
  using dir = tempDir();
  write(good.dir, { "labels/labels.json": labels });
  write(bad.dir, { "labels/labels.json": { group_id: "bad", rollouts: { none: { tier: 1 } } } });
  symlinkSync(good.dir, join(dir.path, "good"));
  symlinkSync(bad.dir, join(dir.path, "bad"));
  mkdirSync(join(dir.path, "_tools"));
  const { cases, failures } = await externalSuite("s", dir.path);
  expect(cases.map((one) => one.labels)).toMatchObject([{ group_id: "g", tiers: { a: 1, b: 2 } }]);
  expect(failures.map(({ code, where }) => [code, where.group, where.rollout])).toEqual([
    ["bad_input", "bad", "none"],
  ]);
  await expect(externalSuite("s", join(dir.path, "_tools"))).rejects.toThrow(/holds no group/);
  await expect(externalSuite("s", join(dir.path, "none"))).rejects.toThrow(/no such suite/);
});

test("a plain folder takes its outcomes from beside its labels", async () => {
  using dir = tempDir();
  write(dir.path, {
    "task.md": "Do it.",
    "repo/f.py": "x = 1\n",
    "rollouts/a/patch.diff": "",
    "rollouts/b/patch.diff": "",
    "labels/outcomes.json": { rollouts: { a: { resolved: true }, b: { resolved: false } } },
  });
  const { cases } = await externalSuite("s", dir.path);
  expect(cases[0]?.loaded.group.rollouts.map(({ passed }) => passed)).toEqual([true, false]);
  expect(cases[0]?.labels).toMatchObject({ tiers: {}, pairs: [] });
});

test.each<[string, string, Record<string, unknown>]>([
  ["the repository around the labels", "repo.path", { repo: { path: "." } }],
  ["the labels as the repository", "repo.path", { repo: { path: "labels" } }],
  ["a link to the labels", "repo.path", { repo: { path: "link" } }],
  ["an archive among the labels", "repo.archive", { repo: { archive: "labels/x.tar" } }],
  ["tests among the labels", "tests.patch_path", { tests: { command: "x", patch_path: "labels/t.patch" } }],
  ["a patch among the labels", "rollouts[0].patch_path", { rollout: { patch_path: "labels/gold.patch" } }],
  [
    "a trajectory that is the labels",
    "rollouts[0].trajectory_path",
    { rollout: { trajectory_path: "labels/labels.json" } },
  ],
])("a group that would show labels to a grader is refused: %s", async (_, field, { rollout, ...change }) => {
  using made = makeGroup({ base, rollouts });
  write(made.dir, { "labels/labels.json": labels });
  symlinkSync("labels", join(made.dir, "link"));
  const [first, ...others] = made.group.rollouts;
  const replaced = rollout === undefined ? first : { id: "a", passed: true, ...rollout };
  const group = { ...made.group, ...change, rollouts: [replaced, ...others] };
  write(made.dir, { "group.json": group });
  const { cases, failures } = await externalSuite("s", made.dir);
  expect(cases).toEqual([]);
  expect(failures[0]).toBeInstanceOf(GraderError);
  expect(failures[0]).toMatchObject({ code: "bad_input", where: { group: "g", field } });
});
