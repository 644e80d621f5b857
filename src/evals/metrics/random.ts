/** A source of whole numbers in 0..below-1, `below` up to 2^32. Same seed, same numbers, on every machine. */
export type Random = (below: number) => number;

/**
 * Marsaglia's xorshift with 32 bits (2003, "Xorshift RNGs", triple 13, 17, 5). Enough to draw resamples; for nothing
 * secret.
 *
 * @param seed - Any whole number; those equal modulo 2^32 give the same numbers.
 */
export function seededRandom(seed: number): Random {
  // Nearby seeds are spread by an odd factor (Knuth's, near 2^32 over the golden ratio). The state may not be 0.
  let state = Math.imul(seed, 2_654_435_761) || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
}
