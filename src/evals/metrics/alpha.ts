import { pairsOf, sum, type Pooled } from "./metric.ts";

/**
 * Krippendorff's alpha for ordinal values with missing ones (Krippendorff 2011, "Computing Krippendorff's
 * Alpha-Reliability", section E): 1 - (n - 1) sum o_ck d_ck / sum n_c n_k d_ck over the values c < k, where
 *   o_ck is the number of pairs (c, k) inside units, each unit's divided by its number of values minus 1,
 *   n_c how often c is there, n how many values there are,
 *   d_ck = (n_c / 2 + n_g of all g between + n_k / 2)^2.
 * Units with one value pair nothing and are left out.
 *
 * @param units - The values that the raters gave, a list a unit.
 * @returns At most 1, n in paired values: 1 for full agreement, 0 for agreement by chance; null when all values are equal
 *   or nothing is paired.
 */
export function krippendorffAlpha(units: readonly (readonly number[])[]): Pooled {
  const paired = units.filter((unit) => unit.length > 1);
  const all = paired.flat();
  const n = all.length;
  const values = [...new Set(all)];
  const counts = new Map(values.map((value) => [value, countOf(all, value)]));
  const times = (value: number) => counts.get(value) ?? NaN;

  const terms = pairsOf(values).map(([one, other]) => {
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    const between = values.filter((value) => low <= value && value <= high);
    const distance = (sum(between.map(times)) - (times(low) + times(high)) / 2) ** 2;
    const together = sum(
      paired.map((unit) => (countOf(unit, low) * countOf(unit, high)) / (unit.length - 1)),
    );
    return { observed: together * distance, expected: times(low) * times(high) * distance };
  });
  const expected = sum(terms.map((term) => term.expected));
  const observed = sum(terms.map((term) => term.observed));
  return { value: expected === 0 ? null : 1 - ((n - 1) * observed) / expected, n };
}

function countOf(values: readonly number[], value: number): number {
  return values.filter((each) => each === value).length;
}
