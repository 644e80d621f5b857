import { VERSION, type GraderError } from "../index.ts";
import { caughtDegradations, type Caught } from "./caught.ts";
import type { Grader } from "./graders/grader.ts";
import { compareGraders, summarise, type Comparison, type Summary } from "./metrics/summary.ts";
import { movedPlaces, type Moved } from "./moved.ts";
import type { Case } from "./suites/case.ts";
import type { Answer, GroupLabels } from "./types.ts";

/** What one run measured: the content of results.json. Numbers are of this run alone; seconds are not repeatable. */
export interface Results {
  version: string;
  seed: number;
  graders: { name: string; model?: string; prompt_hash?: string }[];
  suites: SuiteResults[];
  /** What could not be read, each with its place. */
  failures: string[];
  answers: Answer[];
}

export interface SuiteResults {
  suite: string;
  groups: string[];
  /** One a grader, in the order in which they were named. */
  summaries: Summary[];
  /** Every other grader against the one that was named first, paired by group. */
  comparisons: Comparison[];
  /** What changes of the input moved that must move nothing; only of the suite that makes such changes. */
  moved?: Moved[];
  /** Only of the suite of degradations. */
  degradations?: Caught[];
}

/** Everything that is measured of the answers of one run. */
export function resultsOf(
  cases: readonly Case[],
  graders: readonly Grader[],
  answers: readonly Answer[],
  failures: readonly GraderError[],
  seed: number,
): Results {
  const names = [...new Set(cases.map(({ suite }) => suite))];
  return {
    version: VERSION,
    seed,
    graders: graders.map(({ name, model, prompt_hash }) => ({
      name,
      ...(model === undefined ? {} : { model }),
      ...(prompt_hash === undefined ? {} : { prompt_hash }),
    })),
    suites: names.map((suite) => suiteResults(suite, labelsOf(cases, suite), graders, answers)),
    failures: failures.map(({ message }) => message),
    answers: [...answers],
  };
}

function suiteResults(
  suite: string,
  labels: readonly GroupLabels[],
  graders: readonly Grader[],
  all: readonly Answer[],
): SuiteResults {
  const answers = all.filter((answer) => answer.suite === suite);
  const names = graders.map(({ name }) => name);
  const of = (name: string) => answers.filter(({ grader }) => grader === name);
  const [first, ...others] = names;
  return {
    suite,
    groups: labels.map(({ group_id }) => group_id),
    summaries: names.map((name) => summarise(labels, of(name))),
    comparisons: first === undefined ? [] : others.map((name) => compareGraders(labels, of(first), of(name))),
    ...(answers.some(({ variant }) => variant !== undefined) ? { moved: movedPlaces(answers) } : {}),
    ...(suite === "degradations" ? { degradations: caughtDegradations(labels, answers, names) } : {}),
  };
}

/** The labels of a suite, once a group. */
export function labelsOf(cases: readonly Case[], suite: string): GroupLabels[] {
  return cases.filter((one) => one.suite === suite && one.variant === undefined).map(({ labels }) => labels);
}
