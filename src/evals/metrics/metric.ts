import type { Answer, GroupLabels } from "../types.ts";

/** All that one grader answered for one group, with what is known about the group. */
export interface GroupRun {
  group_id: string;
  labels?: GroupLabels;
  /** The answers for the unchanged input, one a repeat. */
  plain: Answer[];
  /** The answers for changed input, by the kind of change. */
  variants: Record<string, Answer[]>;
}

/** A metric over many groups. `value` is null where the metric is undefined, never 0 or NaN. */
export interface Pooled {
  value: number | null;
  /** Only of metrics that are shares or means: value = numerator / n. */
  numerator?: number;
  /** How many pairs, rollouts, findings or answers the value is of; the metric says which. */
  n: number;
}

/**
 * A metric in two steps, so that groups can be resampled without looking at them again: what each group says (nothing,
 * or a part an answer), and what all parts say together.
 */
export interface Metric<Part> {
  parts: (group: GroupRun) => Part[];
  pool: (parts: readonly Part[]) => Pooled;
}

/** What one answer adds to a share or a mean. The denominator is above 0. */
export interface Ratio {
  numerator: number;
  denominator: number;
}

/** @returns null for a denominator of 0: the answer says nothing about the metric. */
export function ratio(numerator: number, denominator: number): Ratio | null {
  return denominator === 0 ? null : { numerator, denominator };
}

/** Share of the items that the test holds for; null for no items. */
export function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): Ratio | null {
  return ratio(items.filter(holds).length, items.length);
}

/** Sum of the numerators by the sum of the denominators, so that every pair, rollout or finding weighs the same. */
export function poolRatios(parts: readonly Ratio[]): Pooled {
  const numerator = sum(parts.map((part) => part.numerator));
  const n = sum(parts.map((part) => part.denominator));
  return { value: n === 0 ? null : numerator / n, numerator, n };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Every two of the items once, in their order. */
export function pairsOf<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other): [Item, Item] => [one, other]));
}
