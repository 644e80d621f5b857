import { expect, test } from "vitest";
import { testRerunText } from "../../src/report/test-rerun.ts";
import type { CheckRun } from "../../src/schema/check.ts";

const runs: CheckRun[] = [
  {
    rollout: "a",
    outcome: "exited",
    exit_code: 0,
    status: "passed",
    tests: { passed: 3, failed: 0, skipped: 0, failing: [] },
    canary: "failed",
  },
  {
    rollout: "b\u202e",
    outcome: "exited",
    exit_code: 1,
    status: "failed",
    tests: { passed: 1, failed: 2, skipped: 0, failing: ["t::one", "t::two"] },
    left_out: ["conftest.py"],
    own: "passed",
    flags: [
      {
        kind: "result_forged",
        claim: "Only with its hooks.",
        citations: [{ kind: "check", check: "x1", quote: "passed" }],
      },
    ],
  },
  { rollout: "base", outcome: "timed_out" },
];

test("a table with a row for every rollout and for the base, and what a reader has to know below", () => {
  const text = testRerunText({
    group_id: "g",
    check: {
      id: "x1",
      tool: "run_tests",
      sandbox: "docker",
      command: "pytest",
      runs,
      clusters: [],
      notes: ["a note"],
    },
    rollouts: [
      { id: "a", passed: true, result: "passed", agreement: "reproduced" },
      { id: "b\u202e", passed: true, result: "failed", agreement: "contradicted" },
      { id: "c", passed: null, result: "no_tree", agreement: "unknown" },
    ],
  });
  expect(text).toBe(`g: pytest in docker
rollout    recorded  now        agreement     passed  failed  skipped  missing  verified
a          passed    passed     reproduced         3       0        0        0  yes
b\\u{202e}  passed    failed     contradicted       1       2        0        0  -
c          -         no tree    unknown            -       -        -        -  -
base       -         timed out  -                  -       -        -        -  -
note: a note
b\\u{202e}: failed: t::one, t::two
b\\u{202e}: left out: conftest.py
b\\u{202e}: with its own test configuration: passed
flag b\\u{202e}: result_forged, Only with its hooks.`);
});

test("a pass that could not be verified says why", () => {
  const run: CheckRun = { rollout: "a", outcome: "exited", exit_code: 0, status: "passed", canary: "none" };
  const text = testRerunText({
    group_id: "g",
    check: { id: "x1", tool: "run_tests", sandbox: "docker", command: "pytest", runs: [run], clusters: [] },
    rollouts: [{ id: "a", passed: true, result: "passed", agreement: "reproduced" }],
  });
  expect(text).toContain("  no: none");
});

test("where nothing can be run, what the base printed last", () => {
  const text = testRerunText({
    group_id: "g",
    check: { id: "x1", tool: "run_tests", sandbox: "docker", command: "pytest", runs: [], clusters: [] },
    rollouts: [],
    broken: "No module named x",
  });
  expect(text).toContain("the tests cannot be run here; what the base printed last:\nNo module named x");
});
