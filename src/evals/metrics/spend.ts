import type { Answer, Usage } from "../types.ts";
import type { GroupRun, Ratio } from "./metric.ts";

/**
 * Fallback rate: of the plain answers that were due, the share that gave none, by a fallback or an error. Skipped groups
 * had nothing to grade. The metrics of accuracy leave these answers out, so read them together with this one.
 */
export function fallbackRate({ plain }: GroupRun): Ratio[] {
  return due(plain).map(({ status }) => ({ numerator: status === "graded" ? 0 : 1, denominator: 1 }));
}

/** Of all plain answers, the share that skipped their group. */
export function skippedRate({ plain }: GroupRun): Ratio[] {
  return plain.map(({ status }) => ({ numerator: status === "skipped" ? 1 : 0, denominator: 1 }));
}

/**
 * Mean of one kind of spending over the plain answers that were due; fallbacks and errors cost too. Answers whose price
 * is unknown are left out of the mean price, and `n` tells how many are in.
 */
export function spend({ plain }: GroupRun, kind: keyof Usage): Ratio[] {
  return due(plain).flatMap(({ usage }) => {
    const amount = usage[kind];
    return amount === null ? [] : [{ numerator: amount, denominator: 1 }];
  });
}

function due(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status !== "skipped");
}
