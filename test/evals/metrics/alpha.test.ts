import * as fc from "fast-check";
import { expect, test } from "vitest";
import { krippendorffAlpha } from "../../../src/evals/metrics/alpha.ts";
import { reference } from "./cases.ts";

/** Rows of raters, with 0 for a missing value, as units. */
function units(rows: readonly (readonly (number | null)[])[]): number[][] {
  return (rows[0] ?? []).map((_, unit) => rows.flatMap((row) => row[unit] || []));
}

test("the example of Krippendorff 2011, sections C to E: four observers, twelve units, ordinal alpha 0.815", () => {
  const observers = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
    [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
  ];
  const { value, n } = krippendorffAlpha(units(observers));
  expect(value).toBeCloseTo(0.815, 3);
  // 41 values, of which the last unit's only one is not paired.
  expect(n).toBe(40);
});

test("alpha is that of NLTK with the ordinal distance", () => {
  for (const { ratings, alpha } of reference.alphas) {
    const { value } = krippendorffAlpha(units(ratings));
    if (alpha === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(alpha, 12);
  }
});

test.each<[string, number[][], number | null, number]>([
  [
    "full agreement",
    [
      [1, 1],
      [2, 2, 2],
    ],
    1,
    5,
  ],
  // n = 4, counts 2 and 2, so d = (4 - 2)^2 = 4: 1 - 3 x 2 x 4 / (2 x 2 x 4).
  [
    "full disagreement",
    [
      [1, 2],
      [2, 1],
    ],
    -0.5,
    4,
  ],
  [
    "all values equal",
    [
      [1, 1],
      [1, 1],
    ],
    null,
    4,
  ],
  ["single values", [[1], [2]], null, 0],
  ["nothing", [], null, 0],
])("%s", (_, given, value, n) => {
  expect(krippendorffAlpha(given)).toEqual({ value, n });
});

test("law: at most 1; the order of units and raters and the values' distance do not matter", () => {
  const some = fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(some, (given) => {
      const { value } = krippendorffAlpha(given);
      const moved = given.map((unit) => unit.map((each) => each ** 3).toReversed()).toReversed();
      const other = krippendorffAlpha(moved).value;
      if (value === null) expect(other).toBeNull();
      else expect(other).toBeCloseTo(value, 12);
      expect(value ?? 1).toBeLessThanOrEqual(1);
    }),
  );
});
