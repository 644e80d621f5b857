import { exactSum } from "./sum.ts";

/** What one redistributed rollout brings: its share of the mass (weight times advantage, > 0) and its quality. */
export interface Share {
  readonly mass: number;
  /** Dimensionless, 0 < quality <= 1. */
  readonly quality: number;
}

/** Factors in the order of the shares. `scale` is c or lambda; `capActive` says that a cap took mass or place away. */
export interface Scaling {
  readonly scale: number;
  readonly factors: number[];
  readonly capActive: boolean;
}

/** A cap that is passed by rounding alone is not active. */
const ROUNDING = 1 + 1e-12;

/**
 * The published rule: quality times one common factor c = min(cap, target / sum of quality times mass).
 *
 * The sum of factor times mass is `target` unless the cap is active. c is at most target / (q_min sum of mass).
 *
 * @param target - Mass that is to come out, > 0; the masses' own sum unless an excluded rollout's mass is handed on.
 */
export function commonScale(shares: readonly Share[], target: number, cap: number): Scaling {
  const wanted = target / exactSum(shares.map(({ mass, quality }) => quality * mass));
  const scale = Math.min(cap, wanted);
  return {
    scale,
    factors: shares.map(({ quality }) => scale * quality),
    capActive: wanted > cap * ROUNDING,
  };
}

/**
 * gagar's own rule: factors min(cap, lambda quality), with the lambda for which the mass comes out as `target`.
 *
 * Feasible when cap times the masses' sum reaches `target`; always so without an excluded rollout. Otherwise every
 * factor is the cap. Rollouts at the cap tie, whatever their qualities.
 */
export function waterFill(shares: readonly Share[], target: number, cap: number): Scaling {
  let lambda = 0;
  let free = shares;
  while (free.length > 0) {
    const capped = shares.filter(({ quality }) => lambda * quality > cap);
    const left = target - cap * exactSum(capped.map(({ mass }) => mass));
    const ratio = left / exactSum(free.map(({ mass, quality }) => quality * mass));
    // Lambda can only rise as rollouts reach the cap; a smaller or undefined ratio is the rounding of a vanishing rest.
    if (ratio > lambda) lambda = ratio;
    const still = free.filter(({ quality }) => lambda * quality <= cap);
    if (still.length === free.length) break;
    free = still;
  }
  // At this lambda everyone is at the cap: more of it changes nothing.
  const last = cap / shares.reduce((least, { quality }) => Math.min(least, quality), 1);
  const scale = Math.min(lambda, last);
  const possible = cap * exactSum(shares.map(({ mass }) => mass));
  return {
    scale,
    factors: shares.map(({ quality }) => Math.min(cap, scale * quality)),
    capActive: target > possible * ROUNDING || shares.some(({ quality }) => scale * quality > cap * ROUNDING),
  };
}

/** The ablation: quality alone, nothing is handed back. */
export function downweight(shares: readonly Share[]): Scaling {
  return { scale: 1, factors: shares.map(({ quality }) => quality), capActive: false };
}
