import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { QUALITY_RULES, scoreQualities } from "../../src/redistribute/index.ts";
import { refusalOf } from "./groups.ts";

test.each([
  { rule: "linear", scores: [0, 5, 10], lo: 0.5, qualities: [0.5, 0.75, 1] },
  { rule: "linear", scores: [-3, -3], lo: 0.5, qualities: [1, 1] },
  { rule: "linear", scores: [1e308, -1e308, 0], lo: 0.2, qualities: [1, 0.2, 0.6] },
  { rule: "rank", scores: [0.1, 900, 0.1, 2], lo: 0.5, qualities: [0.5, 1, 0.5, 0.75] },
  { rule: "rank", scores: [7], lo: 0.1, qualities: [1] },
  { rule: "rank", scores: [1, 2], lo: 1, qualities: [1, 1] },
  { rule: "given", scores: [3, 0.5], lo: 0.5, qualities: [3, 0.5] },
  { rule: "linear", scores: [], lo: 0.5, qualities: [] },
] as const)("$rule of $scores from $lo: $qualities", ({ rule, scores, lo, qualities }) => {
  expect(scoreQualities(scores, rule, lo)).toStrictEqual(
    qualities.map((quality) => expect.closeTo(quality, 14)),
  );
});

const scores = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 20 });
const lo = fc.double({ min: 1e-6, max: 1, noNaN: true });

describe.each(["linear", "rank"] as const)("%s", (rule) => {
  test("stays in lo..1, keeps order and ties", () => {
    fc.assert(
      fc.property(scores, lo, (values, least) => {
        const qualities = scoreQualities(values, rule, least);
        const sorted = [...values.keys()].toSorted((one, other) => (values[one] ?? 0) - (values[other] ?? 0));
        const ladder = sorted.map((index) => qualities[index] ?? NaN);
        expect(ladder).toStrictEqual(ladder.toSorted((one, other) => one - other));
        expect(ladder.every((quality) => quality >= least && quality <= 1 + 1e-12)).toBe(true);
        expect(ladder.length === 0 || Math.abs((ladder.at(-1) ?? 0) - 1) < 1e-12).toBe(true);
        expect(new Set(qualities).size).toBeLessThanOrEqual(new Set(values.map((value) => value + 0)).size);
      }),
    );
  });
});

test("ranks do not see how far apart scores are; a linear rule does not see their unit", () => {
  const values = fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 12 });
  fc.assert(
    fc.property(values, (numbers) => {
      const cubed = numbers.map((value) => value ** 3);
      expect(scoreQualities(cubed, "rank")).toStrictEqual(scoreQualities(numbers, "rank"));
      const doubled = numbers.map((value) => 2 * value + 64);
      expect(scoreQualities(doubled, "linear")).toStrictEqual(
        scoreQualities(numbers, "linear").map((quality) => expect.closeTo(quality, 12)),
      );
    }),
  );
});

test.each(QUALITY_RULES.flatMap((rule) => [0, -1, 1.5, NaN].map((bad) => ({ rule, bad }))))(
  "$rule with a lowest quality of $bad is refused",
  ({ rule, bad }) => {
    const error = refusalOf(() => scoreQualities([1, 2], rule, bad));
    expect(error).toMatchObject({ code: "bad_config", where: { field: "quality_lo" } });
  },
);

test("an unknown rule is refused", () => {
  const error = refusalOf(() => scoreQualities([1], JSON.parse('"softmax"')));
  expect(error).toMatchObject({ code: "bad_config", where: { field: "quality_rule" } });
});
