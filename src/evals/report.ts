import { markdownTable, textTable } from "../index.ts";
import type { Regression } from "./baseline.ts";
import { comparisonTable, fullTable, groupTable, mainTable, signed, specialTables } from "./report-tables.ts";
import type { Results, SuiteResults } from "./results.ts";
import type { GroupLabels } from "./types.ts";

/** The results as tables on a terminal: graders as rows, metrics as columns. */
export function resultsText(results: Results): string {
  const tables = results.suites.flatMap((suite) => [mainTable(suite, false), ...specialTables(suite)]);
  const failed = failureLines(results);
  return [
    ...tables.map(({ title, header, rows }) => `${title}\n${textTable(header, rows)}`),
    ...(failed.length === 0 ? [] : [["What failed", ...failed].join("\n")]),
  ].join("\n\n");
}

/** The results as a page: intervals, every metric, every group, and what failed. */
export function resultsMarkdown(
  results: Results,
  labels: ReadonlyMap<string, readonly GroupLabels[]>,
): string {
  const section = (suite: SuiteResults) => [
    `## ${suite.suite}`,
    ...[
      mainTable(suite, true),
      ...(suite.comparisons.length > 0 ? [comparisonTable(suite)] : []),
      ...specialTables(suite),
      groupTable(suite, results.answers, labels),
      fullTable(suite),
    ].map(({ title, header, rows }) => `### ${title}\n\n${markdownTable(header, rows)}`),
  ];
  const models = results.graders.flatMap(({ name, model }) =>
    model === undefined ? [] : [`${name}: ${model}`],
  );
  const failed = failureLines(results);
  return [
    "# Evaluation of graders",
    `gagar ${results.version}, seed ${results.seed}${models.length === 0 ? "" : `, ${models.join(", ")}`}. Intervals are of 95 % over groups.`,
    ...results.suites.flatMap(section),
    "## What failed",
    failed.length === 0 ? "Nothing." : failed.map((line) => `- ${line}`).join("\n"),
  ]
    .map((part) => `${part}\n`)
    .join("\n");
}

/** What got worse, a line each. */
export function regressionLines(regressions: readonly Regression[]): string[] {
  return regressions.map(
    ({ grader, suite, metric, difference, interval: [low, high] }) =>
      `${grader} got worse on ${suite}: ${metric} ${signed(difference)} [${signed(low)}, ${signed(high)}]`,
  );
}

/** What could not be read and what was not graded, each with its reason. */
function failureLines({ failures, answers }: Results): string[] {
  const counted = new Map<string, number>();
  for (const { status, grader, suite, group_id, variant, reason } of answers) {
    if (status === "graded") continue;
    const where = `${suite}/${group_id}${variant === undefined ? "" : ` (${variant})`}`;
    const line = `${grader}: ${where}: ${status}${reason === undefined ? "" : `: ${reason}`}`;
    counted.set(line, (counted.get(line) ?? 0) + 1);
  }
  const lines = [...counted].map(([line, times]) => (times === 1 ? line : `${line} (${times} times)`));
  return [...failures.map((message) => `not read: ${message}`), ...lines];
}
