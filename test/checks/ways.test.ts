import * as fc from "fast-check";
import { expect, test } from "vitest";
import { clustersOf } from "../../src/checks/clusters.ts";
import { waysOf } from "../../src/checks/ways.ts";
import { ran } from "./runs.ts";

const told = (...pairs: [unknown, unknown][]) =>
  pairs.map(([input, got]) => `${JSON.stringify({ case: input, got })}\n`).join("");
const ways = (...outputs: [string, string][]) =>
  waysOf(clustersOf(outputs.map(([label, stdout]) => ran(label, stdout))));

test("cases that part the rollouts alike are one way, with the smallest and the first; who tells nothing is a side", () => {
  const found = ways(
    ["A", told([[10, 20], 1], [[3], 1], [[4], 1], ["end", 1])],
    ["B", told([[10, 20], 2], [[3], 2], [[4], 1], ["end", 1])],
    ["C", told([[10, 20], 1], [[3], 1], [[4], 1])],
  );
  expect(found.cases).toBe(4);
  expect(found.ways.map(({ count, smallest, first }) => [count, smallest.input, first.input])).toEqual([
    [2, "[3]", "[10,20]"],
    [1, '"end"', '"end"'],
  ]);
  const end = found.ways.find(({ first }) => first.input === '"end"');
  expect(end?.first.sides).toEqual([
    { labels: ["A", "B"], text: '{"case":"end","got":1}' },
    { labels: ["C"] },
  ]);
});

test("where all do the same there is no way", () => {
  expect(ways(["A", told([1, 1])], ["B", told([1, 1])])).toEqual({ cases: 1, ways: [], differing: [[0]] });
  expect(waysOf(clustersOf([]))).toEqual({ cases: 0, ways: [], differing: [] });
});

const answers = fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 5, maxLength: 5 }), {
  minLength: 1,
  maxLength: 6,
});

test("law: the ways count every parting case once, and the first of them tell all clusters apart", () => {
  fc.assert(
    fc.property(answers, (rows) => {
      const outputs = rows.map((row, index): [string, string] => [
        String.fromCodePoint(65 + index),
        told(...row.map((got, input): [unknown, unknown] => ["x".repeat(input), got])),
      ]);
      const found = ways(...outputs);
      const parting = [0, 1, 2, 3, 4].filter((input) => new Set(rows.map((row) => row[input])).size > 1);
      expect(found.ways.reduce((sum, { count }) => sum + count, 0)).toBe(parting.length);
      const kinds = new Set(rows.map(String)).size;
      const sideOf = (label: string) =>
        found.ways
          .slice(0, Math.max(0, kinds - 1))
          .map(({ first }) => first.sides.findIndex(({ labels }) => labels.includes(label)))
          .join();
      expect(new Set(outputs.map(([label]) => sideOf(label))).size).toBe(kinds);
      for (const [a, row] of found.differing.entries())
        for (const [b, cases] of row.entries()) {
          expect(cases).toBe(found.differing[b]?.[a]);
          expect(cases === 0).toBe(a === b);
        }
      for (const { smallest, first } of found.ways) {
        expect(smallest.input.length).toBeLessThanOrEqual(first.input.length);
        expect(smallest.sides.map(({ labels }) => labels)).toEqual(first.sides.map(({ labels }) => labels));
        for (const { labels, text } of smallest.sides)
          for (const label of labels)
            expect(outputs.find(([name]) => name === label)?.[1].split("\n")).toContain(text);
      }
    }),
  );
});
