import type { TestCounts, TestStatus } from "../../schema/check.ts";
import { hasFailed, isLike, missingOf, type Expectation, type Observed } from "./expected.ts";
import type { TestResult } from "./results.ts";

/** What a run of the tests says, test by test and as a whole. */
export interface Judged {
  status: TestStatus;
  /** Why, where the exit status alone says otherwise. */
  problem?: string;
  /** The channel whose word only forging explains; undefined for an honest failure. */
  forged?: "report" | "exit" | "summary";
  /** Of all tests that were told of or expected. Empty where no test is told of. */
  tests: ReadonlyMap<string, TestStatus>;
}

/**
 * Holds one finished run against what is expected: exit status, report, collected set and summary have to agree before
 * it passed. A failure that the report tells is a failure, whatever the other channels say.
 */
export function judge({ result, told, summary }: Observed, expected: Expectation): Judged {
  const exit = result.outcome === "exited" ? result.exit_code : undefined;
  const { holds } = expected;
  const none: ReadonlyMap<string, TestStatus> = new Map();
  if (told === undefined) {
    if (!holds.report) return { status: "exit_only", tests: none };
    const problem = `the runner wrote no report, exit status ${exit ?? "unknown"}`;
    return { status: "invalid", problem, tests: none, ...(exit === 0 ? { forged: "report" } : {}) };
  }
  const tests = statuses(told, summary, expected);
  const of = (status: TestStatus) => [...tests].filter(([, one]) => one === status).map(([id]) => id);
  const failed = hasFailed(told);
  const said = `the report has ${of("failed").length} failed tests, the summary ${summary?.failed ?? "none"}, exit status ${exit ?? "unknown"}`;
  const exitLies = holds.exit && (exit === 0) === failed;
  const summaryLies = holds.summary && summary !== undefined && !isLike(told, summary);
  if (failed) {
    if (!exitLies) return { status: "failed", tests };
    return { status: "failed", problem: said, forged: "exit", tests };
  }
  if (summaryLies) return { status: "inconsistent", problem: said, forged: "summary", tests };
  if (exitLies) return { status: "inconsistent", problem: said, tests };
  if (told.every(({ status }) => status !== "passed"))
    return of("missing").length > 0
      ? { status: "missing", problem: named("not run", of("missing")), tests }
      : { status: of("skipped").length > 0 ? "skipped" : "inconsistent", problem: "no test passed", tests };
  for (const [status, words] of [
    ["inconsistent", "told in two ways"],
    ["missing", "not run"],
    ["skipped", "skipped here alone"],
  ] as const) {
    const ids = of(status).filter((id) => status !== "skipped" || expected.ran.has(id));
    if (ids.length > 0) return { status, problem: named(words, ids), tests };
  }
  return { status: "passed", tests };
}

const MAX_NAMES = 3;

function named(words: string, ids: readonly string[]): string {
  const more = ids.length > MAX_NAMES ? ` and ${ids.length - MAX_NAMES} more` : "";
  return `${words}: ${ids.slice(0, MAX_NAMES).join(", ")}${more}`;
}

/** A status for each test, by name, since runners tell them in any order. One that the report passes and the output names among the failing has none of its own. */
function statuses(
  told: readonly TestResult[],
  summary: TestCounts | undefined,
  expected: Expectation,
): Map<string, TestStatus> {
  const failing = new Set(expected.holds.summary ? (summary?.failing ?? []) : []);
  const tests = new Map<string, TestStatus>(
    told.map(({ id, status }) => [id, status === "passed" && failing.has(id) ? "inconsistent" : status]),
  );
  for (const id of missingOf(told, expected)) tests.set(id, "missing");
  return new Map([...tests].sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
}

/** Failing tests that are named; a reader who wants all of them reads the output. */
const MAX_NAMED = 20;

/** Statuses as numbers and names, for whoever reads the check. */
export function countsOf(tests: ReadonlyMap<string, TestStatus>, { ran }: Expectation): TestCounts {
  const of = (status: TestStatus) => [...tests].filter(([, one]) => one === status).map(([id]) => id);
  const some = (status: "missing" | "flaky" | "inconsistent") => {
    const count = of(status).length;
    return count === 0 ? {} : { [status]: count };
  };
  const apart = [...tests].flatMap(([id, status]) =>
    status === "passed" || status === "failed" || (status === "skipped" && !ran.has(id))
      ? []
      : [{ id, status }],
  );
  return {
    passed: of("passed").length,
    failed: of("failed").length,
    skipped: of("skipped").length,
    ...some("missing"),
    ...some("flaky"),
    ...some("inconsistent"),
    failing: of("failed").slice(0, MAX_NAMED),
    ...(apart.length === 0 ? {} : { apart: apart.slice(0, MAX_NAMED) }),
  };
}
