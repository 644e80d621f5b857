import { describeEnd } from "../checks/describe.ts";
import type { Check, CheckRun } from "../schema/check.ts";
import type { GradedRollout } from "../schema/grade.ts";
import type { Rollout } from "../schema/group.ts";
import { rerunsOf, type ContradictedPolicy, type Rerun } from "./contradictions.ts";

/** What a rerun says of a rollout, for its grade. */
export function rerunOf(checks: readonly Check[], label: string): GradedRollout["rerun"] {
  const rerun = rerunsOf(checks, label).at(-1);
  if (rerun === undefined) return undefined;
  const { outcome, status } = rerun.run;
  return { check: rerun.check.id, result: outcome === "exited" ? (status ?? "exit_only") : outcome };
}

export interface RerunFacts {
  rollouts: readonly Rollout[];
  labelOf: (id: string) => string;
  checks: readonly Check[];
  /** Contradictions that a policy may follow, by label. */
  firm: ReadonlyMap<string, Rerun>;
  /** What followed. Undefined where nothing could: the group is not graded. */
  policy: ContradictedPolicy | undefined;
}

/**
 * What the reader of a grade has to know of its reruns: recorded outcomes that they contradict and what follows, runs
 * that say nothing, and a test command that does not even run on the base.
 */
export function rerunWarnings({ rollouts, labelOf, checks, firm, policy }: RerunFacts): string[] {
  const broken = new Set<Check>();
  const silent = new Map<string, string[]>();
  const contradicted: string[] = [];
  for (const { id, passed } of rollouts) {
    const rerun = rerunsOf(checks, labelOf(id)).at(-1);
    if (rerun === undefined) continue;
    const { check, run } = rerun;
    const isFirm = firm.has(labelOf(id));
    if (isBroken(check)) broken.add(check);
    else if (run.outcome !== "exited" && !isFirm) {
      const said = `${check.id}: ${describeEnd(run)}`;
      silent.set(said, [...(silent.get(said) ?? []), id]);
    } else if (passed !== null && passed !== hasPassed(run))
      contradicted.push(contradiction(id, passed, rerun) + (passed ? followText(isFirm, policy) : ""));
  }
  return [
    ...[...broken].map((check) => `tests: cannot be run here (${check.id}): ${brokenText(check)}`),
    ...[...silent].map(
      ([said, ids]) => `rollouts[${ids.join(", ")}]: the rerun of the tests says nothing (${said})`,
    ),
    ...contradicted,
  ];
}

const FOLLOWS: Record<ContradictedPolicy, string> = {
  report: "",
  demote: "; it is placed last in tier 3",
  exclude: "; it is not graded, and its advantage stays as given",
  veto: "; it keeps no positive advantage",
};

function followText(isFirm: boolean, policy: ContradictedPolicy | undefined): string {
  return isFirm && policy !== undefined ? FOLLOWS[policy] : "";
}

const hasPassed = ({ exit_code, status }: CheckRun) =>
  status === "passed" || (status === "exit_only" && exit_code === 0);

const WORDS: Record<NonNullable<CheckRun["status"]>, string> = {
  passed: "passed",
  failed: "failed",
  skipped: "were skipped",
  missing: "were not all run",
  flaky: "did not end alike",
  inconsistent: "were inconsistent",
  invalid: "told nothing",
  exit_only: "failed by their exit status",
};

function contradiction(id: string, passed: boolean, { check, run }: Rerun): string {
  const now = run.status === undefined ? describeEnd(run) : WORDS[run.status];
  const recorded = passed ? "passed" : "failed";
  return `rollouts[${id}]: recorded as ${recorded}, but its tests ${passed ? now : "passed"} when they were run again (${check.id})`;
}

/** Nobody's tests ran, and the code before any change ends in the same way: the command is at fault, not a rollout. */
export function isBroken({ runs }: Check): boolean {
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
