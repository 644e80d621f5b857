import { expect, test } from "vitest";
import { countTests, testCommand } from "../../src/checks/runners.ts";
import type { TestCounts } from "../../src/schema/check.ts";
import type { Tests } from "../../src/schema/group.ts";

const counts = (passed: number, failed: number, skipped: number, failing: string[] = []): TestCounts => ({
  passed,
  failed,
  skipped,
  failing,
});

test.each<[string, Tests["runner"], string, TestCounts | undefined]>([
  [
    "pytest -rA",
    "pytest",
    `..F.s
=========================== short test summary info ============================
PASSED tests/test_a.py::test_one
SKIPPED [1] tests/test_a.py:9: no reason
FAILED tests/test_a.py::test_two[1-2] - assert 1 == 2
ERROR tests/test_b.py - ImportError: no module
========= 1 failed, 3 passed, 1 skipped, 1 xfailed, 1 error in 0.12s ==========`,
    counts(3, 2, 2, ["tests/test_a.py::test_two[1-2]", "tests/test_b.py"]),
  ],
  ["pytest -q", "pytest", "....\n4 passed, 2 warnings in 1.02s\n", counts(4, 0, 0)],
  ["pytest that collected nothing", "pytest", "\nno tests ran in 0.00s\n", undefined],
  [
    "pytest: a line of a test is no summary",
    "pytest",
    "we had 9 passed today\n1 failed in 0.01s\n",
    counts(0, 1, 0),
  ],
  [
    "unittest",
    "unittest",
    `.FE
======================================================================
FAIL: test_a (tests.test_x.Case.test_a)
----------------------------------------------------------------------
ERROR: test_b (tests.test_x.Case.test_b)
----------------------------------------------------------------------
Ran 5 tests in 0.003s

FAILED (failures=1, errors=1, skipped=1)`,
    counts(2, 2, 1, ["test_a (tests.test_x.Case.test_a)", "test_b (tests.test_x.Case.test_b)"]),
  ],
  ["unittest, all well", "unittest", "Ran 1 test in 0.000s\n\nOK\n", counts(1, 0, 0)],
  [
    "unittest, expected failures",
    "unittest",
    "Ran 3 tests in 0.1s\n\nOK (skipped=1, expected failures=1)\n",
    counts(1, 0, 2),
  ],
  [
    "node, TAP",
    "node",
    `TAP version 13
# Subtest: adds
not ok 1 - adds
  ---
  duration_ms: 1.2
  ...
ok 2 - subtracts # SKIP
1..2
# tests 3
# suites 0
# pass 1
# fail 1
# cancelled 0
# skipped 1
# todo 0
# duration_ms 40.1`,
    counts(1, 1, 1, ["adds"]),
  ],
  [
    "node, spec",
    "node",
    "✖ adds (1.5ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\nℹ skipped 0\n",
    counts(1, 1, 0, ["adds"]),
  ],
  [
    "jest",
    "jest",
    "  ● math › adds\n\nTests:       1 failed, 1 skipped, 1 todo, 3 passed, 6 total\nTime: 1 s\n",
    counts(3, 1, 2, ["math › adds"]),
  ],
  [
    "vitest",
    "vitest",
    " FAIL  test/a.test.ts > adds\n\n Test Files  1 failed (1)\n      Tests  1 failed | 3 passed | 2 skipped (6)\n",
    counts(3, 1, 2, ["test/a.test.ts > adds"]),
  ],
  [
    "mocha",
    "mocha",
    "  math\n    ✔ adds\n    1) subtracts\n\n  1 passing (4ms)\n  2 pending\n  1 failing\n\n  1) math\n       subtracts:\n",
    counts(1, 1, 2, ["subtracts", "math"]),
  ],
  [
    "go test -v",
    "go",
    "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    b_test.go:5: no\n    --- FAIL: TestB/sub (0.00s)\n--- FAIL: TestB (0.00s)\n--- SKIP: TestC (0.00s)\nFAIL\n",
    counts(1, 1, 1, ["TestB/sub", "TestB"]),
  ],
  [
    "cargo, two binaries",
    "cargo",
    "test a::adds ... ok\ntest a::subs ... FAILED\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\n\ntest result: ok. 2 passed; 0 failed; 3 ignored; 0 measured\n",
    counts(3, 1, 3, ["a::subs"]),
  ],
  ["custom has no account", "custom", "4 passed in 1s", undefined],
  ["no runner", undefined, "4 passed in 1s", undefined],
])("%s", (_what, runner, output, expected) => {
  expect(countTests({ command: "x", ...(runner === undefined ? {} : { runner }) }, output)).toEqual(expected);
});

test.each<[string, NonNullable<Tests["runner"]>, string, { command: string; env?: object } | undefined]>([
  [
    "pytest",
    "pytest",
    "pytest -q tests",
    { command: "pytest -q tests", env: { PYTEST_ADDOPTS: "-rA -k 'a b'" } },
  ],
  ["unittest", "unittest", "python3 -m unittest -v", { command: "python3 -m unittest -v -k 'a b'" }],
  ["jest behind npm", "jest", "npm test", { command: "npm test -- -t 'a b'" }],
  ["vitest", "vitest", "npx vitest run", { command: "npx vitest run -t 'a b'" }],
  [
    "node",
    "node",
    "node --import ./setup.js --test test/",
    { command: "node --test-name-pattern='a b' --import ./setup.js --test test/" },
  ],
  ["node behind npm cannot be told", "node", "npm test", undefined],
  ["go", "go", "go test ./...", { command: "go test ./... -run 'a b'", env: { GOFLAGS: "-v" } }],
  ["custom cannot be told", "custom", "make check", undefined],
])("tests are selected: %s", (_what, runner, command, expected) => {
  const tests = { command, runner };
  expect(testCommand(tests, "a b")).toEqual(expected === undefined ? undefined : { env: {}, ...expected });
  expect(testCommand(tests, undefined)?.command).toBe(command);
});

test("a pattern cannot leave its quotes", () => {
  expect(testCommand({ command: "mocha", runner: "mocha" }, "it's; rm x")?.command).toBe(
    String.raw`mocha -g 'it'\''s; rm x'`,
  );
});
