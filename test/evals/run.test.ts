import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { noLabels, type Case } from "../../src/evals/suites/case.ts";
import { NO_USAGE, placed, type Graded, type Grader } from "../../src/evals/graders/grader.ts";
import { placesOf } from "../../src/evals/graders/places.ts";
import { runGraders, type RunOptions } from "../../src/evals/run.ts";
import { invarianceCases } from "../../src/evals/suites/invariance.ts";
import { GraderError } from "../../src/index.ts";
import { makeGroup } from "../helpers/group.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const base = { "f.py": "x = 1\n" };
const made = (id: string) =>
  makeGroup({
    id,
    base,
    rollouts: { a: { files: { "f.py": "x = 2\n" } }, b: { files: { "f.py": "x = 3\n" } } },
  });

/** A grader that costs money and counts how often it is asked. */
function paid(answer: () => Graded | Promise<Graded> = () => graded): Grader & { asked: string[] } {
  const asked: string[] = [];
  return {
    name: "paid",
    model: "m",
    cost: "tokens",
    asked,
    async grade({ group }, { seed }) {
      asked.push(`${group.group_id} ${seed}`);
      return answer();
    },
  };
}
const usage = { ...NO_USAGE, model_calls: 1, tokens_in: 2_000_000, tokens_out: 500_000 };
const graded: Graded = { ...placed(placesOf({ a: { tier: 1 }, b: { tier: 2 } })), usage };

const run = (out: string, cases: Case[], graders: Grader[], options: Partial<RunOptions> = {}) =>
  runGraders({
    cases,
    graders,
    out,
    repeat: 1,
    seed: 0,
    concurrency: 1,
    resume: false,
    deadline: 60,
    ...options,
  });
const caseOf = (loaded: Case["loaded"], suite = "s"): Case => ({
  suite,
  loaded,
  labels: noLabels(loaded.group.group_id),
});
const withoutSeconds = (value: unknown) => JSON.stringify(value).replaceAll(/"seconds":[\d.]+/g, "");

test("a resumed run asks only what has no answer yet, and its answers are those of a run in one go", async () => {
  using dir = tempDir();
  using first = made("g");
  using second = made("h");
  const cases = [caseOf(first), caseOf(second)];
  const grader = paid();
  await run(dir.path, cases.slice(0, 1), [grader], { repeat: 2 });
  expect(grader.asked).toEqual(["g 0", "g 1"]);
  const resumed = await run(dir.path, cases, [grader], { repeat: 3, resume: true });
  expect(grader.asked).toEqual(["g 0", "g 1", "g 2", "h 0", "h 1", "h 2"]);
  using fresh = tempDir();
  expect(withoutSeconds(resumed)).toBe(withoutSeconds(await run(fresh.path, cases, [paid()], { repeat: 3 })));
});

test.each<[string, (options: { grader: Grader; dir: string }) => Partial<RunOptions>]>([
  ["another seed", () => ({ seed: 7 })],
  ["another model", ({ grader }) => ({ graders: [{ ...grader, model: "n" }] })],
  ["another prompt", ({ grader }) => ({ graders: [{ ...grader, prompt_hash: "p" }] })],
  ["another name", ({ grader }) => ({ graders: [{ ...grader, name: "n" }] })],
  [
    "another repository",
    ({ dir }) => {
      appendFileSync(join(dir, "repo/f.py"), "y = 1\n");
      return {};
    },
  ],
])("%s is another question", async (_, change) => {
  using dir = tempDir();
  using group = made("g");
  const grader = paid();
  await run(dir.path, [caseOf(group)], [grader]);
  const changed = change({ grader, dir: group.dir });
  await run(dir.path, [caseOf(group)], [...(changed.graders ?? [grader])], { ...changed, resume: true });
  expect(grader.asked).toHaveLength(2);
});

test("law: wherever a kill cuts the file, at most the cut answer is asked for again", async () => {
  using whole = tempDir();
  using first = made("g");
  using second = made("h");
  const cases = [caseOf(first), caseOf(second)];
  await run(whole.path, cases, [paid()], { repeat: 2 });
  const text = readFileSync(join(whole.path, "results.jsonl"), "utf8");
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const cut = fc.oneof(fc.integer({ min: 0, max: text.length }), fc.constantFrom(...ends));
  await fc.assert(
    fc.asyncProperty(cut, async (at) => {
      using dir = tempDir();
      writeFileSync(join(dir.path, "results.jsonl"), text.slice(0, at));
      const kept = text.slice(0, at).split("\n").length - 1;
      const grader = paid();
      const answers = await run(dir.path, cases, [grader], { repeat: 2, resume: true });
      // A line that lacks its end of line alone is whole all the same.
      expect(grader.asked).toHaveLength(4 - kept - (ends.includes(at) ? 1 : 0));
      expect(answers.map(({ group_id, seed }) => `${group_id} ${seed}`)).toEqual([
        "g 0",
        "g 1",
        "h 0",
        "h 1",
      ]);
      const again = paid();
      await run(dir.path, cases, [again], { repeat: 2, resume: true });
      expect(again.asked).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test("what had no answer is asked again, and what stood in the way is told", async () => {
  using dir = tempDir();
  using group = made("g");
  const failures: [string, () => Graded, string, RegExp][] = [
    [
      "fallback",
      () => {
        throw new GraderError("fallback", "rate_limited: later");
      },
      "fallback",
      /rate_limited/,
    ],
    [
      "error",
      () => {
        throw new TypeError("x is not a function");
      },
      "error",
      /not a function/,
    ],
  ];
  for (const [, fail, status, reason] of failures) {
    const [answer] = await run(dir.path, [caseOf(group)], [paid(fail)]);
    expect(answer).toMatchObject({ status, reason, places: {} });
  }
  const grader = paid();
  const [answer] = await run(dir.path, [caseOf(group)], [grader], { resume: true });
  expect([answer?.status, grader.asked.length]).toEqual(["graded", 1]);
});

test("answers that were paid for are not thrown away; free ones are", async () => {
  using dir = tempDir();
  using group = made("g");
  const free: Grader = { ...paid(), cost: "free", grade: async () => ({ ...graded, usage: NO_USAGE }) };
  await run(dir.path, [caseOf(group)], [free]);
  await run(dir.path, [caseOf(group)], [paid()]);
  const before = readFileSync(join(dir.path, "results.jsonl"), "utf8");
  await expect(run(dir.path, [caseOf(group)], [free])).rejects.toThrow(
    /1 answers that a model gave.*--resume/,
  );
  expect(readFileSync(join(dir.path, "results.jsonl"), "utf8")).toBe(before);
});

test("the same group in two suites is asked once and answers in both", async () => {
  using dir = tempDir();
  using group = made("g");
  const grader = paid();
  const cases = [caseOf(group, "s"), ...invarianceCases([caseOf(group)], 0)];
  const answers = await run(dir.path, cases, [grader], { concurrency: 3 });
  expect(answers.map(({ suite, variant }) => [suite, variant])).toEqual([
    ["s", undefined],
    ...[undefined, "shuffled", "renamed", "duplicated", "extra-failing"].map((name) => ["invariance", name]),
  ]);
  expect(grader.asked).toHaveLength(5);
});

test("prices are those of the run, and unknown without them", async () => {
  using dir = tempDir();
  using group = made("g");
  const prices = { in: 1.5, out: 4 };
  const price = async (grader: Grader, options: Partial<RunOptions>) =>
    (await run(dir.path, [caseOf(group)], [grader], { resume: true, ...options }))[0]?.usage.price;
  expect(await price(paid(), {})).toBeNull();
  expect(await price(paid(), { prices })).toBe(5);
  expect(await price({ ...paid(), name: "f", cost: "free" }, {})).toBe(0);
  expect(await price({ ...paid(), name: "u", cost: "unknown" }, { prices })).toBeNull();
});

test("law: many at once give the same answers in the same order as one by one", async () => {
  using group = made("g");
  using other = made("h");
  const cases = [caseOf(group), caseOf(other), caseOf(group, "t")];
  const slow = paid(async () => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
    return graded;
  });
  const answers = [];
  for (const concurrency of [1, 4]) {
    using dir = tempDir();
    answers.push(withoutSeconds(await run(dir.path, cases, [slow], { concurrency, repeat: 3 })));
  }
  expect(answers[1]).toBe(answers[0]);
});
