import * as fc from "fast-check";
import { expect, test } from "vitest";
import { kendallTauB, rankPairs, type RankPairs } from "../../../src/evals/metrics/ranks.ts";
import type { GroupLabels } from "../../../src/evals/types.ts";
import { answer, groups, labelled, labels, orderOf, placed, reference, tiersOnly } from "./cases.ts";

const tau = (known: GroupLabels, line: string) =>
  kendallTauB([rankPairs(known, placed(line))].flatMap((part) => part ?? []));

test.each<[string, GroupLabels, string, number | null, number]>([
  ["the order itself", labelled("a b | c | d"), "a b | c | d", 1, 6],
  ["reversed", labelled("a b | c | d"), "d c | b | a", -1, 6],
  // C = 5, D = 1 of 6.
  ["two neighbours exchanged", labelled("a b | c | d"), "b a | c | d", 4 / 6, 6],
  // C = 5, D = 0, one tie of the grader: 5 / sqrt(6 x 5).
  ["one tie of the grader", labelled("a b | c | d"), "a=b | c | d", 5 / Math.sqrt(30), 6],
  // C = 4, D = 1, one tie of the labels: 3 / sqrt(5 x 6).
  ["one tie of the labels", labelled("a=b | c | d"), "a c | b | d", 3 / Math.sqrt(30), 6],
  ["tiers alone are an order with ties", tiersOnly("a b | c |"), "a=b | c |", 1, 3],
  ["the grader ties everything", labelled("a b | c |"), "a=b=c | |", null, 3],
  ["the labels tie everything", labelled("a=b=c | |"), "a b | c |", null, 3],
  // c is tied with both: C = 1, D = 0, two ties of the grader: 1 / sqrt(3 x 1).
  ["one without a place", labelled("a b | c |"), "a b | |", 1 / Math.sqrt(3), 3],
  ["one labelled rollout", labelled("a | |"), "a | |", null, 0],
])("tau-b: %s", (_, known, line, value, n) => {
  const result = tau(known, line);
  expect(result.n).toBe(n);
  if (value === null) expect(result.value).toBeNull();
  else expect(result.value).toBeCloseTo(value, 14);
});

test("a group with one labelled rollout has no part, and nothing is null", () => {
  expect(rankPairs(labelled("a | |"), placed("a | |"))).toBeNull();
  expect(kendallTauB([])).toEqual({ value: null, n: 0 });
});

test("tau-b is scipy's", () => {
  for (const { truth, given, tau_b } of reference.orders) {
    const order = orderOf(truth);
    const places = Object.fromEntries(given.map((rank, index) => [`r${index}`, { tier: 1 as const, rank }]));
    const part = rankPairs(labels({ order }), answer({ places }));
    const { value } = kendallTauB(part === null ? [] : [part]);
    if (tau_b === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(tau_b, 12);
  }
});

test("pairs are counted and pooled: the sum of the counts of two groups", () => {
  const [one, other] = ["a b | c=d |", "d | c b | a"].map((line) =>
    rankPairs(labelled("a b | c | d"), placed(line)),
  );
  expect([one, other]).toEqual<RankPairs[]>([
    { concordant: 5, discordant: 0, tied_by_labels: 0, tied_by_grader: 1, pairs: 6 },
    { concordant: 0, discordant: 6, tied_by_labels: 0, tied_by_grader: 0, pairs: 6 },
  ]);
  const parts = [one, other].flatMap((part) => part ?? []);
  expect(kendallTauB(parts)).toEqual({ value: -1 / Math.sqrt(12 * 11), n: 12 });
});

test("law: in -1..1, and turned round by reversing the grading", () => {
  fc.assert(
    fc.property(groups, ({ labels: known, answer: given }) => {
      const turned = Object.entries(given.places).map(([id, { tier, rank }]) => [
        id,
        { tier: 4 - tier, rank: 4 - rank },
      ]);
      const value = (places: typeof given.places) =>
        kendallTauB([rankPairs(known, answer({ places }))].flatMap((part) => part ?? [])).value;
      const [one, other] = [value(given.places), value(Object.fromEntries(turned))];
      expect(other).toBe(one === null ? null : 0 - one);
      expect(Math.abs(one ?? 0)).toBeLessThanOrEqual(1 + 1e-12);
    }),
  );
});
