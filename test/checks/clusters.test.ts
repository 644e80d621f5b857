import { expect, test } from "vitest";
import { clustersOf } from "../../src/checks/clusters.ts";
import type { Behaviour } from "../../src/checks/types.ts";
import { ran } from "./runs.ts";

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
  expect(clustersOf(behaviours).clusters.map(({ labels }) => labels)).toEqual(expected);
});

test("of several clusters of one size the one nearest to the others comes first; the base alone is last", () => {
  const odd = "1\n2\n3\n4\n";
  const given = [ran("base", odd), ran("A", odd), ran("B", "1\n0\n0\n0\n"), ran("C", "1\n0\n0\n4\n")];
  expect(clustersOf(given).clusters.map(({ labels }) => labels)).toEqual([["C"], ["B"], ["A", "base"]]);
  const alone = [ran("base", "x\n"), ran("A", "y\n"), ran("B", "z\n")];
  expect(clustersOf(alone).clusters.map(({ labels }) => labels)).toEqual([["A"], ["B"], ["base"]]);
});

test("no runs are no clusters", () => {
  expect(clustersOf([]).clusters).toEqual([]);
});
