import type { RunResult } from "../../sandbox/types.ts";
import type { TestCounts } from "../../schema/check.ts";
import type { TestResult } from "./results.ts";

/** One finished run of the tests, before anything is made of it. */
export interface Observed {
  result: RunResult;
  /** Its tests; undefined where it told of none. */
  told: readonly TestResult[] | undefined;
  /** What the summary in its output says; undefined where there is none. */
  summary: TestCounts | undefined;
}

/** What the runs of a group say together, against which each is held. */
export interface Expectation {
  /** Ids of the tests that every run has to tell of, in order. */
  ids: ReadonlySet<string>;
  /** Ids that ran somewhere: to skip them is not what the others do. */
  ran: ReadonlySet<string>;
  /** Which agreements hold here at all: the base, which no rollout can touch, keeps them. */
  holds: { report: boolean; exit: boolean; summary: boolean };
}

/**
 * What is expected of each run: the tests of the base, and those of which most rollouts tell (the base may fail before
 * it has found them). A channel that tells the truth not even on the base says nothing here: a command that always
 * exits with 0, a runner that writes no report.
 *
 * @param rollouts - One run a rollout.
 */
export function expectationOf(base: Observed | undefined, rollouts: readonly Observed[]): Expectation {
  const told = rollouts.flatMap((run) => (run.told === undefined ? [] : [run.told]));
  const counts = new Map<string, number>();
  for (const { id } of told.flatMap(testsOf)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const most = [...counts].filter(([, count]) => 2 * count > told.length).map(([id]) => id);
  const ofBase = testsOf(base?.told ?? []);
  const ran = [...ofBase, ...told.flatMap(testsOf)].filter(({ status }) => status !== "skipped");
  return {
    ids: new Set([...ofBase.map(({ id }) => id), ...most].sort()),
    ran: new Set(ran.map(({ id }) => id)),
    holds: {
      report: [base, ...rollouts].some((run) => run?.told !== undefined),
      exit:
        base?.told === undefined || base.told.length === 0 || (exitOf(base) === 0) !== hasFailed(base.told),
      summary: base?.told === undefined || base.summary === undefined || isLike(base.told, base.summary),
    },
  };
}

const testsOf = (told: readonly TestResult[]) => told.filter(({ load }) => load !== true);

const exitOf = ({ result }: Observed) => (result.outcome === "exited" ? result.exit_code : undefined);

export const hasFailed = (told: readonly TestResult[] | undefined) =>
  told?.some(({ status }) => status === "failed") === true;

/** Whether a report and a summary agree that a test failed, or that none did. */
export const isLike = (told: readonly TestResult[], summary: TestCounts) =>
  hasFailed(told) === summary.failed > 0;

/**
 * Ids that are expected and not told of. The values of a parametrised test may come from the code under test: as long as
 * one of its cases is told of, none is missing.
 */
export function missingOf(told: readonly TestResult[], { ids }: Expectation): string[] {
  const known = new Set(told.map(({ id }) => id));
  const functions = new Set(told.map(({ id }) => functionOf(id)));
  return [...ids].filter((id) => !known.has(id) && !(id.endsWith("]") && functions.has(functionOf(id))));
}

const functionOf = (id: string) => id.replace(/\[.*\]$/s, "");
