import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  orderAgreement,
  repeatedTiers,
  retestAgreement,
  variantAgreement,
} from "../../../src/evals/metrics/agreement.ts";
import type { GroupRun } from "../../../src/evals/metrics/metric.ts";
import type { Answer } from "../../../src/evals/types.ts";
import { answer, groups, placed, places } from "./cases.ts";

const of = (numerator: number, denominator: number) => ({ numerator, denominator });

test.each([
  ["the same", "a b | c |", "a b | c |", of(3, 3)],
  ["other tiers, the same order", "a b | c |", "| a | b c", of(3, 3)],
  ["reversed", "a b c | |", "c b a | |", of(0, 3)],
  ["a tie against a winner", "a=b c | |", "a b c | |", of(2, 3)],
  ["a tie in both", "a=b c | |", "a=b | c |", of(3, 3)],
  ["only pairs placed in both", "a b c | |", "b a | d |", of(0, 1)],
  ["one in both", "a b | |", "a | c |", null],
])("%s: order agreement, either way round", (_, one, other, expected) => {
  expect(orderAgreement(placed(one), placed(other))).toEqual(expected);
  expect(orderAgreement(placed(other), placed(one))).toEqual(expected);
});

const run = (plain: Answer[], variants: Record<string, Answer[]> = {}): GroupRun => ({
  group_id: "g",
  plain,
  variants,
});
const graded = (line: string, repeat = 0) => answer({ places: places(line), repeat });
const failed = (repeat: number) => answer({ status: "error", places: places("a b c | |"), repeat });

test("a variant is compared with the plain answer of its repeat, and with no other", () => {
  const plain = [graded("a b | |", 0), graded("b a | |", 1), failed(2), graded("a b | |", 3)];
  const shuffled = [graded("b a | |", 1), graded("b a | |", 0), graded("a b | |", 2), failed(3)];
  const group = run(plain, { shuffled, renamed: [graded("a b | |")], duplicated: [graded("a | |")] });
  expect(variantAgreement(group, "shuffled")).toEqual([of(0, 1), of(1, 1)]);
  expect(variantAgreement(group, "renamed")).toEqual([of(1, 1)]);
  expect(variantAgreement(group, "duplicated")).toEqual([]);
  expect(variantAgreement(group, "extra-failing")).toEqual([]);
});

test("every two graded repeats are compared", () => {
  const plain = [graded("a b c | |", 0), graded("a c b | |", 1), failed(2), graded("a b c | |", 3)];
  expect(retestAgreement(run(plain))).toEqual([of(2, 3), of(3, 3), of(2, 3)]);
  expect(retestAgreement(run([graded("a b | |")]))).toEqual([]);
  expect(retestAgreement(run([graded("a | |"), graded("a | |", 1)]))).toEqual([]);
});

test("units of alpha: the tiers of each rollout, of graded repeats, where there are two", () => {
  const plain = [graded("a | b | d", 0), graded("b | a |", 1), failed(2), graded("a | | c", 3)];
  expect(repeatedTiers(run(plain))).toEqual([
    [1, 2, 1],
    [2, 1],
  ]);
});

test("law: an answer agrees with itself in all pairs", () => {
  fc.assert(
    fc.property(groups, ({ answer: given }) => {
      const count = Object.keys(given.places).length;
      const pairs = (count * (count - 1)) / 2;
      expect(orderAgreement(given, given)).toEqual(pairs === 0 ? null : of(pairs, pairs));
    }),
  );
});
