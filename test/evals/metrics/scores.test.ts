import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  areaUnderCurve,
  calibrationError,
  scoredRollouts,
  type ScoredRollout,
} from "../../../src/evals/metrics/scores.ts";
import { answer, placed, reference, tiersOnly } from "./cases.ts";

const rollouts = (sound: number[], faulty: number[]): ScoredRollout[] => [
  ...faulty.map((score) => ({ score, sound: false })),
  ...sound.map((score) => ({ score, sound: true })),
];

test("what has a score and a labelled tier; sound is tier 1", () => {
  const places = {
    a: { tier: 2, rank: 1, score: 0 },
    b: { tier: 1, rank: 1, score: 0.5 },
    c: { tier: 1, rank: 2 },
    x: { tier: 1, rank: 3, score: 1 },
  } as const;
  expect(scoredRollouts(tiersOnly("a | b | c d"), answer({ places }))).toEqual([
    { score: 0, sound: true },
    { score: 0.5, sound: false },
  ]);
  expect(scoredRollouts(tiersOnly("a | b |"), placed("a | b |"))).toEqual([]);
});

test.each([
  ["perfect", [0.9, 0.8], [0.1, 0.2], 1],
  ["reversed", [0.1, 0.2], [0.9], 0],
  ["a tie is half", [0.5], [0.5], 0.5],
  // Pairs: .4>.1, .4=.4, .8>.1, .8>.4: 3.5 of 4.
  ["one tie of four", [0.4, 0.8], [0.1, 0.4], 3.5 / 4],
  ["infinite scores", [Infinity], [Infinity, -Infinity], 1.5 / 2],
  ["any scale, here lines of code", [-3, -40], [-10, -50], 3 / 4],
])("AUC: %s", (_, sound, faulty, value) => {
  const result = areaUnderCurve(rollouts(sound, faulty));
  expect(result.value).toBeCloseTo(value, 14);
  expect(result.n).toBe(sound.length + faulty.length);
});

test.each([
  ["no scores", [], [], 0],
  ["sound ones only", [0.1, 0.2], [], 2],
  ["faulty ones only", [], [0.1], 1],
])("AUC is null: %s", (_, sound, faulty, n) => {
  expect(areaUnderCurve(rollouts(sound, faulty))).toEqual({ value: null, n });
});

test("AUC is scikit-learn's, ECE that of numpy's bins", () => {
  for (const { scores, sound, auc, calibration_error } of reference.scores) {
    const parts = scores.map((score, index) => ({ score, sound: sound[index] ?? false }));
    if (auc === null) expect(areaUnderCurve(parts).value).toBeNull();
    else expect(areaUnderCurve(parts).value).toBeCloseTo(auc, 12);
    expect(calibrationError(parts).value).toBeCloseTo(calibration_error, 12);
  }
});

describe("ECE", () => {
  test.each([
    ["sure and right", [1, 1], [0, 0], 0],
    ["sure and wrong", [0], [1], 1],
    ["half and half in one bin", [0.5], [0.5], 0],
    // Bin [.8,.9): two of three sound, mean .8; bin [0,.1): none sound, mean .05: (3 x (.8 - 2/3) + .05) / 4.
    ["two bins", [0.8, 0.8], [0.8, 0.05], (3 * (0.8 - 2 / 3) + 0.05) / 4],
    // 0.1 opens the second bin: alone there it misses .9, the other .05. In one bin it would be .425.
    ["a bin is closed on the left", [0.1], [0.05], (0.9 + 0.05) / 2],
    ["1 is in the last bin", [1], [0.9], Math.abs(1 - 1.9) / 2],
  ])("%s", (_, sound, faulty, value) => {
    const result = calibrationError(rollouts(sound, faulty));
    expect(result.value).toBeCloseTo(value, 14);
    expect(result.n).toBe(sound.length + faulty.length);
  });

  test.each([
    ["no scores", [], 0],
    ["a score above 1", [0.5, 1.01], 2],
    ["a score below 0", [-0.01, 0.5], 2],
  ])("is null: %s", (_, sound, n) => {
    expect(calibrationError(rollouts(sound, []))).toEqual({ value: null, n });
  });
});

test("law: AUC depends on the order alone, and turns round with the scores", () => {
  const some = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(some, some, (sound, faulty) => {
      const value = (map: (score: number) => number) =>
        areaUnderCurve(rollouts(sound.map(map), faulty.map(map))).value ?? NaN;
      const auc = value((score) => score);
      expect(value((score) => Math.exp(score))).toBe(auc);
      expect(value((score) => -score)).toBeCloseTo(1 - auc, 12);
    }),
  );
});
