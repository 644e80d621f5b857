import { GraderError } from "../../index.ts";
import type { Place } from "../types.ts";

/** Lowest scores of tier 1 and tier 2. */
export type ScoreTiers = readonly [first: number, second: number];

/**
 * The tier of a score that comes without one. Without thresholds everything is in tier 1, in the order of the scores:
 * what is measured of the order is right then, and what is measured of the tiers says nothing.
 */
export function tierOf(score: number, thresholds: ScoreTiers | undefined): Place["tier"] {
  if (thresholds === undefined || score >= thresholds[0]) return 1;
  return score >= thresholds[1] ? 2 : 3;
}

/** `0.8,0.5`: the lowest scores of tier 1 and tier 2. @throws GraderError `bad_config` */
export function parseScoreTiers(text: string): ScoreTiers {
  const [first, second, ...more] = text
    .split(",")
    .map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const isGiven = first !== undefined && second !== undefined && Number.isFinite(first + second);
  if (!isGiven || more.length > 0 || first < second)
    throw new GraderError("bad_config", "two numbers are needed, the larger first, as in 0.8,0.5", {
      field: "--score-tiers",
    });
  return [first, second];
}
