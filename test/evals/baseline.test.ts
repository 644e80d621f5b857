import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBaseline, regressions } from "../../src/evals/baseline.ts";
import { placesOf } from "../../src/evals/graders/places.ts";
import { noLabels, type Case } from "../../src/evals/suites/case.ts";
import type { Answer, Place } from "../../src/evals/types.ts";
import { GraderError } from "../../src/index.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const GROUPS = ["g0", "g1", "g2", "g3", "g4", "g5"];
const cases = GROUPS.map((id): Case => {
  const group = { group_id: id, task: { id, statement: "" }, repo: { path: "r" }, rollouts: [] };
  const labels = { ...noLabels(id), tiers: { a: 1, b: 2, c: 3 } as const };
  return { suite: "s", loaded: { group, root: "", source: id, warnings: [] }, labels };
});
const GOOD: Place["tier"][] = [1, 2, 3];
const BAD: Place["tier"][] = [3, 2, 1];

/** The answers of one grader; `of` says how it places a, b and c of each group. */
const answers = (of: (index: number) => Place["tier"][], grader = "x", status: Answer["status"] = "graded") =>
  GROUPS.map((group_id, index): Answer => {
    const [a = 1, b = 1, c = 1] = of(index);
    return {
      grader,
      suite: "s",
      group_id,
      repeat: 0,
      seed: 0,
      status,
      places: status === "graded" ? placesOf({ a: { tier: a }, b: { tier: b }, c: { tier: c } }) : {},
      findings: [],
      flags: [],
      usage: {
        model_calls: 0,
        tokens_in: 0,
        tokens_out: 0,
        tool_calls: 0,
        checks: 0,
        seconds: 0,
        price: null,
      },
    };
  });

test.each<[string, Answer[], Answer[], string[]]>([
  ["the same", answers(() => GOOD), answers(() => GOOD), []],
  ["better", answers(() => BAD), answers(() => GOOD), []],
  ["worse everywhere", answers(() => GOOD), answers(() => BAD), ["cross_tier_accuracy", "pairwise_accuracy"]],
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
