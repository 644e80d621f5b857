import type { CanaryState, CheckRun } from "../schema/check.ts";

const WORDS: Record<Exclude<CheckRun["outcome"], "exited">, string> = {
  timed_out: "ended because its time was over",
  out_of_memory: "ended because its memory was used up",
  output_limit: "ended because it printed too much",
  sandbox_failed: "the sandbox failed",
  unavailable: "not run",
};

/** How a run ended, in words. */
export function describeEnd(run: Pick<CheckRun, "outcome" | "exit_code" | "reason">): string {
  if (run.outcome === "exited") return `exited with status ${run.exit_code ?? "unknown"}`;
  return WORDS[run.outcome] + (run.reason === undefined ? "" : `: ${run.reason}`);
}

/** What the grader itself says of a run of the tests beyond how it ended, a line each: it can be quoted as well. */
export function accountLines({ status, problem, canary, own }: CheckRun): string[] {
  const said = canary === undefined ? undefined : CANARY_WORDS[canary];
  return [
    ...(problem === undefined || status === undefined ? [] : [`status ${status}: ${problem}`]),
    ...(said === undefined ? [] : [`canary: ${said}`]),
    ...(own === undefined
      ? []
      : [`with the configuration of the rollout itself the tests end as ${own.replaceAll("_", " ")}`]),
  ];
}

const CANARY_WORDS: Partial<Record<CanaryState, string>> = {
  passed: "a test that must fail was reported as passed",
  absent: "a test that must fail was not reported at all",
  ignored: "a test that must fail was reported as failed, and the exit status was 0",
  none: "no test that must fail could be placed, so that the pass is not verified",
  unclear: "the run with a test that must fail did not end, so that the pass is not verified",
};
