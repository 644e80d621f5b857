import { expect, test } from "vitest";
import { contradictions } from "../../src/graph/contradictions.ts";
import { rerunOf, rerunWarnings } from "../../src/graph/reruns.ts";
import type { Check, CheckRun } from "../../src/schema/check.ts";

const counts = (failed: number) => ({ passed: 3 - failed, failed, skipped: 0, failing: [] });
const ran = (rollout: string, exit_code: number, change: Partial<CheckRun> = {}): CheckRun => ({
  rollout,
  outcome: "exited",
  exit_code,
  status: exit_code === 0 ? "passed" : "failed",
  tests: counts(exit_code === 0 ? 0 : 1),
  ...change,
});
const check = (runs: CheckRun[], change: Partial<Check> = {}): Check => ({
  id: "x1",
  tool: "run_tests",
  sandbox: "docker",
  command: "run tests",
  whole: true,
  runs,
  clusters: [],
  ...change,
});
const limited = (rollout: string): CheckRun => ({ rollout, outcome: "timed_out" });
const rollouts = [
  { id: "r1", passed: true },
  { id: "r2", passed: false },
  { id: "r3", passed: null },
];
const labelOf = (id: string) => id.toUpperCase();
const firmly = (checks: Check[], suspected: string[] = []) =>
  contradictions(rollouts, labelOf, checks, new Set(suspected));
const warnings = (...checks: Check[]) =>
  rerunWarnings({ rollouts, labelOf, checks, firm: firmly(checks), policy: "demote" });
const named = (...failing: string[]) => ({ passed: 3, failed: failing.length, skipped: 0, failing });
const lost: Partial<CheckRun> = { outcome: "timed_out" };
const untold = (rollout: string, exit_code: number): CheckRun => ({
  rollout,
  outcome: "exited",
  exit_code,
  status: "exit_only",
});

test.each<[string, Check[], string[]]>([
  ["no rerun", [], []],
  [
    "as recorded; of what is unknown nothing is contradicted",
    [check([ran("R1", 0), ran("R2", 1), ran("R3", 1)])],
    [],
  ],
  [
    "contradicted",
    [check([ran("R1", 1), ran("R2", 0)])],
    [
      "rollouts[r1]: recorded as passed, but its tests failed when they were run again (x1); it is placed last in tier 3",
      "rollouts[r2]: recorded as failed, but its tests passed when they were run again (x1)",
    ],
  ],
  [
    "an exit status of 0 beside a failing test is no pass",
    [check([ran("R1", 0, { status: "inconsistent", tests: counts(1) })])],
    [
      "rollouts[r1]: recorded as passed, but its tests were inconsistent when they were run again (x1); it is placed last in tier 3",
    ],
  ],
  ["the last rerun counts", [check([ran("R1", 1)]), check([ran("R1", 0)], { id: "x2" })], []],
  ["single tests are no rerun", [check([ran("R1", 1)], { whole: false })], []],
  [
    "runs that say nothing are told together",
    [check([ran("R1", 0, lost), ran("R2", 1, lost)])],
    ["rollouts[r1, r2]: the rerun of the tests says nothing (x1: ended because its time was over)"],
  ],
  [
    "a command that does not even run on the base is told once",
    [check([untold("R1", 127), untold("R2", 127), untold("base", 127)])],
    [
      'tests: cannot be run here (x1): "run tests" exited with status 127 everywhere, before any change too, and told of no test',
    ],
  ],
  [
    "a base that fails in another way says nothing of the command",
    [check([untold("R1", 1), untold("base", 2)])],
    [
      "rollouts[r1]: recorded as passed, but its tests failed by their exit status when they were run again (x1)",
    ],
  ],
])("warnings: %s", (_what, checks, expected) => {
  expect(warnings(...checks)).toEqual(expected);
});

test("a grade tells the last rerun of a rollout", () => {
  const checks = [check([ran("R1", 1), untold("R2", 0)]), check([ran("R3", 0, lost)], { id: "x2" })];
  expect(["R1", "R2", "R3", "R4"].map((label) => rerunOf(checks, label))).toEqual([
    { check: "x1", result: "failed" },
    { check: "x1", result: "exit_only" },
    { check: "x2", result: "timed_out" },
    undefined,
  ]);
});

test.each<[string, Check[], string[], string[]]>([
  ["a failure", [check([ran("R1", 1)])], [], ["R1"]],
  ["a pass that is not recorded", [check([ran("R2", 1), ran("R3", 1)])], [], []],
  ["a test that was skipped", [check([ran("R1", 0, { status: "skipped" })])], [], ["R1"]],
  ["no report", [check([ran("R1", 0, { status: "invalid" })])], [], ["R1"]],
  ["two runs that disagree", [check([ran("R1", 1, { status: "flaky" })])], [], []],
  ["an earlier pass", [check([ran("R1", 0)]), check([ran("R1", 1)], { id: "x2" })], [], []],
  ["nothing but an exit status", [check([untold("R1", 1)])], [], []],
  ["a lost sandbox", [check([ran("R1", 1, { outcome: "sandbox_failed" }), ran("base", 1)])], [], []],
  ["a time limit", [check([limited("R1"), ran("base", 1)])], [], ["R1"]],
  ["a time limit that the base reaches too", [check([limited("R1"), limited("base")])], [], []],
  [
    "what fails before any change too, and no recorded pass is reproduced",
    [check([ran("R1", 1, { tests: named("a") }), ran("base", 1, { tests: named("a", "b") })])],
    [],
    [],
  ],
  [
    "the same of a rollout that is known to cheat",
    [check([ran("R1", 1, { tests: named("a") }), ran("base", 1, { tests: named("a", "b") })])],
    ["R1"],
    ["R1"],
  ],
  [
    "what passes before any change",
    [check([ran("R1", 1, { tests: named("a", "c") }), ran("base", 1, { tests: named("a", "b") })])],
    [],
    ["R1"],
  ],
])("a policy may follow: %s", (_what, checks, suspected, expected) => {
  expect([...firmly(checks, suspected).keys()]).toEqual(expected);
});

test("where another recorded pass is reproduced, the place is able to run the tests", () => {
  const both = [...rollouts, { id: "r4", passed: true }];
  const runs = [ran("R1", 1, { tests: named("a") }), ran("R4", 0), ran("base", 1, { tests: named("a") })];
  expect([...contradictions(both, labelOf, [check(runs)], new Set()).keys()]).toEqual(["R1"]);
});
