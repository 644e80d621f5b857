import { describeEnd } from "../checks/describe.ts";
import type { Check, CheckRun } from "../schema/check.ts";
import type { GradedRollout } from "../schema/grade.ts";
import type { Rollout } from "../schema/group.ts";

/** The last run of all tests on a rollout, with the check's id. */
export function lastRerun(
  checks: readonly Check[],
  label: string,
): { check: Check; run: CheckRun } | undefined {
  const found = checks.flatMap((check) =>
    check.tool === "run_tests" && check.whole === true
      ? check.runs.filter(({ rollout }) => rollout === label).map((run) => ({ check, run }))
      : [],
  );
  return found.at(-1);
}

/** What a rerun says of a rollout, for its grade. */
export function rerunOf(checks: readonly Check[], label: string): GradedRollout["rerun"] {
  const rerun = lastRerun(checks, label);
  if (rerun === undefined) return undefined;
  const { outcome, status } = rerun.run;
  return { check: rerun.check.id, result: outcome === "exited" ? (status ?? "exit_only") : outcome };
}

/**
 * What the reader of a grade has to know of its reruns: recorded outcomes that they contradict, runs that say nothing,
 * and a test command that does not even run on the base.
 */
export function rerunWarnings(
  rollouts: readonly Rollout[],
  labelOf: (id: string) => string,
  checks: readonly Check[],
): string[] {
  const broken = new Set<Check>();
  const silent = new Map<string, string[]>();
  const contradicted: string[] = [];
  for (const { id, passed } of rollouts) {
    const rerun = lastRerun(checks, labelOf(id));
    if (rerun === undefined) continue;
    const { check, run } = rerun;
    if (isBroken(check)) broken.add(check);
    else if (run.outcome !== "exited") {
      const said = `${check.id}: ${describeEnd(run)}`;
      silent.set(said, [...(silent.get(said) ?? []), id]);
    } else if (passed !== null && passed !== hasPassed(run))
      contradicted.push(contradiction(id, passed, rerun));
  }
  return [
    ...[...broken].map((check) => `tests: cannot be run here (${check.id}): ${brokenText(check)}`),
    ...[...silent].map(
      ([said, ids]) => `rollouts[${ids.join(", ")}]: the rerun of the tests says nothing (${said})`,
    ),
    ...contradicted,
  ];
}

const hasPassed = ({ exit_code, status }: CheckRun) => exit_code === 0 && status !== "inconsistent";

function contradiction(id: string, passed: boolean, { check, run }: { check: Check; run: CheckRun }): string {
  const now = hasPassed(run) ? "passed" : run.status === "inconsistent" ? "were inconsistent" : "failed";
  const recorded = passed ? "passed" : "failed";
  return `rollouts[${id}]: recorded as ${recorded}, but its tests ${now} when they were run again (${check.id})`;
}

/** Nobody's tests ran, and the code before any change ends in the same way: the command is at fault, not a rollout. */
function isBroken({ runs }: Check): boolean {
  const base = runs.find(({ rollout }) => rollout === "base");
  return (
    base?.outcome === "exited" &&
    base.exit_code !== 0 &&
    runs.every((run) => run.tests === undefined && run.exit_code === base.exit_code)
  );
}

function brokenText({ runs, command }: Check): string {
  return `"${command}" ${describeEnd(runs[0] ?? { outcome: "unavailable" })} everywhere, before any change too, and told of no test`;
}
