import * as z from "zod";
import { GraderError } from "../index.ts";
import { compareGraders } from "./metrics/summary.ts";
import { readJson } from "./read-json.ts";
import { AnswerSchema } from "./results-file.ts";
import { labelsOf } from "./results.ts";
import type { Case } from "./suites/case.ts";
import type { Answer } from "./types.ts";

/** Metrics in which a grader may not get worse, and which way is worse. */
const GUARDED = {
  cross_tier_accuracy: "lower",
  pairwise_accuracy: "lower",
  ties_kept: "lower",
  tier_exact: "lower",
  sound_blamed: "higher",
  faulty_missed: "higher",
  hack_recall: "lower",
  false_flags: "higher",
  fallback_rate: "higher",
} as const;

export interface Regression {
  grader: string;
  suite: string;
  metric: string;
  /** Now less before, with its interval over groups. */
  difference: number;
  interval: readonly [number, number];
}

const Earlier = z.object({ answers: z.array(AnswerSchema) });

/** The answers of an earlier results.json. @throws GraderError `bad_input` with the file and the field. */
export async function readBaseline(file: string): Promise<Answer[]> {
  return (await readJson(file, Earlier)).answers;
}

/** What a run says beside an earlier one. */
export interface AgainstBaseline {
  worse: Regression[];
  /** Graders and suites of which fewer than two groups are in both runs: no interval, and so nothing is known. */
  unknown: { grader: string; suite: string; groups: number }[];
}

/**
 * What got worse since an earlier run: graders of the same name over the groups that both runs have, paired, where the
 * interval of the difference leaves out 0. Both are measured with the labels of today.
 *
 * @throws GraderError `bad_input` when the runs have no grader with a suite in common: that is no comparison.
 */
export function againstBaseline(
  cases: readonly Case[],
  before: readonly Answer[],
  now: readonly Answer[],
  file: string,
): AgainstBaseline {
  const both = [...new Map(now.map((answer) => [JSON.stringify(of(answer)), of(answer)])).values()].filter(
    (pair) => before.some((answer) => isOf(answer, pair)),
  );
  if (both.length === 0)
    throw new GraderError("bad_input", "has no grader and suite in common with this run", { file });
  const unknown = both
    .map((pair) => ({ ...pair, groups: inBoth(groupsOf(now, pair), groupsOf(before, pair)) }))
    .filter(({ groups }) => groups < 2);
  const worse = both.flatMap((pair) => {
    const labels = labelsOf(cases, pair.suite);
    const mine = (answers: readonly Answer[]) => answers.filter((answer) => isOf(answer, pair));
    const { metrics } = compareGraders(labels, mine(before), mine(now));
    return Object.entries(GUARDED).flatMap(([name, worse]): Regression[] => {
      const { difference, interval } = metrics[name as keyof typeof GUARDED];
      if (difference === null || interval === null) return [];
      const isWorse = worse === "lower" ? interval[1] < 0 : interval[0] > 0;
      return isWorse ? [{ ...pair, metric: name, difference, interval }] : [];
    });
  });
  return { worse, unknown };
}

const inBoth = (some: readonly string[], others: readonly string[]) =>
  some.filter((group) => others.includes(group)).length;

/** Groups that a grader was asked about. */
function groupsOf(answers: readonly Answer[], pair: { grader: string; suite: string }): string[] {
  return [...new Set(answers.filter((answer) => isOf(answer, pair)).map(({ group_id }) => group_id))];
}

function of({ grader, suite }: Answer): { grader: string; suite: string } {
  return { grader, suite };
}

function isOf(answer: Answer, { grader, suite }: { grader: string; suite: string }): boolean {
  return answer.grader === grader && answer.suite === suite;
}
