import { splitCases, type Output } from "./cases.ts";
import { accountLines, describeEnd } from "./describe.ts";
import { linesOf } from "./steady.ts";
import type { Printed, Run } from "./types.ts";

/**
 * What one run did, point by point: its end, the last line of its errors, and each line of its standard output, or,
 * where a script tells cases, each case by its input. Runs are alike when all their points are.
 */
export type Account = ReadonlyMap<string, string>;

export const END = "end";
const ERROR = "error";
const CASE = "case ";

/** @param cases - Whether lines of cases are told apart from others; one answer for all runs of a check. */
export function accountOf({ run, printed }: Run, cases: boolean): Account {
  const points = new Map([[END, describeEnd(run)]]);
  // Where the tests are told one by one, the rest of the output is how the runner words it.
  if (run.tests !== undefined)
    return points.set("tests", JSON.stringify([run.status, run.tests, ...accountLines(run)]));
  // The rest of the errors is left out: a traceback names the lines of each rollout's own files.
  points.set(ERROR, lastLine(printed.stderr));
  const output = splitOutput(printed, cases);
  for (const { key, text } of output.cases) points.set(CASE + key, text);
  // Which of several outputs of unequal length has a line too many cannot be told from a line's number.
  const { others } = output;
  for (const [index, { text }] of others.entries()) points.set(linePoint(others.length, index), text);
  return points;
}

/** Equal for accounts with the same points, in whatever order they were told. */
export const accountKey = (account: Account) =>
  JSON.stringify([...account].map((point) => JSON.stringify(point)).sort());

/** The point of a line, the first being 0, in an output of `count` lines. */
export const linePoint = (count: number, index: number) => `line ${index + 1} of ${count}`;

export const casePoint = (key: string) => CASE + key;
export const isCasePoint = (point: string) => point.startsWith(CASE);

export function splitOutput(printed: Printed, cases: boolean): Output {
  const lines = linesOf(printed.stdout).map((text, index) => ({ line: index + 1, text }));
  if (!cases) return { cases: [], others: lines };
  const split = splitCases(lines);
  // Of lines that were cut through nothing can be said.
  return printed.left_out === undefined ? split : { ...split, others: [] };
}

/** Whether any of the runs tells cases. */
export const tellsCases = (runs: readonly Run[]) =>
  runs.some(({ run, printed }) => run.tests === undefined && splitOutput(printed, true).cases.length > 0);

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
