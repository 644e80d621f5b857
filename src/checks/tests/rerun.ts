import type { Tests } from "../../schema/group.ts";
import type { TreeEntry, Workspace } from "../../workspace/types.ts";
import type { Runner } from "../over.ts";
import type { TestCommand } from "../runners.ts";
import type { Target } from "../trees.ts";
import type { Behaviour } from "../types.ts";
import { behaviourOf } from "./account.ts";
import { expectationOf, type Observed } from "./expected.ts";
import { judge } from "./judge.ts";
import { notesOf } from "./notes.ts";
import { observe } from "./observe.ts";
import { reportPlan } from "./reports.ts";
import {
  afterFailure,
  afterLimit,
  afterPass,
  worksOnBase,
  type First,
  type Look,
  type Settled,
} from "./second-look.ts";
import { testedTree, workOf } from "./tree.ts";

export interface TestRerunner {
  /**
   * Runs the tests on every target and on the base. Each tree is run once; a run that passes is followed by one with a
   * test that must fail, one that contradicts the record by another of the same, and a failure after hooks were taken
   * away by one with them.
   */
  run(
    targets: readonly Target[],
    request: RerunRequest,
  ): Promise<{ behaviours: Behaviour[]; notes: string[] }>;
}

export interface RerunRequest {
  asked: TestCommand;
  pattern: string | undefined;
  /** Id of the check, for citations. */
  check: string;
}

export interface RerunDeps {
  workspace: Workspace;
  tests: Tests;
  runner: Runner;
  listBase: () => Promise<readonly TreeEntry[]>;
}

export function openTestRerunner({ workspace, tests, runner, listBase }: RerunDeps): TestRerunner {
  const base: Target = { label: "base", tree: workspace.base };
  /** By pattern: the base is run once and serves all later calls; what each rollout told says what is expected. */
  const bases = new Map<string, Promise<First>>();
  const peers = new Map<string, Map<string, Observed>>();

  return {
    async run(targets, { asked, pattern, check }) {
      const plan = reportPlan(tests, asked);
      const command = plan ?? asked;
      const again: Look["again"] = async (target, tree, canary) => {
        const entries = await listBase();
        return observe(runner, tests, target, {
          plan,
          asked: canary?.command ?? command,
          work: async () => workOf(workspace, entries, tree, canary === undefined ? [] : [canary.file]),
        });
      };
      const first = async (target: Target): Promise<First> => {
        const tree = await testedTree(workspace, target.tree, {
          command: tests.command,
          declared: tests.test_files,
          report: tests.report_path,
        });
        return { target, tree, run: await again(target, tree) };
      };

      const key = pattern ?? "";
      const onBase = known(bases, key, () => first(base));
      const trees = new Map([[base.tree, onBase]]);
      const firsts = await Promise.all(
        targets.map(async (target) => ({
          ...(await known(trees, target.tree, () => first(target))),
          target,
        })),
      );
      const told = known(peers, key, () => new Map<string, Observed>());
      for (const { target, run } of firsts) if (target.label !== "base") told.set(target.label, silent(run));
      const control = (await onBase).run;
      // What was not run is tried again the next time.
      if ("reason" in control.result) bases.delete(key);
      const expected = expectationOf(control, [...told.values()]);
      const look: Look = {
        workspace,
        tests,
        asked: command,
        whole: pattern === undefined,
        expected,
        wanted: new Set(control.told?.flatMap(({ id, status }) => (status === "failed" ? [id] : []))),
        again,
        own: (target) => observe(runner, tests, target, { plan, asked: command }),
      };

      const looked = new Map<string, Promise<Settled>>();
      const settled = await Promise.all(
        firsts.map((one) => {
          const isBase = one.target.label === "base";
          return known(looked, isBase ? "base" : one.target.tree, () => settle(look, one, isBase));
        }),
      );
      const certain = await withoutDoubt(look, await onBase, settled);
      const parts = { check, expected, told_by: plan?.told_by };
      return {
        behaviours: firsts.map((one, index) => behaviourOf(workspace, one, certain[index] ?? {}, parts)),
        notes: notesOf(control, expected, plan !== undefined),
      };
    },
  };
}

async function settle(look: Look, one: First, isBase: boolean): Promise<Settled> {
  const { outcome } = one.run.result;
  if (outcome !== "exited")
    return isBase || outcome === "sandbox_failed" || outcome === "unavailable" ? {} : afterLimit(look, one);
  const judged = judge(one.run, look.expected);
  if (isBase) return { judged };
  return judged.status === "passed" ? afterPass(look, one, judged) : afterFailure(look, one, judged);
}

/**
 * A test that must fail and is not there is a sign of forging only where such a test is there for others: for another
 * rollout, or else on the base.
 */
async function withoutDoubt(look: Look, base: First, settled: readonly Settled[]): Promise<Settled[]> {
  const canary = settled.find(({ doubted }) => doubted !== undefined)?.doubted;
  const works =
    canary === undefined ||
    settled.some((one) => one.canary === "failed") ||
    (await worksOnBase(look, base, canary));
  return settled.map((one) => (works || one.doubted === undefined ? one : { ...one, canary: "none" }));
}

/** A run without what it printed, which can be much. */
function silent({ result, told, summary }: Observed): Observed {
  return { result: { ...result, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }, told, summary };
}

function known<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
