import { expect, test } from "vitest";
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
const rollouts = [
  { id: "r1", passed: true },
  { id: "r2", passed: false },
  { id: "r3", passed: null },
];
const labelOf = (id: string) => id.toUpperCase();
const warnings = (...checks: Check[]) => rerunWarnings(rollouts, labelOf, checks);
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
      "rollouts[r1]: recorded as passed, but its tests failed when they were run again (x1)",
      "rollouts[r2]: recorded as failed, but its tests passed when they were run again (x1)",
    ],
  ],
  [
    "an exit status of 0 beside a failing test is no pass",
    [check([ran("R1", 0, { status: "inconsistent", tests: counts(1) })])],
    ["rollouts[r1]: recorded as passed, but its tests were inconsistent when they were run again (x1)"],
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
    ["rollouts[r1]: recorded as passed, but its tests failed when they were run again (x1)"],
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
