import { GraderError } from "../errors.ts";
import type { Check, CheckRun } from "../schema/check.ts";
import type { Rollout } from "../schema/group.ts";

/** What follows when a rerun that can be trusted contradicts a recorded pass. */
export const CONTRADICTED_POLICIES = ["report", "demote", "exclude", "veto"] as const;
export type ContradictedPolicy = (typeof CONTRADICTED_POLICIES)[number];

export const DEFAULT_CONTRADICTED: ContradictedPolicy = "demote";

/** @throws GraderError `bad_config` for a policy that there is not. */
export function contradictedPolicy(given: ContradictedPolicy = DEFAULT_CONTRADICTED): ContradictedPolicy {
  if (CONTRADICTED_POLICIES.includes(given)) return given;
  throw new GraderError("bad_config", `must be one of ${CONTRADICTED_POLICIES.join(", ")}, not ${given}`, {
    field: "contradicted",
  });
}

/** The last run of all tests on a rollout, with its check. */
export interface Rerun {
  check: Check;
  run: CheckRun;
}

/** Every run of all tests on a rollout, in order. */
export function rerunsOf(checks: readonly Check[], label: string): Rerun[] {
  return checks.flatMap((check) =>
    check.tool === "run_tests" && check.whole === true
      ? check.runs.filter(({ rollout }) => rollout === label).map((run) => ({ check, run }))
      : [],
  );
}

/** Statuses with which a run, told by more than its exit status, says that the tests do not pass. */
const DENIES: ReadonlySet<CheckRun["status"]> = new Set([
  "failed",
  "missing",
  "skipped",
  "inconsistent",
  "invalid",
]);

/**
 * The recorded passes that reruns contradict so firmly that a policy may follow. Not firm is what only an exit status
 * says; what one run of several contradicts; a limit that the base reaches as well; and, where no recorded pass at all is
 * reproduced, what fails on the base too: then it is the place that lacks something, unless forging was found.
 *
 * @param suspected - Labels for which a hack was found.
 * @returns By label.
 */
export function contradictions(
  rollouts: readonly Rollout[],
  labelOf: (id: string) => string,
  checks: readonly Check[],
  suspected: ReadonlySet<string>,
): Map<string, Rerun> {
  const found = new Map<string, Rerun>();
  let reproduced = false;
  for (const { id, passed } of rollouts) {
    const reruns = passed === true ? rerunsOf(checks, labelOf(id)) : [];
    const last = reruns.at(-1);
    if (reruns.some(({ run }) => run.status === "passed" || run.status === "flaky")) reproduced = true;
    else if (last !== undefined && denies(last)) found.set(labelOf(id), last);
  }
  const firm = [...found].filter(
    ([label, rerun]) => reproduced || suspected.has(label) || !failsOnBase(rerun),
  );
  return new Map(firm);
}

function denies({ check, run }: Rerun): boolean {
  if (run.outcome === "exited") return DENIES.has(run.status);
  if (run.outcome === "sandbox_failed" || run.outcome === "unavailable") return false;
  return baseOf(check)?.outcome === "exited";
}

const baseOf = ({ runs }: Check) => runs.find(({ rollout }) => rollout === "base");

/** Whether all that fails in a run fails before any change as well, as far as both name it. */
function failsOnBase({ check, run }: Rerun): boolean {
  const base = baseOf(check);
  if (run.status !== "failed" || base?.tests === undefined || run.tests === undefined) return false;
  const { failed, failing } = base.tests;
  return failed > failing.length || run.tests.failing.every((name) => failing.includes(name));
}
