import { placesOf } from "../../src/evals/graders/places.ts";
import { noLabels, type Case } from "../../src/evals/suites/case.ts";
import type { Answer, Place } from "../../src/evals/types.ts";

/** Six groups of three rollouts a, b, c, labelled with tiers 1, 2 and 3. */
export const GROUPS = ["g0", "g1", "g2", "g3", "g4", "g5"];
export const cases = GROUPS.map((id): Case => {
  const group = { group_id: id, task: { id, statement: "" }, repo: { path: "r" }, rollouts: [] };
  const labels = { ...noLabels(id), tiers: { a: 1, b: 2, c: 3 } as const };
  return { suite: "s", loaded: { group, root: "", source: id, warnings: [] }, labels };
});
export const GOOD: Place["tier"][] = [1, 2, 3];
export const BAD: Place["tier"][] = [3, 2, 1];

/** The answers of one grader; `of` says how it places a, b and c of each group. */
export const answers = (
  of: (index: number) => Place["tier"][],
  grader = "x",
  status: Answer["status"] = "graded",
) =>
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
