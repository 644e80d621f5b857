const UNCERTAINTY = 2 ** -104;

/**
 * Sum rounded once, as if added with infinite precision, so that the order of the values cannot change a bit of it.
 *
 * @returns 0 for no values. Not finite when the sum, or a sum on the way, is too large for a double.
 */
export function exactSum(values: readonly number[]): number {
  let sum = 0;
  let error = 0;
  let size = 0;
  // Plain steps: a process that filters a file ends before the engine has optimised iterators and calls away.
  const count = values.length;
  for (let index = 0; index < count; index += 1) {
    const value = values[index] ?? 0;
    const next = sum + value;
    // What the addition lost, exactly (Knuth's two-sum).
    const part = next - sum;
    error += sum - (next - part) + (value - part);
    size += value < 0 ? -value : value;
    sum = next;
  }
  if (!Number.isFinite(sum)) return sum;
  // Adding n errors up errs by less than n^2 2^-106 size. Where that cannot change the result, it is right.
  const doubt = count * count * size * UNCERTAINTY;
  const low = sum + (error - doubt);
  return low === sum + (error + doubt) ? low : sumOfPartials(values);
}

/**
 * The slow way for the rare sum that lies close to the middle between two doubles. Error-free transformations after
 * Shewchuk, "Adaptive Precision Floating-Point Arithmetic" (1997): `partials` are doubles that do not overlap, small to
 * large, whose exact sum is the sum so far.
 */
function sumOfPartials(values: readonly number[]): number {
  let partials: number[] = [];
  for (const value of values) {
    const next: number[] = [];
    let high = value;
    for (const partial of partials) {
      const sum = high + partial;
      const part = sum - high;
      const low = high - (sum - part) + (partial - part);
      if (low !== 0) next.push(low);
      high = sum;
    }
    next.push(high);
    partials = next;
  }
  return roundPartials(partials);
}

/** Adds from the largest down; stops at the first rounding and settles a tie by what is left below it. */
function roundPartials(partials: readonly number[]): number {
  let at = partials.length - 1;
  let sum = partials[at] ?? 0;
  let rest = 0;
  while (at > 0 && rest === 0) {
    at -= 1;
    const next = partials[at] ?? 0;
    const before = sum;
    sum = before + next;
    rest = next - (sum - before);
  }
  const below = partials[at - 1] ?? 0;
  const doubled = rest * 2;
  const corrected = sum + doubled;
  // Only an exact tie moves by the whole doubled rest; what lies below says whether it rounded to the right side.
  return rest !== 0 && Math.sign(rest) === Math.sign(below) && corrected - sum === doubled ? corrected : sum;
}
