import { expect, test } from "vitest";
import { clustersOf } from "../../src/checks/clusters.ts";
import { toRepeat } from "../../src/checks/repeat.ts";
import type { Behaviour } from "../../src/checks/types.ts";
import { ran, twice } from "./runs.ts";

const told = (...pairs: [unknown, unknown][]) =>
  pairs.map(([input, got]) => `${JSON.stringify({ case: input, got })}\n`).join("");

test.each<[string, Behaviour[], { clusters: string[][]; flaky?: string[]; unsteady?: string[] }]>([
  [
    "a line that is not the same in two runs of one rollout is left out for all",
    [ran("A", "x 1\ny\n"), twice("B", "x 2\ny\n", "x 3\ny\n")],
    { clusters: [["A", "B"]], unsteady: ["line 1 of 2"] },
  ],
  [
    "what is the same in both is a difference",
    [twice("A", "x 1\ny\n", "x 1\ny\n"), twice("B", "x 2\ny\n", "x 2\ny\n")],
    { clusters: [["A"], ["B"]] },
  ],
  [
    "a duration that is the same in both runs is a difference too",
    [twice("A", "ttl 5 s\n", "ttl 5 s\n"), twice("B", "ttl 6 s\n", "ttl 6 s\n")],
    { clusters: [["A"], ["B"]] },
  ],
  [
    "a measured time is left out, and the rest of its line counts",
    [
      twice("A", "f 1 in 0.10 s\n", "f 1 in 0.12 s\n"),
      twice("B", "f 1 in 0.31 s\n", "f 1 in 0.3 s\n"),
      twice("C", "f 2 in 0.10 s\n", "f 2 in 0.10 s\n"),
    ],
    { clusters: [["A", "B"], ["C"]] },
  ],
  [
    "an end that came once of two times is flaky",
    [twice("A", "1\n", "1\n"), twice("B", "1\n", "1\n", 1)],
    { clusters: [["A"]], flaky: ["B"] },
  ],
  [
    "so is another number of lines",
    [twice("A", "1\n", "1\n"), twice("B", "2\n", "2\n3\n")],
    { clusters: [["A"]], flaky: ["B"] },
  ],
  [
    "a case that differs from run to run is left out, the others count",
    [
      twice("A", told([1, 1], [2, 0.3]), told([1, 1], [2, 0.4])),
      twice("B", told([1, 1], [2, 7]), told([1, 1], [2, 7])),
      twice("C", told([1, 0], [2, 7]), told([1, 0], [2, 7])),
    ],
    { clusters: [["A", "B"], ["C"]], unsteady: ["case 2"] },
  ],
  [
    "a case that is told only once is left out",
    [twice("A", told([1, 1]), told([1, 1], [2, 2])), ran("B", told([1, 1], [2, 2]))],
    { clusters: [["A", "B"]], unsteady: ["case 2"] },
  ],
  [
    "in which order cases are told is no difference",
    [ran("A", told([1, 1], [2, 2])), ran("B", told([2, 2], [1, 1]))],
    { clusters: [["A", "B"]] },
  ],
  [
    "numbers are compared as they were written",
    [
      twice("A", '{"case": 1, "got": 1}\n', '{"case": 1, "got": 1}\n'),
      twice("B", '{"case": 1, "got": 1.0}\n', '{"case": 1, "got": 1.0}\n'),
    ],
    { clusters: [["A"], ["B"]] },
  ],
  [
    "of cases that were too many to be kept nothing is said",
    [
      {
        ...ran("A", ""),
        printed: { stdout: `${told([1, 1])}{"ca\n[9 characters left out]\n`, stderr: "", left_out: 9 },
      },
      ran("B", told([1, 1], [2, 2])),
    ],
    { clusters: [["A", "B"]], unsteady: ["case 2"] },
  ],
])("%s", (_what, behaviours, expected) => {
  const { clusters, flaky, unsteady } = clustersOf(behaviours);
  expect({
    clusters: clusters.map(({ labels }) => labels),
    flaky,
    unsteady: [...unsteady],
  }).toEqual({ flaky: [], unsteady: [], ...expected });
});

test.each<[string, Behaviour[], string[]]>([
  ["none where all agree", [ran("A", "1\n"), ran("B", "1\n")], []],
  [
    "one of most, and all others",
    [ran("A", "1\n"), ran("B", "2\n"), ran("C", "2\n"), ran("D", "3\n")],
    ["B", "A", "D"],
  ],
  ["times too, for nobody knows yet that they are", [ran("A", "1 s\n"), ran("B", "2 s\n")], ["A", "B"]],
  ["not what used up its time", [ran("A", "1\n"), ran("B", "", "", { outcome: "timed_out" })], ["A"]],
])("runs that are made again: %s", (_what, behaviours, labels) => {
  expect(toRepeat(behaviours).map(({ run }) => run.rollout)).toEqual(labels);
});
