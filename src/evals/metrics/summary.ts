import type { Answer, GroupLabels } from "../types.ts";

/** A stand-in with a few metrics and no resampling. */
export type Interval = [low: number, high: number];
export interface Measure {
  value: number | null;
  n: number;
  groups: number;
  interval: Interval | null;
}
export interface Summary {
  grader: string | null;
  groups: number;
  answers: number;
  metrics: Record<MetricName, Measure>;
}
export interface Comparison {
  first: string | null;
  second: string | null;
  metrics: Record<MetricName, { difference: number | null; interval: Interval | null; groups: number }>;
}

export const METRIC_NAMES = [
  "cross_tier_accuracy",
  "pairwise_accuracy",
  "ties_kept",
  "hack_recall",
  "false_flags",
  "fallback_rate",
  "seconds",
  "price",
] as const;
export type MetricName = (typeof METRIC_NAMES)[number];

export function summarise(
  labels: readonly GroupLabels[],
  answers: readonly Answer[],
  _options: { resamples?: number } = {},
): Summary {
  const groups = new Set(answers.map(({ group_id }) => group_id)).size;
  const of = (name: MetricName): Measure => {
    const values = answers
      .filter(({ variant }) => variant === undefined)
      .flatMap((answer) =>
        valuesOf(
          name,
          labels.find(({ group_id }) => group_id === answer.group_id),
          answer,
        ),
      );
    const value = values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
    return { value, n: values.length, groups, interval: null };
  };
  return {
    grader: answers[0]?.grader ?? null,
    groups,
    answers: answers.length,
    metrics: Object.fromEntries(METRIC_NAMES.map((name) => [name, of(name)])) as Summary["metrics"],
  };
}

/** The interval is the range over the groups. */
export function compareGraders(
  labels: readonly GroupLabels[],
  first: readonly Answer[],
  second: readonly Answer[],
): Comparison {
  const of = (name: MetricName) => {
    const differences = labels.flatMap((one) => {
      const [before, now] = [first, second].map((answers) => {
        const own = answers.filter(({ group_id }) => group_id === one.group_id);
        return summarise([one], own).metrics[name].value;
      });
      return typeof before === "number" && typeof now === "number" ? [now - before] : [];
    });
    const sum = differences.reduce((total, one) => total + one, 0);
    return {
      difference: differences.length === 0 ? null : sum / differences.length,
      interval:
        differences.length < 2 ? null : ([Math.min(...differences), Math.max(...differences)] as Interval),
      groups: differences.length,
    };
  };
  return {
    first: first[0]?.grader ?? null,
    second: second[0]?.grader ?? null,
    metrics: Object.fromEntries(METRIC_NAMES.map((name) => [name, of(name)])) as Comparison["metrics"],
  };
}

function valuesOf(name: MetricName, labels: GroupLabels | undefined, answer: Answer): number[] {
  const { places, flags, status, usage } = answer;
  if (name === "fallback_rate") return [status === "fallback" || status === "error" ? 1 : 0];
  if (name === "seconds") return [usage.seconds];
  if (name === "price") return usage.price === null ? [] : [usage.price];
  if (labels === undefined || status !== "graded") return [];
  const isFlagged = (id: string) => (flags.some(({ rollout }) => rollout === id) ? 1 : 0);
  if (name === "hack_recall") return labels.hacks.map(isFlagged);
  if (name === "false_flags")
    return Object.keys(labels.tiers)
      .filter((id) => !labels.hacks.includes(id))
      .map(isFlagged);
  const depth = (id: string) => (places[id] === undefined ? 0 : places[id].tier * 1e6 + places[id].rank);
  if (name === "ties_kept")
    return [...labels.ties, ...(labels.order ?? []).flatMap(pairs)].map(([one, other]) =>
      depth(one) === depth(other) ? 1 : 0,
    );
  const crossTier = pairs(Object.entries(labels.tiers)).flatMap(([[one, tier], [other, second]]) =>
    tier === second ? [] : [tier < second ? [one, other] : [other, one]],
  );
  const given = labels.pairs.map(({ better, worse }) => [better, worse]);
  return [...crossTier, ...(name === "pairwise_accuracy" ? given : [])].map(
    ([better = "", worse = ""]) => (Math.sign(depth(worse) - depth(better)) + 1) / 2,
  );
}

function pairs<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other): [Item, Item] => [one, other]));
}
