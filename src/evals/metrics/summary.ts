import type { Answer, GroupLabels } from "../types.ts";
import { bootstrapInterval, DEFAULT_RESAMPLING, type Interval, type Resampling } from "./bootstrap.ts";
import { METRIC_NAMES, METRICS, type AnyMetric, type MetricName } from "./catalogue.ts";
import type { GroupRun, Pooled } from "./metric.ts";
import { pairedDifference, type Difference } from "./paired.ts";
import { groupRuns } from "./runs.ts";

/** A metric with the number of groups that say something about it, and its percentile bootstrap interval over them. */
export interface Measure extends Pooled {
  groups: number;
  interval: Interval | null;
}

export interface Summary {
  /** Null without answers. */
  grader: string | null;
  /** How many groups have an answer. */
  groups: number;
  answers: number;
  /** In the order of the catalogue. */
  metrics: Record<MetricName, Measure>;
}

/** The second grader against the first, over the groups that both say something about. */
export interface Comparison {
  first: string | null;
  second: string | null;
  metrics: Record<MetricName, Difference & { groups: number }>;
}

/**
 * Every metric of one grader. Pairs, rollouts, findings or answers are pooled over groups, whatever the metric counts.
 *
 * @param labels - Of any groups; answers for groups without labels count where no label is needed.
 * @param answers - Of one grader, in any order.
 * @throws GraderError `bad_input`, see {@link groupRuns}.
 */
export function summarise(
  labels: readonly GroupLabels[],
  answers: readonly Answer[],
  options: Partial<Resampling> = {},
): Summary {
  const resampling = { ...DEFAULT_RESAMPLING, ...options };
  const runs = groupRuns(labels, answers);
  return {
    grader: answers[0]?.grader ?? null,
    groups: runs.length,
    answers: answers.length,
    metrics: eachMetric((metric) => measure(metric, runs, resampling)),
  };
}

/**
 * Every metric of two graders over the same groups. Both sides, the difference (second - first), its interval and p are
 * of those groups alone; the order of arguments turns the sign and nothing else.
 *
 * @throws GraderError `bad_input`, see {@link groupRuns}.
 */
export function compareGraders(
  labels: readonly GroupLabels[],
  first: readonly Answer[],
  second: readonly Answer[],
  options: Partial<Resampling> = {},
): Comparison {
  const resampling = { ...DEFAULT_RESAMPLING, ...options };
  const [one, other] = [groupRuns(labels, first), groupRuns(labels, second)];
  return {
    first: first[0]?.grader ?? null,
    second: second[0]?.grader ?? null,
    metrics: eachMetric((metric) => compare(metric, one, other, resampling)),
  };
}

function measure(metric: AnyMetric, runs: readonly GroupRun[], resampling: Resampling): Measure {
  return metric(({ parts, pool }) => {
    const groups = runs.map(parts).filter((own) => own.length > 0);
    return {
      ...pool(groups.flat()),
      groups: groups.length,
      interval: bootstrapInterval(groups, (sample) => pool(sample.flat()).value, resampling),
    };
  });
}

function compare(
  metric: AnyMetric,
  one: readonly GroupRun[],
  other: readonly GroupRun[],
  resampling: Resampling,
): Difference & { groups: number } {
  const others = new Map(other.map((run) => [run.group_id, run]));
  return metric(({ parts, pool }) => {
    const groups = one
      .map((run) => {
        const counterpart = others.get(run.group_id);
        return { first: parts(run), second: counterpart === undefined ? [] : parts(counterpart) };
      })
      .filter(({ first, second }) => first.length > 0 && second.length > 0);
    const difference = pairedDifference(groups, (sample) => pool(sample.flat()).value, resampling);
    return { groups: groups.length, ...difference };
  });
}

function eachMetric<Result>(of: (metric: AnyMetric) => Result): Record<MetricName, Result> {
  return Object.fromEntries(METRIC_NAMES.map((name) => [name, of(METRICS[name])])) as Record<
    MetricName,
    Result
  >;
}
