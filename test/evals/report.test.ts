import { expect, test } from "vitest";
import type { Grader } from "../../src/evals/graders/grader.ts";
import { resultsMarkdown, resultsText } from "../../src/evals/report.ts";
import { labelsOf, resultsOf } from "../../src/evals/results.ts";
import type { Answer } from "../../src/evals/types.ts";
import { answers, BAD, cases, GOOD } from "./made-answers.ts";

const grader = (name: string): Grader => ({
  name,
  cost: "free",
  grade: () => Promise.reject(new Error("nobody is asked here")),
});

const page = (given: Answer[], names: string[]) => {
  const results = resultsOf(cases, names.map(grader), given, [], 0);
  return {
    text: resultsText(results),
    markdown: resultsMarkdown(results, new Map([["s", labelsOf(cases, "s")]])),
  };
};

test("a page compares every other grader with the first, paired over the groups that both have", () => {
  const good = answers(() => GOOD, "good");
  const { markdown, text } = page([...good, ...answers(() => BAD, "bad")], ["good", "bad"]);
  expect(markdown).toContain(`### bad against good, paired over groups

| metric | good | bad | difference | p | groups |
| --- | --- | --- | --- | --- | --- |
| cross tier accuracy | 1 | 0 | -1 [-1, -1] | 0.031 | 6 |`);
  // What both have none of says nothing.
  expect(markdown).not.toMatch(/\| fallback rate \| 0 \| 0 \|/);
  expect(text).toMatch(/^good +1 /m);
  expect(text).toMatch(/^bad +0 /m);
});

test("one grader is compared with nobody; what was not graded is told with its reason", () => {
  const fell = answers(() => GOOD, "alone", "fallback").map((answer) => ({ ...answer, reason: "too late" }));
  const { markdown } = page(fell, ["alone"]);
  expect(markdown).not.toContain("paired over groups");
  expect(markdown).toContain("- alone: s/g0: fallback: too late");
});
