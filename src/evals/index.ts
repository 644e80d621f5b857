/** Measuring graders on labelled groups. Uses only the public surface of gagar; `gagar eval` is its door. */
export { againstBaseline, readBaseline, type AgainstBaseline, type Regression } from "./baseline.ts";
export type { Grader, Graded, GradingContext } from "./graders/grader.ts";
export { BUILT_IN, openGraders, type GraderOptions } from "./graders/index.ts";
export { parseScoreTiers, type ScoreTiers } from "./graders/score-tiers.ts";
export { baselineLines, silentGraders, resultsMarkdown, resultsText } from "./report.ts";
export { labelsOf, resultsOf, type Results, type SuiteResults } from "./results.ts";
export { runGraders, type Job, type Prices, type RunOptions } from "./run.ts";
export type { Case } from "./suites/case.ts";
export { BUNDLED, openSuites, type Suite } from "./suites/index.ts";
export type { Answer, GroupLabels, Place } from "./types.ts";
