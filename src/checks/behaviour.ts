import type { CheckRun } from "../schema/check.ts";
import type { RunResult } from "../sandbox/types.ts";
import type { RawRun } from "./over.ts";
import type { Behaviour, Printed } from "./types.ts";

/** Characters of each stream that are kept of one run. */
const KEPT_CHARACTERS = 1_000_000;

/** How a run ended and what it printed. */
export function behaviourOf({ label, result, restored }: RawRun): Behaviour {
  const put = restored.length === 0 ? {} : { restored };
  return { run: { ...endOf(label, result), ...put }, printed: printedOf(result) };
}

/** A run by its end alone. */
export function endOf(rollout: string, result: RunResult): CheckRun {
  return {
    rollout,
    outcome: result.outcome,
    ...(result.outcome === "exited" ? { exit_code: result.exit_code } : {}),
    ...("reason" in result ? { reason: result.reason } : {}),
  };
}

export function printedOf(result: RunResult): Printed {
  const [stdout, left_out] = text(result.stdout);
  const [stderr] = text(result.stderr);
  return { stdout, stderr, ...(left_out === 0 ? {} : { left_out }) };
}

/** Bytes as text, and how many characters are left out: of what is too long, the beginning and the end are kept. */
function text(bytes: Buffer): [kept: string, leftOut: number] {
  const whole = bytes.toString("utf8");
  if (whole.length <= KEPT_CHARACTERS) return [whole, 0];
  const half = KEPT_CHARACTERS / 2;
  const left = whole.length - KEPT_CHARACTERS;
  return [`${whole.slice(0, half)}\n[${left} characters left out]\n${whole.slice(-half)}`, left];
}
