import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactSum } from "../../src/redistribute/sum.ts";

/** A double in units of the smallest one, 2^-1074, of which each is a whole multiple. */
function unitsOf(value: number): bigint {
  const bits = new BigUint64Array(new Float64Array([value]).buffer)[0] ?? 0n;
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return bits >> 63n === 1n ? -size : size;
}

/** Nearest double of a multiple of the unit, ties to even, by integers alone. */
function nearest(units: bigint): number {
  const size = units < 0n ? -units : units;
  const length = BigInt(size.toString(2).length);
  const drop = length > 53n ? length - 53n : 0n;
  const rest = size & ((1n << drop) - 1n);
  let kept = size >> drop;
  const half = drop === 0n ? 1n : 1n << (drop - 1n);
  if (drop > 0n && (rest > half || (rest === half && (kept & 1n) === 1n))) kept += 1n;
  const value = Number(kept) * 2 ** Number(drop - 1074n);
  return units < 0n ? -value : value;
}

function exactly(values: readonly number[]): number {
  return nearest(values.reduce((sum, value) => sum + unitsOf(value), 0n));
}

describe("a sum is rounded once", () => {
  test("the reference adds as the machine does", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
        fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
        (one, other) => {
          expect(exactly([one, other])).toBe(one + other + 0);
        },
      ),
    );
  });

  test.each([
    { values: [], sum: 0 },
    { values: [1e100, 1, -1e100], sum: 1 },
    { values: [0.1, 0.2, 0.3, -0.6], sum: exactly([0.1, 0.2, 0.3, -0.6]) },
    { values: [1, 2 ** -53], sum: 1 },
    { values: [1, 2 ** -53, 2 ** -106], sum: 1 + 2 ** -52 },
    { values: [1, 2 ** -53, -(2 ** -106)], sum: 1 },
    { values: [1 + 2 ** -52, 2 ** -53, -(2 ** -200)], sum: 1 + 2 ** -52 },
    { values: [1, 2 ** -53, 2 ** -1074], sum: 1 + 2 ** -52 },
    { values: [5e-324, 5e-324, -1e-310], sum: -1e-310 + 1e-323 },
  ])("$values", ({ values, sum }) => {
    expect(exactSum(values)).toBe(sum);
  });

  test("of any values", () => {
    const value = fc.oneof(
      fc.double({ noNaN: true, min: -1e290, max: 1e290 }),
      fc.double({ noNaN: true, min: -1, max: 1 }),
      fc.integer({ min: -1000, max: 1000 }).map((tens) => tens / 10),
      fc
        .tuple(fc.integer({ min: -120, max: 10 }), fc.constantFrom(1, -1))
        .map(([power, sign]) => sign * 2 ** power),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), (values) => {
        expect(exactSum(values)).toBe(exactly(values) + 0);
      }),
      { numRuns: 2000 },
    );
  });

  test("what no double holds is not finite", () => {
    expect(exactSum([1e308, 1e308])).toBe(Infinity);
    expect(exactSum([Infinity, -Infinity])).toBeNaN();
  });
});
