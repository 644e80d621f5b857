import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { againstBaseline, readBaseline } from "../../src/evals/baseline.ts";
import { baselineLines, silentGraders } from "../../src/evals/report.ts";
import type { Answer } from "../../src/evals/types.ts";
import { GraderError } from "../../src/index.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { answers, BAD, cases, GOOD } from "./made-answers.ts";

test.each<[string, Answer[], Answer[], string[]]>([
  ["the same", answers(() => GOOD), answers(() => GOOD), []],
  ["better", answers(() => BAD), answers(() => GOOD), []],
  [
    "worse everywhere",
    answers(() => GOOD),
    answers(() => BAD),
    ["cross_tier_accuracy", "pairwise_accuracy", "tier_exact", "sound_blamed", "faulty_missed"],
  ],
  [
    "worse here, better there",
    answers((n) => (n < 3 ? GOOD : BAD)),
    answers((n) => (n < 3 ? BAD : GOOD)),
    [],
  ],
  ["no answers any more", answers(() => GOOD), answers(() => GOOD, "x", "fallback"), ["fallback_rate"]],
])("against a baseline: %s", (_, before, now, metrics) => {
  expect(againstBaseline(cases, before, now, "f").worse.map(({ metric }) => metric)).toEqual(metrics);
});

test("graders are compared by name, and a run with nothing in common is no comparison", () => {
  const now = [...answers(() => BAD, "x"), ...answers(() => BAD, "y")];
  const { worse: found } = againstBaseline(
    cases,
    answers(() => GOOD, "y"),
    now,
    "old.json",
  );
  expect(new Set(found.map(({ grader }) => grader))).toEqual(new Set(["y"]));
  expect(() =>
    againstBaseline(
      cases,
      answers(() => GOOD, "z"),
      now,
      "old.json",
    ),
  ).toThrow(/old\.json: has no grader and suite in common/);
});

test("with fewer than two groups in common nothing is known, and that is said", () => {
  const before = answers(() => GOOD);
  const one = answers(() => BAD).slice(0, 1);
  const found = againstBaseline(cases, before, one, "f");
  expect(found).toEqual({ worse: [], unknown: [{ grader: "x", suite: "s", groups: 1 }] });
  expect(baselineLines(found)).toEqual([
    "x on s: only one group in common with the baseline, at least two are needed to tell",
  ]);
});

test("a grader that graded nothing anywhere is silent; one answer is enough not to be", () => {
  const failed = answers(() => GOOD, "x", "fallback");
  expect(silentGraders({ answers: [...failed, ...answers(() => GOOD, "y")] })).toEqual(["x"]);
  expect(silentGraders({ answers: [...failed, ...answers(() => GOOD).slice(0, 1)] })).toEqual([]);
});

test.each<[string, string, RegExp]>([
  ["no JSON", "x", /no JSON/],
  ["another shape", '{"answers": [{"grader": 1}]}', /answers\.0\.grader/],
])("a baseline that is %s is refused with its place", async (_, text, message) => {
  using dir = tempDir();
  const file = join(dir.path, "old.json");
  writeFileSync(file, text);
  await expect(readBaseline(file)).rejects.toThrow(message);
  await expect(readBaseline(file)).rejects.toBeInstanceOf(GraderError);
});
