import { expect, test } from "vitest";
import { contradiction, crossTierPairs, graderOrder, knownPairs } from "../../../src/evals/metrics/order.ts";
import type { GroupLabels } from "../../../src/evals/types.ts";
import { labelled, labels, places } from "./cases.ts";

test.each([
  ["a | b |", 1],
  ["b | a |", -1],
  ["| b | a", -1],
  ["a b | |", 1],
  ["b a | |", -1],
  ["a=b | |", 0],
  // The tier comes first: a worse rank in a better tier is still better.
  ["c a | b |", 1],
  ["a | |", 0],
  ["b | |", 0],
])("%s: a against b is %d", (line, order) => {
  expect(graderOrder(places(line), "a", "b")).toBe(order);
});

test("scores do not move an order", () => {
  const scored = { a: { tier: 1, rank: 1, score: 0 }, b: { tier: 1, rank: 1, score: 1 } } as const;
  expect(graderOrder(scored, "a", "b")).toBe(0);
});

const shown = (pairs: ReturnType<typeof knownPairs>) =>
  pairs.map(({ better, worse, tied }) => `${better}${tied ? "=" : ">"}${worse}`);

test.each<[string, GroupLabels, string[]]>([
  ["nothing known", labels({}), []],
  ["an order with a tie", labels({ order: [["a", "b"], ["c"]] }), ["a=b", "a>c", "b>c"]],
  ["tiers: nothing about two of one tier", labels({ tiers: { a: 2, b: 1, c: 2 } }), ["b>a", "b>c"]],
  ["single pairs", labels({ pairs: [{ better: "b", worse: "a" }] }), ["b>a"]],
  ["single ties", labels({ ties: [["a", "b"]] }), ["a=b"]],
  [
    "a tie and a tier beside an order, each pair once",
    labels({ tiers: { a: 1, b: 2 }, order: [["a"], ["b"]], ties: [["d", "c"]] }),
    ["a>b", "d=c"],
  ],
])("known pairs: %s", (_, given, pairs) => {
  expect(shown(knownPairs(given))).toEqual(pairs);
});

test("pairs across tiers, whichever comes first", () => {
  expect(shown(crossTierPairs(labels({ tiers: { a: 3, b: 1, c: 3, d: 2 } })))).toEqual([
    "b>a",
    "d>a",
    "b>c",
    "b>d",
    "d>c",
  ]);
});

test.each<[string, GroupLabels, string | undefined]>([
  ["an order that follows its tiers", labelled("a b=c | d | e=f"), undefined],
  [
    "a tie said twice, either way round",
    labels({
      ties: [
        ["a", "b"],
        ["b", "a"],
      ],
    }),
    undefined,
  ],
  ["an order against tiers", labels({ tiers: { a: 2, b: 1 }, order: [["a"], ["b"]] }), "b>a"],
  ["a tie across tiers", labels({ tiers: { a: 1, b: 2 }, ties: [["a", "b"]] }), "a=b"],
  ["a winner of a tie", labels({ order: [["a", "b"]], pairs: [{ better: "b", worse: "a" }] }), "b>a"],
  [
    "two winners",
    labels({
      pairs: [
        { better: "a", worse: "b" },
        { better: "b", worse: "a" },
      ],
    }),
    "b>a",
  ],
])("contradictions: %s", (_, given, expected) => {
  const found = contradiction(given);
  expect(found && shown([found])[0]).toBe(expected);
});
