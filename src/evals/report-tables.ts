import { shortNumber } from "../index.ts";
import { summarise, type Measure, type Summary } from "./metrics/summary.ts";
import type { SuiteResults } from "./results.ts";
import type { Answer, GroupLabels } from "./types.ts";

/** Columns of the tables for people, with their heads. What no grader of a suite has a value for is left out. */
const COLUMNS: Readonly<Record<string, string>> = {
  cross_tier_accuracy: "cross-tier",
  pairwise_accuracy: "pairwise",
  ties_kept: "ties kept",
  sound_blamed: "sound blamed",
  faulty_missed: "faulty missed",
  tier_exact: "tier exact",
  top_regret: "top regret",
  hack_recall: "hacks found",
  false_flags: "false flags",
  swap_agreement: "swap",
  retest_agreement: "retest",
  fallback_rate: "fallback",
  seconds: "seconds",
  price: "price",
};
const BY_GROUP = ["cross_tier_accuracy", "pairwise_accuracy", "ties_kept", "tier_exact", "seconds"];

const COMPARED = ["cross_tier_accuracy", "pairwise_accuracy", "ties_kept"] as const;

/** A table that is not yet text. */
export interface Table {
  title: string;
  header: string[];
  rows: string[][];
}

/** Graders as rows, the main metrics as columns. */
export function mainTable({ suite, groups, summaries }: SuiteResults, intervals: boolean): Table {
  const shown = Object.keys(COLUMNS).filter((name) => summaries.some(({ metrics }) => has(metrics, name)));
  return {
    title: `${suite}: ${groups.length} group${groups.length === 1 ? "" : "s"}`,
    header: ["grader", ...shown.map(headOf)],
    rows: summaries.map(({ grader, metrics }) => [
      grader ?? "-",
      ...shown.map((name) => cell(measureOf(metrics, name), intervals)),
    ]),
  };
}

/** Differences to the grader that was named first, over the groups that both answered. */
export function comparisonTable({ summaries, comparisons }: SuiteResults): Table {
  const shown = COMPARED.filter((name) => summaries.some(({ metrics }) => has(metrics, name)));
  return {
    title: `Against ${summaries[0]?.grader ?? "-"}, paired by group`,
    header: ["grader", ...shown.map(headOf)],
    rows: comparisons.map(({ second, metrics }) => [
      second ?? "-",
      ...shown.map((name) => {
        const { difference, interval } = metrics[name];
        if (difference === null) return "-";
        return signed(difference) + (interval === null ? "" : ` [${interval.map(signed).join(", ")}]`);
      }),
    ]),
  };
}

/** Every metric with its interval and, in brackets, what it is of. */
export function fullTable({ summaries }: SuiteResults): Table {
  return {
    title: "Every metric",
    header: ["metric", ...summaries.map(({ grader }) => grader ?? "-")],
    rows: Object.keys(summaries[0]?.metrics ?? {}).map((name) => [
      words(name),
      ...summaries.map(({ metrics }) => {
        const measure = measureOf(metrics, name);
        return `${cell(measure, true)}${measure === undefined || measure.n === 0 ? "" : ` (${measure.n})`}`;
      }),
    ]),
  };
}

/** A row a group and grader. */
export function groupTable(
  { suite, groups, summaries }: SuiteResults,
  answers: readonly Answer[],
  labels: ReadonlyMap<string, readonly GroupLabels[]>,
): Table {
  const rows = groups.flatMap((group) =>
    summaries.map(({ grader }) => {
      const own = answers.filter(
        (answer) => answer.suite === suite && answer.group_id === group && answer.grader === grader,
      );
      const known = (labels.get(suite) ?? []).filter(({ group_id }) => group_id === group);
      const { metrics } = summarise(known, own);
      return [group, grader ?? "-", ...BY_GROUP.map((name) => cell(measureOf(metrics, name), false))];
    }),
  );
  return { title: "By group", header: ["group", "grader", ...BY_GROUP.map(headOf)], rows };
}

/** Tables that only some suites have. */
export function specialTables({ moved, degradations, summaries }: SuiteResults): Table[] {
  const tables: Table[] = [];
  if (degradations !== undefined)
    tables.push({
      title: "Degradations",
      header: [
        "grader",
        "caught",
        "of",
        "above base",
        "clean blamed",
        "hacks flagged",
        "of",
        "falsely flagged",
      ],
      rows: degradations.map((row) => [
        row.grader,
        ...[row.caught, row.degradations, row.above.length, row.blamed.length].map(String),
        ...[row.hacks - row.unflagged.length, row.hacks, row.falselyFlagged.length].map(String),
      ]),
    });
  if (moved !== undefined) {
    const variants = [...new Set(moved.map(({ variant }) => variant))];
    tables.push({
      title: "Placements moved by changes that must not matter",
      header: ["grader", ...variants],
      rows: summaries.map(({ grader }) => [
        grader ?? "-",
        ...variants.map((variant) => {
          const own = moved.filter((row) => row.grader === grader && row.variant === variant);
          const sum = (count: (row: (typeof own)[number]) => number) =>
            own.reduce((total, row) => total + count(row), 0);
          return own.length === 0 ? "-" : `${sum((row) => row.moved.length)} of ${sum((row) => row.placed)}`;
        }),
      ]),
    });
  }
  return tables;
}

function measureOf(metrics: Summary["metrics"], name: string): Measure | undefined {
  return (metrics as Readonly<Record<string, Measure>>)[name];
}

/** Prices that are all 0 are left out as well: nobody was paid. */
function has(metrics: Summary["metrics"], name: string): boolean {
  const value = measureOf(metrics, name)?.value ?? null;
  return value !== null && (name !== "price" || value > 0);
}

function headOf(name: string): string {
  return COLUMNS[name] ?? words(name);
}

function cell(measure: Measure | undefined, interval: boolean): string {
  const value = measure?.value ?? null;
  if (value === null) return "-";
  const range = measure?.interval ?? null;
  return interval && range !== null ? `${round(value)} [${range.map(round).join(", ")}]` : round(value);
}

/** Three decimals, or whole numbers where they are large. */
function round(value: number): string {
  return shortNumber(Math.abs(value) < 100 ? Number(value.toFixed(3)) : Math.round(value));
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** With its sign, for differences. */
export function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${round(value)}`;
}
