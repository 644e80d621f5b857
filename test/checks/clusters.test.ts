import { expect, test } from "vitest";
import { clustersOf } from "../../src/checks/clusters.ts";
import type { Behaviour } from "../../src/checks/types.ts";
import type { CheckRun } from "../../src/schema/check.ts";

const ran = (
  rollout: string,
  stdout: string,
  stderr = "",
  more: Partial<CheckRun> = { exit_code: 0 },
): Behaviour => ({ run: { rollout, outcome: "exited", ...more }, printed: { stdout, stderr } });

const trace = (line: number, error: string) =>
  `Traceback (most recent call last):\n  File "/work/m.py", line ${line}, in f\n${error}\n`;

test.each<[string, Behaviour[], string[][]]>([
  ["equal output is one cluster", [ran("A", "1\n"), ran("B", "1\n")], [["A", "B"]]],
  ["the largest comes first", [ran("A", "1\n"), ran("B", "2\n"), ran("C", "2\n")], [["B", "C"], ["A"]]],
  ["of equal size the first stays first", [ran("B", "1\n"), ran("A", "2\n")], [["B"], ["A"]]],
  ["the end counts", [ran("A", "1\n"), ran("B", "1\n", "", { exit_code: 1 })], [["A"], ["B"]]],
  [
    "a limit is not an exit",
    [ran("A", "1\n"), ran("B", "1\n", "", { outcome: "timed_out" })],
    [["A"], ["B"]],
  ],
  [
    "the same error from other lines of other files is the same",
    [ran("A", "", trace(3, "ValueError: no")), ran("B", "", trace(9, "ValueError: no"))],
    [["A", "B"]],
  ],
  [
    "another error is not",
    [ran("A", "", trace(3, "KeyError: 1")), ran("B", "", trace(3, "ValueError: no"))],
    [["A"], ["B"]],
  ],
  [
    "measured times and addresses are no difference",
    [ran("A", "ok in 0.12 s <f at 0x7f00aa11>\n"), ran("B", "ok in 13 s <f at 0x7f00bb22>\n")],
    [["A", "B"]],
  ],
  ["numbers are", [ran("A", "12 rows\n"), ran("B", "13 rows\n")], [["A"], ["B"]]],
  [
    "told tests count, not how the runner words them",
    [
      ran("A", "x in 1 ms", "", { exit_code: 0, tests: { passed: 2, failed: 0, skipped: 0, failing: [] } }),
      ran("B", "y", "", { exit_code: 0, tests: { passed: 2, failed: 0, skipped: 0, failing: [] } }),
    ],
    [["A", "B"]],
  ],
])("%s", (_what, behaviours, expected) => {
  expect(clustersOf(behaviours).map(({ labels }) => labels)).toEqual(expected);
});

test.each<[string, string, string, object[]]>([
  ["in a line", "1\n2\n", "1\n3\n", [{ line: 2, here: "3", there: "2" }]],
  [
    "in every line of a case, and no other",
    "a 1\nb 2 in 5 ms\nc 3\n",
    "a 0\nb 2 in 7 ms\nc 4\n",
    [
      { line: 1, here: "a 0", there: "a 1" },
      { line: 3, here: "c 4", there: "c 3" },
    ],
  ],
  ["in a line that one lacks", "1\n2\n3\n", "1\n3\n", [{ line: 2, there: "2" }]],
  ["in a line too many", "1\n", "0\n1\n", [{ line: 1, here: "0" }]],
  ["in how often a line comes", "x\nx\ny\n", "x\ny\n", [{ line: 2, there: "x" }]],
  ["in all of it", "", "1\n", [{ line: 1, here: "1" }]],
])("the differences are told: %s", (_what, first, second, expected) => {
  const [one, two] = clustersOf([ran("A", first), ran("C", first), ran("B", second)]);
  expect(one?.differences).toEqual([]);
  expect(two?.differences).toEqual(expected);
});

test("what differs in its end or its errors alone has no differing line", () => {
  const [, end] = clustersOf([ran("A", "1\n"), ran("B", "1\n", "", { exit_code: 3 })]);
  expect(end?.differences).toEqual([]);
  const [, errors] = clustersOf([ran("A", "1\n", "last\n"), ran("B", "1\n", "other\n")]);
  expect(errors?.differences).toEqual([]);
});

test("no runs are no clusters", () => {
  expect(clustersOf([])).toEqual([]);
});
