import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  crossTierAccuracy,
  faultyMissed,
  pairwiseAccuracy,
  soundBlamed,
  tiesKept,
  topRegret,
  unplaced,
} from "../../../src/evals/metrics/pairs.ts";
import type { GroupLabels } from "../../../src/evals/types.ts";
import { answer, groups, labelled, labels, orderOf, placed, reference, tiersOnly } from "./cases.ts";

const of = (numerator: number, denominator: number) => ({ numerator, denominator });
const truth = labelled("a b | c=d | e");

// Of the ten pairs eight are across tiers (not ab, not cd), nine have a known winner (not cd), one is a known tie.
test.each([
  ["the labels themselves", "a b | c=d | e", of(8, 8), of(9, 9), of(1, 1)],
  ["reversed", "e | c=d | b a", of(0, 8), of(0, 9), of(1, 1)],
  ["all tied", "a=b=c=d=e | |", of(4, 8), of(4.5, 9), of(1, 1)],
  ["a and b exchanged", "b a | c=d | e", of(8, 8), of(8, 9), of(1, 1)],
  ["c above b, d not tied", "a c b | d | e", of(7, 8), of(8, 9), of(0, 1)],
  ["tiers do not matter, the order does", "| | a b c=d e", of(8, 8), of(9, 9), of(1, 1)],
  // Without a place e is tied with all: 4 pairs across tiers at half.
  ["one without a place", "a b | c=d |", of(6, 8), of(7, 9), of(1, 1)],
  ["d without a place is tied with c", "a b | c | e", of(6.5, 8), of(7.5, 9), of(1, 1)],
])("%s: across tiers, all known pairs, ties kept", (_, line, across, all, ties) => {
  const given = placed(line);
  expect(crossTierAccuracy(truth, given)).toEqual(across);
  expect(pairwiseAccuracy(truth, given)).toEqual(all);
  expect(tiesKept(truth, given)).toEqual(ties);
});

test("single pairs and ties count without tiers", () => {
  const known = labels({ pairs: [{ better: "a", worse: "b" }], ties: [["b", "c"]] });
  expect(pairwiseAccuracy(known, placed("a b=c | |"))).toEqual(of(1, 1));
  expect(tiesKept(known, placed("a b c | |"))).toEqual(of(0, 1));
  expect(crossTierAccuracy(known, placed("a b | |"))).toBeNull();
});

test.each<[string, GroupLabels]>([
  ["no labels", labels({})],
  ["one tier", tiersOnly("a b | |")],
])("no pairs with %s: null", (_, known) => {
  const given = placed("a b | |");
  expect([crossTierAccuracy, pairwiseAccuracy, tiesKept].map((metric) => metric(known, given))).toEqual([
    null,
    null,
    null,
  ]);
});

test("accuracy is (1 + Somers' d) / 2 of scipy", () => {
  for (const { truth: ranks, given, somers_d } of reference.orders) {
    const order = orderOf(ranks);
    const places = Object.fromEntries(given.map((rank, index) => [`r${index}`, { tier: 2 as const, rank }]));
    const result = pairwiseAccuracy(labels({ order }), answer({ places }));
    if (somers_d === null || result === null) expect([somers_d, result]).toEqual([null, null]);
    else expect(result.numerator / result.denominator).toBeCloseTo((1 + somers_d) / 2, 12);
  }
});

// Sound a and b, faulty c, d and e.
test.each([
  ["as labelled", "a b | c=d | e", of(0, 2), of(0, 3), of(0, 5)],
  ["all in tier 1", "a b c d e | |", of(0, 2), of(3, 3), of(0, 5)],
  ["all in tier 2", "| a b c d e |", of(2, 2), of(0, 3), of(0, 5)],
  ["all in tier 3", "| | a b c d e", of(2, 2), of(0, 3), of(0, 5)],
  ["one of each wrong", "a c | b d | e", of(1, 2), of(1, 3), of(0, 5)],
  ["b and c without a place", "a d | e |", of(0, 1), of(1, 2), of(2, 5)],
  ["only unlabelled rollouts placed", "x | y |", null, null, of(5, 5)],
])("%s: sound blamed, faulty missed, unplaced", (_, line, blamed, missed, without) => {
  const given = placed(line);
  expect(soundBlamed(truth, given)).toEqual(blamed);
  expect(faultyMissed(truth, given)).toEqual(missed);
  expect(unplaced(truth, given)).toEqual(without);
});

test("without labelled tiers there is nothing to blame, miss or leave out", () => {
  const given = placed("a | b |");
  expect([soundBlamed, faultyMissed, unplaced].map((metric) => metric(labels({}), given))).toEqual([
    null,
    null,
    null,
  ]);
});

describe("top-1 regret", () => {
  test.each([
    ["the best on top", "a b | |", "a | b |", 0],
    ["a faulty one on top", "a | b | c", "b a | c |", 1],
    ["the worst on top", "a | b | c", "c | a | b", 2],
    ["the best labelled tier is 2", "| a | b", "b | a |", 1],
    ["a tied top has the mean", "a | b | c", "a=b=c | |", 1],
    ["a tied top of two", "a | b | c", "a=c | b |", 1],
    ["a tied top of tiers 1 and 2", "a | b | c", "a=b c | |", 0.5],
    // c has no place, is tied with the top and so is in it.
    ["one without a place", "a | b | c", "a | b |", 1],
    ["an unlabelled rollout on top does not count", "a | b | c", "x | a | b c", 0],
  ])("%s", (_, known, given, regret) => {
    const expected = new Set(Object.values(tiersOnly(known).tiers)).size > 1 ? of(regret, 1) : null;
    expect(topRegret(tiersOnly(known), placed(given))).toEqual(expected);
  });

  test("null where nothing could be lost", () => {
    expect(topRegret(tiersOnly("| a b |"), placed("a b | |"))).toBeNull();
    expect(topRegret(labels({}), placed("a | |"))).toBeNull();
  });
});

test("law: reversing a grading turns accuracy round; names and order of labels do not matter", () => {
  fc.assert(
    fc.property(groups, ({ labels: known, answer: given }) => {
      const result = crossTierAccuracy(known, given);
      if (result === null) return;
      expect(result.numerator).toBeGreaterThanOrEqual(0);
      expect(result.numerator).toBeLessThanOrEqual(result.denominator);
      const reversed = Object.entries(given.places).map(([id, { tier, rank }]) => [
        id,
        { tier: 4 - tier, rank: 4 - rank },
      ]);
      const turned = crossTierAccuracy(known, answer({ places: Object.fromEntries(reversed) }));
      expect(turned?.numerator).toBeCloseTo(result.denominator - result.numerator, 12);
      const renamed = <Value>(record: Record<string, Value>) =>
        Object.fromEntries(
          Object.entries(record)
            .map(([id, value]): [string, Value] => [`z${id}`, value])
            .toReversed(),
        );
      const other = {
        known: labels({ tiers: renamed(known.tiers) }),
        given: answer({ places: renamed(given.places) }),
      };
      for (const metric of [
        crossTierAccuracy,
        pairwiseAccuracy,
        soundBlamed,
        faultyMissed,
        topRegret,
        unplaced,
      ])
        expect(metric(other.known, other.given)).toEqual(metric(known, given));
    }),
  );
});
