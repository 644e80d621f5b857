import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBaseline, regressions } from "../../src/evals/baseline.ts";
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
  expect(regressions(cases, before, now, "f").map(({ metric }) => metric)).toEqual(metrics);
});

test("graders are compared by name, and a run with nothing in common is no comparison", () => {
  const now = [...answers(() => BAD, "x"), ...answers(() => BAD, "y")];
  const found = regressions(
    cases,
    answers(() => GOOD, "y"),
    now,
    "old.json",
  );
  expect(new Set(found.map(({ grader }) => grader))).toEqual(new Set(["y"]));
  expect(() =>
    regressions(
      cases,
      answers(() => GOOD, "z"),
      now,
      "old.json",
    ),
  ).toThrow(/old\.json: has no grader and suite in common/);
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
