import type { ResultVerdict } from "./verdict.ts";

/** What the SWE-bench harness wrote around the output of the tests. */
export interface MarkedOutput {
  /** Between the markers, or all of it where there are none. */
  tests: string;
  /** `cut`: it starts and does not end. */
  state: "whole" | "cut" | "unmarked";
  applied?: boolean;
  timedOut: boolean;
}

const START = ">>>>> Start Test Output";
const END = ">>>>> End Test Output";

/** Reads `test_output.txt` or `run_instance.log`. The last pair of markers counts; lines of `set -x` are cut with them. */
export function readMarkedOutput(text: string): MarkedOutput {
  const facts = {
    ...(text.includes(">>>>> Patch Apply Failed")
      ? { applied: false }
      : text.includes(">>>>> Applied Patch")
        ? { applied: true }
        : {}),
    timedOut: text.includes(">>>>> Tests Timed Out"),
  };
  const start = text.lastIndexOf(START);
  if (start < 0) return { tests: text, state: "unmarked", ...facts };
  const from = lineEnd(text, start);
  const end = text.indexOf(END, from);
  if (end < 0) return { tests: text.slice(from), state: "cut", ...facts };
  const to = text.lastIndexOf("\n", end) + 1;
  return { tests: text.slice(from, Math.max(from, to)), state: "whole", ...facts };
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}

/**
 * What the markers say of the outcome, or undefined when they say nothing: a patch that did not apply failed, a run that
 * did not end is unknown. Which tests had to pass does not stand there.
 */
export function markedVerdict(text: string): ResultVerdict | undefined {
  const { applied, timedOut, state } = readMarkedOutput(text);
  if (applied === false) return { source: "test_output", passed: false, detail: "patch did not apply" };
  if (timedOut) return { source: "test_output", passed: null, detail: "tests timed out" };
  if (state === "cut") return { source: "test_output", passed: null, detail: "output ends early" };
  return undefined;
}
