import { expect, test } from "vitest";
import { groupRuns } from "../../../src/evals/metrics/runs.ts";
import type { Answer, GroupLabels } from "../../../src/evals/types.ts";
import { GraderError } from "../../../src/index.ts";
import { answer, labels } from "./cases.ts";

test("answers by group, repeat and variant, in one order however they were written", () => {
  const answers = [
    answer({ group_id: "h", repeat: 1 }),
    answer({ group_id: "g", variant: "shuffled", repeat: 1 }),
    answer({ group_id: "g", variant: "shuffled" }),
    answer({ group_id: "h", suite: "r", repeat: 2 }),
    answer({ group_id: "h", repeat: 0 }),
    answer({ group_id: "g", variant: "renamed" }),
    answer({ group_id: "f" }),
  ];
  const known = labels({ group_id: "g" });
  const [h1, g1, g0, h2, h0, renamed, f] = answers;
  const runs = [
    { group_id: "f", plain: [f], variants: {} },
    { group_id: "g", labels: known, plain: [], variants: { shuffled: [g0, g1], renamed: [renamed] } },
    { group_id: "h", plain: [h2, h0, h1], variants: {} },
  ];
  expect(groupRuns([labels({ group_id: "x" }), known], answers)).toStrictEqual(runs);
  expect(groupRuns([known], answers.toReversed())).toStrictEqual(runs);
  expect(groupRuns([known], [])).toEqual([]);
});

test("answers that differ in suite, group, repeat or variant may stand together", () => {
  const answers = [{}, { suite: "t" }, { group_id: "h" }, { repeat: 1 }, { variant: "shuffled" }].map(answer);
  expect(groupRuns([], answers).flatMap(({ plain }) => plain)).toHaveLength(4);
});

test.each<[string, Partial<GroupLabels>[], Partial<Answer>[], string]>([
  ["two graders", [], [{}, { grader: "b", repeat: 1 }], "group g: grader: is of b, and others of tested"],
  ["a plain answer twice", [], [{}, {}], "group g: repeat: repeat 0 of the plain run is answered twice"],
  [
    "a variant twice",
    [],
    [
      { variant: "renamed", repeat: 3 },
      { variant: "renamed", repeat: 3 },
    ],
    "group g: repeat: repeat 3 of renamed is answered twice",
  ],
  ["labels twice", [{}, {}], [], "group g: has labels twice"],
  [
    "labels against themselves",
    [{ tiers: { a: 1, b: 2 }, ties: [["b", "a"]] }],
    [],
    "group g: rollout b: the labels say two different things about b and a",
  ],
])("%s: refused with the place", (_, known, answers, message) => {
  expect(refusal(() => groupRuns(known.map(labels), answers.map(answer)))).toEqual(["bad_input", message]);
});

function refusal(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error instanceof GraderError ? [error.code, error.message] : error;
  }
}
