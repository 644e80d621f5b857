import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BASELINES } from "../../src/evals/graders/baselines.ts";
import { openGraders } from "../../src/evals/graders/index.ts";
import { placesOf } from "../../src/evals/graders/places.ts";
import { parseScoreTiers } from "../../src/evals/graders/score-tiers.ts";
import type { Place } from "../../src/evals/types.ts";
import type { LoadedGroup } from "../../src/index.ts";
import { makeGroup } from "../helpers/group.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { CONTEXT } from "./labelled.ts";

const base = { "f.py": "x = 1\n" };
const group = () =>
  makeGroup({
    base,
    rollouts: {
      big: { files: { "f.py": "x = 2\ny = 3\n" } },
      small: { files: { "f.py": "x = 2\n" } },
      alike: { files: { "f.py": "x = 3\n" } },
      failed: { files: {}, passed: false },
    },
  });
const standing = fc.record({
  tier: fc.constantFrom<Place["tier"]>(1, 2, 3),
  score: fc.integer({ min: 0, max: 4 }),
});

test("law: ranks are dense inside a tier, follow the score, and equal scores are tied", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), standing), (standings) => {
      const places = Object.values(placesOf(standings));
      for (const tier of [1, 2, 3]) {
        const ranks = [...new Set(places.filter((place) => place.tier === tier).map(({ rank }) => rank))];
        expect(ranks.sort((a, b) => a - b)).toEqual(ranks.map((_, index) => index + 1));
      }
      for (const one of places)
        for (const other of places)
          if (one.tier === other.tier)
            expect(Math.sign(one.rank - other.rank)).toBe(Math.sign((other.score ?? 0) - (one.score ?? 0)));
    }),
  );
});

test("a rank goes before a score, and what has neither comes last", () => {
  const standings = {
    a: { tier: 1, rank: 7, score: 0 },
    b: { tier: 1, rank: 2, score: 9 },
    c: { tier: 1 },
  } as const;
  expect(Object.values(placesOf(standings)).map(({ rank }) => rank)).toEqual([2, 1, 3]);
});

const graded = async (name: string, loaded: LoadedGroup, seed = 0) =>
  (await BASELINES[name]?.grade(loaded, { ...CONTEXT, seed }))?.places;

test("the baselines place what passed", async () => {
  using loaded = group();
  expect(await graded("smallest-patch", loaded)).toEqual({
    big: { tier: 1, rank: 2 },
    small: { tier: 1, rank: 1 },
    alike: { tier: 1, rank: 1 },
  });
  expect(await graded("constant", loaded)).toEqual({
    big: { tier: 1, rank: 1 },
    small: { tier: 1, rank: 1 },
    alike: { tier: 1, rank: 1 },
  });
  const random = await graded("random", loaded);
  expect(Object.keys(random ?? {})).toEqual(["big", "small", "alike"]);
  expect(await graded("random", loaded)).toEqual(random);
  expect(await graded("random", loaded, 1)).not.toEqual(random);
});

test("random is fair: over many seeds each tier and each order comes up equally often", async () => {
  using loaded = group();
  const draws = 3000;
  let above = 0;
  const tiers = [0, 0, 0, 0];
  for (let seed = 0; seed < draws; seed += 1) {
    const { big, small } = (await graded("random", loaded, seed)) ?? {};
    if (big === undefined || small === undefined) throw new Error("not placed");
    tiers[big.tier] = (tiers[big.tier] ?? 0) + 1;
    if (big.tier < small.tier || (big.tier === small.tier && big.rank < small.rank)) above += 1;
  }
  // Three standard deviations of a share of 3000 draws are below 0.03.
  expect(Math.abs(above / draws - 1 / 2)).toBeLessThan(0.03);
  for (const tier of [1, 2, 3]) expect(Math.abs((tiers[tier] ?? 0) / draws - 1 / 3)).toBeLessThan(0.03);
});

const rows = [
  { group_id: "g", rollout_id: "big", score: 0.9 },
  { group_id: "g", id: "small", score: 0.9, extra: 1 },
  { group_id: "g", rollout_id: "alike", score: 0.3 },
  { group_id: "g", rollout_id: "failed", score: 1 },
];
const nested = { g: { big: 0.9, small: 0.9, alike: 0.3 }, h: { x: 1 } };
const lines = rows.map((row) => JSON.stringify(row)).join("\n");
const inOrder = { big: [1, 1], small: [1, 1], alike: [1, 2] };

test.each<[string, string, string, string | undefined, Record<string, number[]>]>([
  ["JSON Lines", "s.jsonl", `\n${lines}\n`, undefined, inOrder],
  ["JSON Lines of one line", "s.jsonl", JSON.stringify(rows[0]), undefined, { big: [1, 1] }],
  ["a list", "s.json", JSON.stringify(rows, null, 2), undefined, inOrder],
  ["an object by group", "s.json", JSON.stringify(nested), undefined, inOrder],
  ["thresholds", "s.json", JSON.stringify(nested), "0.9,0.5", { big: [1, 1], small: [1, 1], alike: [3, 1] }],
  [
    "tiers of its own",
    "s.json",
    JSON.stringify(rows.map((row, index) => ({ ...row, tier: index + 1 > 3 ? 3 : index + 1 }))),
    "0.9,0.5",
    { big: [1, 1], small: [2, 1], alike: [3, 1] },
  ],
])("scores made elsewhere: %s", async (_, name, text, tiers, expected) => {
  using loaded = group();
  using dir = tempDir();
  const file = join(dir.path, name);
  writeFileSync(file, text);
  const options = tiers === undefined ? {} : { scoreTiers: parseScoreTiers(tiers) };
  const [grader] = await openGraders([file], options);
  const answer = await grader?.grade(loaded, CONTEXT);
  const places = Object.entries(answer?.places ?? {}).map(([id, { tier, rank }]) => [id, [tier, rank]]);
  expect([grader?.name, Object.fromEntries(places)]).toEqual(["s", expected]);
});

test("scores of other groups alone: skipped with the reason", async () => {
  using loaded = group();
  using dir = tempDir();
  const file = join(dir.path, "s.json");
  writeFileSync(file, '{"h": {"x": 1}}');
  const [grader] = await openGraders([file], {});
  expect(await grader?.grade(loaded, CONTEXT)).toMatchObject({
    status: "skipped",
    reason: /no scores/,
    places: {},
  });
});

test.each<[string, string, RegExp]>([
  ["a broken line", `${lines}\n{"group_id": "g",`, /s\.jsonl:5: no JSON/],
  ["no score", '{"group_id": "g", "id": "a"}', /s\.jsonl:1: score: /],
  ["a score that is no number", '{"group_id": "g", "id": "a", "score": "1"}', /s\.jsonl:1: score: /],
  ["no rollout", '{"group_id": "g", "score": 1}', /s\.jsonl:1: rollout_id: rollout_id is missing/],
  ["a tier that there is not", '{"group_id": "g", "id": "a", "score": 1, "tier": 4}', /s\.jsonl:1: tier: /],
  ["two scores", `${lines}\n${JSON.stringify(rows[0])}`, /s\.jsonl:5: group g: rollout big: has two scores/],
  ["something else", "[1]", /s\.jsonl: 0: /],
])("scores made elsewhere: %s is refused with its place", async (_, text, message) => {
  using dir = tempDir();
  const file = join(dir.path, "s.jsonl");
  writeFileSync(file, text);
  await expect(openGraders([file], {})).rejects.toThrow(message);
});

test.each(["0.5", "0.5,0.8", "a,b", "1,0,0", ","])("--score-tiers %s is refused", (text) => {
  expect(() => parseScoreTiers(text)).toThrow(/the larger first/);
});

const MODULE = `export default async ({ rollouts, group_id }, { seed }) => {
  if (rollouts.some((one) => one.patch_path || !("patch" in one)) || seed !== 0) throw new Error("not as promised");
  return Object.fromEntries(rollouts.filter((one) => one.passed).map(({ id, patch }) =>
    [id, { tier: patch.includes("+y") ? 2 : 1, score: id === "small" ? 1 : 0 }]));
};`;

test("a module is called with the contents of the group, and its scores rank inside its tiers", async () => {
  using loaded = group();
  using dir = tempDir();
  const file = join(dir.path, "mine.mjs");
  writeFileSync(file, MODULE);
  const [grader] = await openGraders([file], {});
  expect(grader).toMatchObject({ name: "mine", cost: "unknown" });
  expect((await grader?.grade(loaded, CONTEXT))?.places).toEqual({
    big: { tier: 2, rank: 1, score: 0 },
    small: { tier: 1, rank: 1, score: 1 },
    alike: { tier: 1, rank: 2, score: 0 },
  });
});

test.each<[string, string, RegExp]>([
  [
    "a failing rollout",
    "() => ({ failed: { tier: 1 } })",
    /rollout failed: was placed but is no passing rollout/,
  ],
  [
    "a tier that there is not",
    "() => ({ big: { tier: 0 } })",
    /group g: big\.tier: gave an answer of another shape/,
  ],
  ["nothing", "() => undefined", /group g: gave an answer of another shape/],
])("a module that answers with %s is refused", async (_, code, message) => {
  using loaded = group();
  using dir = tempDir();
  const file = join(dir.path, "mine.mjs");
  writeFileSync(file, `export default ${code};`);
  const [grader] = await openGraders([file], {});
  await expect(grader?.grade(loaded, CONTEXT)).rejects.toThrow(message);
});

test.each<[string[], RegExp]>([
  [["nobody"], /"nobody" is none of offline, agent, one-prompt/],
  [["agent"], /agent needs --model/],
  [["one-prompt"], /one-prompt needs --model/],
  [["none.json"], /none\.json: no such file/],
  [["none.mjs"], /none\.mjs: no such file/],
])("graders %j: refused", async (names, message) => {
  await expect(openGraders(names, {})).rejects.toThrow(message);
});

test("two graders of one name, and a module that exports no function, are refused", async () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, "constant.json"), "{}");
  writeFileSync(join(dir.path, "mine.mjs"), "export const x = 1;");
  await expect(openGraders(["constant", join(dir.path, "constant.json")], {})).rejects.toThrow(/two graders/);
  await expect(openGraders([join(dir.path, "mine.mjs")], {})).rejects.toThrow(/no default export/);
});
