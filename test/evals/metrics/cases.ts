import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import type { Answer, GroupLabels, Place } from "../../../src/evals/types.ts";
import type { Finding } from "../../../src/index.ts";

const TIERS = [1, 2, 3] as const;

/** Places from a line like "a b=c | d |": tiers apart by "|", ranks by blanks, ties by "=". */
export function places(line: string): Record<string, Place> {
  const all: Record<string, Place> = {};
  line.split("|").forEach((part, index) => {
    const ranks = part.split(" ").filter((ids) => ids !== "");
    ranks.forEach((ids, position) => {
      for (const id of ids.split("=")) all[id] = { tier: TIERS[index] ?? 3, rank: position + 1 };
    });
  });
  return all;
}

/** Labelled tiers and order from the same notation as {@link places}. */
export function labelled(line: string): GroupLabels {
  const all = places(line);
  return labels({
    tiers: Object.fromEntries(Object.entries(all).map(([id, { tier }]) => [id, tier])),
    order: line
      .split(/[| ]/)
      .filter((ids) => ids !== "")
      .map((ids) => ids.split("=")),
  });
}

export function labels(given: Partial<GroupLabels>): GroupLabels {
  return { group_id: "g", tiers: {}, ties: [], pairs: [], hacks: [], findings: {}, ...given };
}

/** Labels with tiers alone. */
export function tiersOnly(line: string): GroupLabels {
  return labels({ tiers: labelled(line).tiers });
}

/** Labelled order of rollouts r0, r1 ... from their ranks. */
export function orderOf(ranks: readonly number[]): string[][] {
  return [...new Set(ranks)]
    .sort((one, other) => one - other)
    .map((rank) => ranks.flatMap((own, index) => (own === rank ? [`r${index}`] : [])));
}

export function answer(given: Partial<Answer> = {}): Answer {
  return {
    grader: "tested",
    suite: "s",
    group_id: "g",
    repeat: 0,
    seed: 1,
    status: "graded",
    places: {},
    findings: [],
    flags: [],
    usage: { model_calls: 0, tokens_in: 0, tokens_out: 0, tool_calls: 0, checks: 0, seconds: 0, price: null },
    ...given,
  };
}

/** A grading with the places of a line. */
export const placed = (line: string) => answer({ places: places(line) });

export function finding(given: Partial<Finding>): Finding {
  return {
    id: "f1",
    rollout: "a",
    criterion: "solution_fitness",
    severity: "major",
    claim: "wrong",
    citations: [patch({})],
    ...given,
  };
}

type Cited = Finding["citations"][number];

export function patch(given: Partial<Extract<Cited, { kind: "patch" }>>): Cited {
  return {
    kind: "patch",
    rollout: "a",
    file: "x.js",
    line: 5,
    quote: "some line",
    standing: "changed",
    ...given,
  };
}

/** Tiers of up to six rollouts and a grading of them, with ties, in which some may lack a place. */
export const groups = fc
  .array(
    fc.record({
      tier: fc.constantFrom(...TIERS),
      placed: fc.constantFrom(...TIERS),
      rank: fc.integer({ min: 1, max: 3 }),
      missing: fc.boolean(),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((rollouts) => ({
    labels: labels({ tiers: Object.fromEntries(rollouts.map(({ tier }, index) => [`r${index}`, tier])) }),
    answer: answer({
      places: Object.fromEntries(
        rollouts.flatMap(({ placed, rank, missing, score }, index) =>
          missing ? [] : [[`r${index}`, { tier: placed, rank, score }]],
        ),
      ),
    }),
  }));

/** What independent implementations say; test/fixtures/metrics/make.py has written it. */
export interface Reference {
  orders: { truth: number[]; given: number[]; tau_b: number | null; somers_d: number | null }[];
  kappas: { labelled: (1 | 2 | 3)[]; placed: (1 | 2 | 3)[]; kappa: number | null }[];
  scores: { scores: number[]; sound: boolean[]; auc: number | null; calibration_error: number }[];
  alphas: { ratings: (number | null)[][]; alpha: number | null }[];
  paired: { first: number[]; second: number[]; difference: number; p: number }[];
  quantiles: { values: number[]; share: number; quantile: number }[];
  distribution: { values: number[]; quantiles: [number, number][] };
}

const file = new URL("../../fixtures/metrics/reference.json", import.meta.url);
export const reference = JSON.parse(readFileSync(file, "utf8")) as Reference;
