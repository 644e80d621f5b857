import type { Command } from "../../sandbox/types.ts";
import type { Tests } from "../../schema/group.ts";
import { printedOf } from "../behaviour.ts";
import type { Job, RawRun, Runner } from "../over.ts";
import { countTests, type TestCommand } from "../runners.ts";
import type { Target } from "../trees.ts";
import type { Printed } from "../types.ts";
import type { Observed } from "./expected.ts";
import { accountOf, MAX_REPORT, type ReportPlan } from "./reports.ts";

/** Time for a group's tests when it declares none, in seconds. */
const TIMEOUT_S = 300;

export interface TestRun extends Observed {
  printed: Printed;
}

/** Runs the group's tests once on one tree, and reads what the run tells. */
export async function observe(
  runner: Runner,
  tests: Tests,
  target: Target,
  { plan, asked, work }: { plan: ReportPlan | undefined; asked: TestCommand; work?: Job["work"] },
): Promise<TestRun> {
  const wall_ms = (tests.timeout_s ?? TIMEOUT_S) * 1000;
  const shell = (command: string, env: Record<string, string>): Command => ({
    argv: ["sh", "-c", command],
    // The same hashes in every run: the order of a set is no difference.
    env: { PYTHONHASHSEED: "0", ...env },
    wall_ms,
  });
  const job: Job = {
    tests: true,
    ...(work === undefined ? {} : { work }),
    ...(plan?.path === undefined ? {} : { leaves: { path: plan.path, maxBytes: MAX_REPORT } }),
    command: shell(asked.command, asked.env),
    ...(tests.setup === undefined ? {} : { setup: shell(tests.setup, {}) }),
  };
  const [raw] = await runner.run([target], job);
  if (raw === undefined) throw new RangeError("a run was asked for and none was made");
  return read(raw, tests, plan, runner.workdir);
}

function read(
  { result, left }: RawRun,
  tests: Tests,
  plan: ReportPlan | undefined,
  workdir: string,
): TestRun {
  const printed = printedOf(result);
  if (result.outcome !== "exited") return { result, printed, told: undefined, summary: undefined };
  const whole = { stdout: result.stdout.toString("utf8"), stderr: result.stderr.toString("utf8") };
  return {
    result,
    printed,
    told: plan === undefined ? undefined : accountOf(plan, left, whole, workdir),
    summary: countTests(tests, `${whole.stdout}\n${whole.stderr}`),
  };
}
