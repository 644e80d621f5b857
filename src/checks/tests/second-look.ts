import { randomInt } from "node:crypto";
import type { CanaryState, CheckRun, TestStatus } from "../../schema/check.ts";
import type { Tests } from "../../schema/group.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { TestCommand } from "../runners.ts";
import type { Target } from "../trees.ts";
import { placeCanary, type Canary } from "./canary.ts";
import type { Expectation, Observed } from "./expected.ts";
import { onlyLacks } from "./flags.ts";
import { judge, type Judged } from "./judge.ts";
import type { TestRun } from "./observe.ts";
import type { TestResult } from "./results.ts";
import type { TestedTree } from "./tree.ts";

/** One tree with its first run. */
export interface First {
  target: Target;
  tree: TestedTree;
  run: TestRun;
}

/** What is known of a tree in the end. */
export interface Settled {
  /** Missing where the run did not exit. */
  judged?: Judged;
  /** The run that counts, where it is not the first. */
  run?: TestRun;
  canary?: CanaryState;
  /** The test that must fail, where it was not found to do so. */
  doubted?: Canary;
  own?: CheckRun["own"];
  /** Paths of hooks with which alone the tests pass. */
  hooks?: readonly string[];
}

/** What a second look at a run needs. */
export interface Look {
  workspace: Workspace;
  tests: Tests;
  asked: TestCommand;
  /** Whether all tests were asked for. */
  whole: boolean;
  expected: Expectation;
  /** Tests that fail before any change: of a pass they matter most. */
  wanted: ReadonlySet<string>;
  /** Runs the tests once more on a tree as it was made for them, with a canary or without. */
  again(target: Target, tree: TestedTree, canary?: Canary): Promise<TestRun>;
  /** Runs them on the rollout's tree with its own configuration. */
  own(target: Target): Promise<TestRun>;
}

/** A pass is believed when a test that must fail does fail in it, and no other test changes its mind. */
export async function afterPass(look: Look, { target, tree, run }: First, judged: Judged): Promise<Settled> {
  const isWanted = ({ id }: { id: string }) => Number(look.wanted.has(id));
  const told = (run.told ?? []).toSorted((a, b) => isWanted(b) - isWanted(a));
  const name = randomName();
  const canary = look.whole
    ? await placeCanary(look.workspace, tree.entries, { tests: look.tests, asked: look.asked, told, name })
    : undefined;
  if (canary === undefined) return { judged, canary: "none" };
  const second = await look.again(target, tree, canary);
  const state = canaryState(second, canary, run, look.expected);
  const doubted = state === "absent" || state === "ignored" ? { doubted: canary } : {};
  return { judged: withFlaky(judged, differing(run, second, canary.double?.id)), canary: state, ...doubted };
}

/** A failure that contradicts the record is looked at again; one without the rollout's own hooks also with them. */
export async function afterFailure(
  look: Look,
  { target, tree, run }: First,
  judged: Judged,
): Promise<Settled> {
  if (judged.status === "exit_only") return { judged };
  const recorded = isRecordedPass(look, target);
  // Tests of the rollout's own are no hooks by their names; where a pass is recorded they may have made it.
  const hooks = tree.hooks.length === 0 && recorded ? tree.modules : tree.hooks;
  const second = recorded ? await look.again(target, tree) : undefined;
  const settled = second === undefined ? judged : withFlaky(judged, differing(run, second));
  if (second?.result.outcome === "exited" && judge(second, look.expected).status === "passed")
    return { judged: { ...settled, status: "flaky", problem: "another run of the same code passed" } };
  if (hooks.length === 0 || settled.status === "flaky") return { judged: settled };
  const { result, ...own } = await look.own(target);
  if (result.outcome !== "exited") return { judged: settled, own: result.outcome };
  const { status } = judge({ result, ...own }, look.expected);
  const claims = status === "passed" || (look.expected.holds.exit && result.exit_code === 0);
  return { judged: settled, own: status, hooks: claims && !onlyLacks(run.told) ? hooks : [] };
}

/** A limit that a recorded pass reaches may be a busy machine's fault: it is given another run. */
export async function afterLimit(look: Look, { target, tree }: First): Promise<Settled> {
  if (!isRecordedPass(look, target)) return {};
  const run = await look.again(target, tree);
  if (run.result.outcome !== "exited") return {};
  const { tests } = judge(run, look.expected);
  return { run, judged: { status: "flaky", problem: "another run of the same code reached a limit", tests } };
}

const isRecordedPass = ({ workspace }: Look, { tree }: Target) =>
  workspace.rollouts.some(({ patch, passed }) => patch.tree === tree && passed === true);

/**
 * Whether a canary works at all: laid alone over the base it fails as it must. Where it does not, the fault is its
 * place and nobody's.
 */
export async function worksOnBase(look: Look, { target, tree }: First, canary: Canary): Promise<boolean> {
  const alone = { ...canary, file: { ...canary.file, content: canary.alone } };
  const { double: _none, ...single } = alone;
  return canaryState(await look.again(target, tree, single), single, undefined, look.expected) === "failed";
}

function canaryState(
  second: Observed,
  { name, double }: Canary,
  before: Observed | undefined,
  { holds }: Expectation,
): CanaryState {
  if (second.result.outcome !== "exited") return "unclear";
  const canary = second.told?.find(({ id }) => id.includes(name));
  const twin = second.told?.find(({ id }) => id === double?.id);
  const single = before?.told?.find(({ id }) => id === double?.id);
  if (canary !== undefined && canary.status !== "failed") return "passed";
  // What stands beside a test of the same name has run only if that name is told of once more.
  const hasRun = twin !== undefined && (double?.replaces === true || timesOf(twin) > timesOf(single));
  if (hasRun && twin.status !== "failed") return "passed";
  // A runner that stops at the first failure may not get as far.
  if (canary === undefined && twin?.status !== "failed") return "absent";
  return holds.exit && second.result.exit_code === 0 ? "ignored" : "failed";
}

const timesOf = (test: TestResult | undefined) => (test === undefined ? 0 : (test.times ?? 1));

/** Tests that two runs tell differently. One that only one of them tells of was cut off. */
function differing(run: Observed, second: Observed, double?: string): string[] {
  const before = new Map(run.told?.map(({ id, status }) => [id, status]));
  return (second.told ?? [])
    .filter(({ id, status }) => id !== double && before.has(id) && before.get(id) !== status)
    .map(({ id }) => id);
}

function withFlaky(judged: Judged, ids: readonly string[]): Judged {
  if (ids.length === 0) return judged;
  const tests = new Map<string, TestStatus>(judged.tests);
  for (const id of ids) tests.set(id, "flaky");
  const left = [...tests.values()].some((status) => status === "failed");
  if (judged.status !== "passed" && (judged.status !== "failed" || left)) return { ...judged, tests };
  return {
    status: "flaky",
    problem: `two runs of the same code disagree on ${ids.slice(0, 3).join(", ")}`,
    tests,
  };
}

/** A test's name that no code can know before. */
function randomName(): string {
  return Array.from({ length: 14 }, () => String.fromCodePoint(97 + randomInt(26))).join("");
}
