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

export function printedOf({ stdout, stderr }: RunResult): Printed {
  return { stdout: text(stdout), stderr: text(stderr) };
}

/** Bytes as text. Of what is too long, the beginning and the end are kept. */
function text(bytes: Buffer): string {
  const whole = bytes.toString("utf8");
  if (whole.length <= KEPT_CHARACTERS) return whole;
  const half = KEPT_CHARACTERS / 2;
  const left = whole.length - KEPT_CHARACTERS;
  return `${whole.slice(0, half)}\n[${left} characters left out]\n${whole.slice(-half)}`;
}
