import type { CheckRun } from "../schema/check.ts";
import type { Tests } from "../schema/group.ts";
import type { RawRun } from "./over.ts";
import { countTests, statusOf } from "./runners.ts";
import type { Behaviour, Printed } from "./types.ts";

/** Characters of each stream that are kept of one run. */
const KEPT_CHARACTERS = 1_000_000;

/** What a run says. @param tests - Given when it ran the group's tests: what their runner tells is read then. */
export function behaviourOf({ label, result, restored }: RawRun, tests?: Tests): Behaviour {
  const [stdout, left_out] = text(result.stdout);
  const [stderr] = text(result.stderr);
  const printed: Printed = { stdout, stderr, ...(left_out === 0 ? {} : { left_out }) };
  const run: CheckRun = {
    rollout: label,
    outcome: result.outcome,
    ...(result.outcome === "exited" ? { exit_code: result.exit_code } : {}),
    ...("reason" in result ? { reason: result.reason } : {}),
    ...(restored.length === 0 ? {} : { restored }),
  };
  if (tests === undefined || result.outcome !== "exited") return { run, printed };
  const counts = countTests(tests, `${printed.stdout}\n${printed.stderr}`);
  const status = statusOf(result.exit_code, counts);
  return { run: { ...run, status, ...(counts === undefined ? {} : { tests: counts }) }, printed };
}

/** Bytes as text, and how many characters are left out: of what is too long, the beginning and the end are kept. */
function text(bytes: Buffer): [kept: string, leftOut: number] {
  const whole = bytes.toString("utf8");
  if (whole.length <= KEPT_CHARACTERS) return [whole, 0];
  const half = KEPT_CHARACTERS / 2;
  const left = whole.length - KEPT_CHARACTERS;
  return [`${whole.slice(0, half)}\n[${left} characters left out]\n${whole.slice(-half)}`, left];
}
