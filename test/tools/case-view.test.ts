import { expect, test } from "vitest";
import { clustersOf } from "../../src/checks/clusters.ts";
import { waysOf } from "../../src/checks/ways.ts";
import { showCases } from "../../src/tools/case-view.ts";
import { ran } from "../checks/runs.ts";

const shown = (...outputs: [label: string, ...lines: object[]][]) => {
  const found = clustersOf(
    outputs.map(([label, ...lines]) => ran(label, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))),
  );
  const labels = found.clusters.map((cluster) => cluster.labels);
  return showCases(labels, waysOf(found));
};

test("a case is shown once, then who did what; two kinds need no table of distances", () => {
  const { lines, data } = shown(
    ["A", { case: [1], got: 1 }, { case: [2, 2], got: 1 }],
    ["B", { case: [1], got: 2 }, { case: [2, 2], got: 0 }],
    ["C", { case: [1], got: 1 }, { case: [2, 2], got: 1 }],
  );
  expect(lines).toEqual([
    "2 cases told; 2 of them part the rollouts, in 1 way",
    "A C | B: 2 cases",
    "case on line 1| [1]",
    '  A C| {"case":[1],"got":1}',
    '  B| {"case":[1],"got":2}',
  ]);
  expect(data).toMatchObject({ told: 2, parting: 2, ways: [{ cases: 2, smallest: { case: "[1]" } }] });
});

test("of three kinds and more it is told how many cases lie between any two", () => {
  const { lines } = shown(
    ["A", { case: 1, got: 1 }, { case: 2, got: 1 }],
    ["B", { case: 1, got: 2 }, { case: 2, got: 0 }],
    ["C", { case: 1, got: 1 }, { case: 2, got: 5 }],
  );
  expect(lines.slice(0, 4)).toEqual([
    "2 cases told; 2 of them part the rollouts, in 2 ways",
    "cases in which two kinds differ:",
    "  C: 1 from A",
    "  B: 2 from A, 2 from C",
  ]);
});

test("long lines are shown from a little before they part, from a whole word on", () => {
  const input = "x".repeat(700);
  const state = (last: number) => ({
    case: input,
    trace: ["insert", "delete", "undo"],
    end: { position: last, text: "abc" },
  });
  const { lines } = shown(["A", state(17)], ["B", state(18)]);
  expect(lines.slice(-2)).toEqual([
    '  A| ["insert","delete","undo"],"end":{"position":17,"text":"abc"}}',
    '  B| ["insert","delete","undo"],"end":{"position":18,"text":"abc"}}',
  ]);
});

test("who told nothing of a case is named", () => {
  const { lines } = shown(["A", { case: 1, got: 1 }, { case: 2, got: 1 }], ["B", { case: 1, got: 1 }]);
  expect(lines.slice(1)).toEqual([
    "A | B: 1 case",
    "case on line 2| 2",
    '  A| {"case":2,"got":1}',
    "  B told nothing of it",
  ]);
});
