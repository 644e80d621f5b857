import { expect, test } from "vitest";
import { clustersOf } from "../../src/checks/clusters.ts";
import { compareClusters } from "../../src/checks/disagreements.ts";
import type { Behaviour } from "../../src/checks/types.ts";
import { ran } from "./runs.ts";

const compared = (...given: Behaviour[]) => {
  const found = clustersOf(given);
  return compareClusters(found.clusters, found);
};

test("a line that is not the same everywhere tells who printed what, the largest side first", () => {
  const { disagreements, apart } = compared(
    ran("A", "a 1\nb 2 in 5 ms\nc 3\n"),
    ran("B", "a 1\nb 2 in 7 ms\nc 4\n"),
    ran("C", "a 1\nb 2 in 6 ms\nc 4\n"),
    ran("D", "a 0\nb 2 in 6 ms\nc 4\n"),
  );
  expect(apart).toEqual([]);
  expect(disagreements).toEqual([
    {
      line: 1,
      sides: [
        { labels: ["B", "C", "A"], text: "a 1" },
        { labels: ["D"], text: "a 0" },
      ],
    },
    {
      line: 3,
      sides: [
        { labels: ["B", "C", "D"], text: "c 4" },
        { labels: ["A"], text: "c 3" },
      ],
    },
  ]);
});

test.each<[string, string, string, object, object]>([
  ["a line is missing", "1\n2\n3\n", "1\n3\n", [], [{ line: 2, text: "2" }]],
  ["a line too many", "1\n", "0\n1\n", [{ line: 1, text: "0" }], []],
  ["a line comes less often", "x\nx\ny\n", "x\ny\n", [], [{ line: 2, text: "x" }]],
  ["nothing is printed", "1\n", "", [], [{ line: 1, text: "1" }]],
])("output of another length is told apart: %s", (_what, first, other, only, lacks) => {
  const { disagreements, apart } = compared(ran("A", first), ran("B", first), ran("C", other));
  expect(disagreements).toEqual([]);
  expect(apart.map(({ cluster, ...rest }) => ({ labels: cluster.labels, ...rest }))).toEqual([
    { labels: ["C"], only, lacks },
  ]);
});

test("what differs in its end alone parts in no line", () => {
  expect(compared(ran("A", "1\n"), ran("B", "1\n", "", { exit_code: 3 }))).toEqual({
    disagreements: [],
    apart: [],
  });
  expect(compared()).toEqual({ disagreements: [], apart: [] });
});
