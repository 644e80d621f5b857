import { markdownTable, textTable } from "../index.ts";
import type { AgainstBaseline } from "./baseline.ts";
import type { Results, SuiteResults } from "./results.ts";
import { comparisonTables, fullTable, groupTable, mainTable, signed, specialTables } from "./tables.ts";
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
      ...specialTables(suite),
      ...comparisonTables(suite),
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

/** What got worse, and what cannot be told, a line each. */
export function baselineLines({ worse, unknown }: AgainstBaseline): string[] {
  return [
    ...worse.map(
      ({ grader, suite, metric, difference, interval: [low, high] }) =>
        `${grader} got worse on ${suite}: ${metric} ${signed(difference)} [${signed(low)}, ${signed(high)}]`,
    ),
    ...unknown.map(
      ({ grader, suite, groups }) =>
        `${grader} on ${suite}: ${groups === 0 ? "no group" : "only one group"} in common with the baseline, at least two are needed to tell`,
    ),
  ];
}

/** Graders that graded no group at all, though they were asked. */
export function silentGraders({ answers }: Pick<Results, "answers">): string[] {
  const names = [...new Set(answers.map(({ grader }) => grader))];
  return names.filter((name) =>
    answers.every(({ grader, status }) => grader !== name || status !== "graded"),
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
