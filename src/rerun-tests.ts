import { openChecks } from "./checks/checks.ts";
import { GraderError, type Warning } from "./errors.ts";
import { DEFAULT_BUDGET } from "./graph/budget.ts";
import { isBroken } from "./graph/reruns.ts";
import { checkWithIds } from "./graph/with-ids.ts";
import { openRunFolder } from "./run-folder.ts";
import type { Limits, Sandbox } from "./sandbox/types.ts";
import type { Check, CheckRun } from "./schema/check.ts";
import type { GradedRollout } from "./schema/grade.ts";
import type { LoadedGroup } from "./sources/index.ts";
import { workspaceInput } from "./workspace-input.ts";
import { createWorkspace } from "./workspace/create.ts";

/** How a rerun stands to what was recorded. `unknown`: nothing was recorded, or the rerun says nothing. */
export type Agreement = "reproduced" | "contradicted" | "unknown";

export interface RolloutRerun {
  id: string;
  passed: boolean | null;
  /** What the tests say now; why they could not be run. */
  result: NonNullable<GradedRollout["rerun"]>["result"] | "no_tree";
  agreement: Agreement;
}

/** A group's tests, run again. */
export interface TestRerun {
  group_id: string;
  /** Each run in full, the base's last. */
  check: Check;
  rollouts: RolloutRerun[];
  /** Where the tests cannot be run here, on the base neither: the last lines that it printed. */
  broken?: string;
  warnings: Warning[];
}

export interface TestRerunOptions {
  /** Where they are run; see `selectSandbox`. It is not closed. */
  sandbox: Sandbox;
  /** Limits of each box, in place of those of the sandbox. */
  limits?: Partial<Limits>;
  /** Seconds for all of it. Default 600. */
  wall_s?: number;
  /** Folder for imported base trees. Default: the user's cache folder. */
  cacheDir?: string;
}

/**
 * Runs the tests of a group on every rollout and on the base, as a grader would, and holds what they say against what
 * was recorded.
 *
 * @throws GraderError `bad_input` for a group without tests or whose data is wrong, `base_unavailable`.
 */
export async function rerunTests(
  loaded: LoadedGroup,
  { sandbox, limits = {}, wall_s = DEFAULT_BUDGET.wall_s, cacheDir }: TestRerunOptions,
): Promise<TestRerun> {
  const { group } = loaded;
  const started = performance.now();
  if (group.tests === undefined)
    throw new GraderError("bad_input", "is missing: the group declares no test command", {
      file: loaded.source,
      group: group.group_id,
      field: "tests",
    });
  const warnings = [...loaded.warnings];
  const warn = (warning: Warning) => void warnings.push(warning);
  const folder = await openRunFolder(undefined, group, false);
  try {
    const workspace = await createWorkspace(await workspaceInput(loaded, folder.dir, 0, warn), {
      warn,
      ...(cacheDir === undefined ? {} : { cacheDir }),
      readImage: sandbox.images?.read,
    });
    const msLeft = () => wall_s * 1000 - (performance.now() - started);
    const checks = openChecks({
      sandbox,
      workspace,
      tests: group.tests,
      place: "image" in group.repo ? group.repo : undefined,
      limits,
      limit: 1,
      msLeft,
    });
    try {
      const labels = group.rollouts.map(({ id }) => workspace.labelOf(id));
      const targets = labels.flatMap((label) => {
        const tree = workspace.rollout(label)?.patch.tree;
        return tree === undefined ? [] : [{ label, tree }];
      });
      const { check, clusters } = await checks.runTests(
        [...targets, { label: "base", tree: workspace.base }],
        {},
      );
      const broken = isBroken(check);
      const sample = clusters.find(({ labels }) => labels.includes("base"))?.sample.printed;
      const base = check.runs.find(({ rollout }) => rollout === "base");
      return {
        group_id: group.group_id,
        check: checkWithIds(check, (label) => (label === "base" ? label : workspace.idOf(label))),
        rollouts: group.rollouts.map(({ id, passed }) => {
          const run = check.runs.find(({ rollout }) => rollout === workspace.labelOf(id));
          const result =
            run === undefined
              ? "no_tree"
              : run.outcome === "exited"
                ? (run.status ?? "exit_only")
                : run.outcome;
          return { id, passed, result, agreement: broken ? "unknown" : agreementOf(passed, run, base) };
        }),
        ...(broken ? { broken: lastLines(`${sample?.stdout ?? ""}\n${sample?.stderr ?? ""}`) } : {}),
        warnings,
      };
    } finally {
      await checks.close();
      await workspace.close();
    }
  } finally {
    await folder.leave();
  }
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-5).join("\n").slice(-1000);
}

function agreementOf(
  recorded: boolean | null,
  run: CheckRun | undefined,
  base: CheckRun | undefined,
): Agreement {
  const passes = run === undefined ? undefined : hasPassed(run, base);
  if (recorded === null || passes === undefined) return "unknown";
  return recorded === passes ? "reproduced" : "contradicted";
}

/** Undefined where a run says nothing of the code: it is flaky, was not made, or ends as the base does. */
function hasPassed(
  { outcome, status, exit_code }: CheckRun,
  base: CheckRun | undefined,
): boolean | undefined {
  if (outcome === "sandbox_failed" || outcome === "unavailable") return undefined;
  if (outcome !== "exited") return base?.outcome === "exited" ? false : undefined;
  if (status === "flaky") return undefined;
  return status === "exit_only" || status === undefined ? exit_code === 0 : status === "passed";
}
