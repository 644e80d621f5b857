import type { Behaviour } from "../../src/checks/types.ts";
import type { CheckRun } from "../../src/schema/check.ts";

/** A run that printed something. */
export const ran = (
  rollout: string,
  stdout: string,
  stderr = "",
  more: Partial<CheckRun> = { exit_code: 0 },
): Behaviour => ({ run: { rollout, outcome: "exited", ...more }, printed: { stdout, stderr } });

/** The same, made twice. */
export const twice = (rollout: string, first: string, second: string, status = 0): Behaviour => {
  const { run, printed } = ran(rollout, second, "", { exit_code: status });
  return { ...ran(rollout, first), again: { run, printed } };
};
