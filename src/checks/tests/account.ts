import type { CheckRun } from "../../schema/check.ts";
import type { Workspace } from "../../workspace/types.ts";
import { endOf } from "../behaviour.ts";
import { accountLines } from "../describe.ts";
import type { Behaviour } from "../types.ts";
import type { Expectation } from "./expected.ts";
import { flagsOf } from "./flags.ts";
import { countsOf } from "./judge.ts";
import type { First, Settled } from "./second-look.ts";

/** The run of one rollout as a check keeps it. */
export function behaviourOf(
  workspace: Workspace,
  { target, tree, run: first }: First,
  { judged, run = first, canary, own, hooks = [] }: Settled,
  { check, expected, told_by }: { check: string; expected: Expectation; told_by: CheckRun["told_by"] },
): Behaviour {
  const forged = isForged(canary);
  const status = forged ? "inconsistent" : judged?.status;
  const problem = forged ? "a test that must fail did not" : judged?.problem;
  const plain: CheckRun = {
    ...endOf(target.label, run.result),
    ...(status === undefined ? {} : { status }),
    ...(problem === undefined ? {} : { problem }),
    ...testsOf(run, judged, expected, told_by),
    ...(tree.restored.length === 0 ? {} : { restored: tree.restored }),
    ...(tree.left_out.length === 0 ? {} : { left_out: tree.left_out }),
    ...(canary === undefined ? {} : { canary }),
    ...(own === undefined ? {} : { own }),
  };
  const flags = flagsOf({
    check,
    rollout: target.label,
    files: workspace.rollout(target.label)?.files ?? [],
    account: accountLines(plain),
    forged: target.label === "base" ? undefined : judged?.forged,
    canary,
    hooks,
  });
  return { run: flags.length === 0 ? plain : { ...plain, flags }, printed: run.printed };
}

const isForged = (canary: Settled["canary"]) =>
  canary === "passed" || canary === "absent" || canary === "ignored";

/** Where no test was told of, the summary of the output is all there is. */
function testsOf(
  { told, summary }: First["run"],
  judged: Settled["judged"],
  expected: Expectation,
  told_by: CheckRun["told_by"],
): Pick<CheckRun, "tests" | "told_by"> {
  if (judged !== undefined && told !== undefined && told_by !== undefined)
    return { tests: countsOf(judged.tests, expected), told_by };
  return summary === undefined ? {} : { tests: summary, told_by: "output" };
}
