import type { CheckRun } from "../schema/check.ts";

const WORDS: Record<Exclude<CheckRun["outcome"], "exited">, string> = {
  timed_out: "ended because its time was over",
  out_of_memory: "ended because its memory was used up",
  output_limit: "ended because it printed too much",
  sandbox_failed: "the sandbox failed",
  unavailable: "no sandbox",
};

/** How a run ended, in words. */
export function describeEnd(run: Pick<CheckRun, "outcome" | "exit_code" | "reason">): string {
  if (run.outcome === "exited") return `exited with status ${run.exit_code ?? "unknown"}`;
  return WORDS[run.outcome] + (run.reason === undefined ? "" : `: ${run.reason}`);
}
