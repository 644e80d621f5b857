import type { Cluster } from "../checks/clusters.ts";
import type { CanaryState, Check, CheckRun, TestStatus } from "../schema/check.ts";
import { fitting } from "./excerpt.ts";
import { foreign, MAX_ANSWER } from "./view.ts";

/** Characters for the tests that are not the same everywhere. */
const TESTS_ROOM = 0.5 * MAX_ANSWER;

const CANARY: Record<CanaryState, string> = {
  failed: "verified: a test that must fail did fail",
  passed: "FORGED: a test that must fail passed",
  absent: "FORGED: a test that must fail was not reported",
  ignored: "FORGED: a test that must fail did fail, and the exit status is 0",
  none: "not verified: no test that must fail could be placed",
  unclear: "not verified: the run with a test that must fail did not end",
};

/** What stands behind a heading of a run of the tests: how far its status can be trusted. */
export function trustText({ canary, own }: CheckRun): string {
  return [
    ...(canary === undefined ? [] : [`; ${CANARY[canary]}`]),
    ...(own === undefined ? [] : [`; with its own test configuration: ${own}`]),
  ].join("");
}

/** What a reader has to know of a run of the tests beside how each kind ended: a line each, names behind a bar. */
export function testLines(check: Check, clusters: readonly Cluster[]): string[] {
  return [
    ...clusters.flatMap(({ labels, sample: { run } }) =>
      run.problem === undefined ? [] : [foreign(`${labels.join(" ")} because`, run.problem)],
    ),
    ...apartLines(check),
    ...check.runs.flatMap(({ rollout, restored = [], left_out = [] }) => [
      ...restored.map((path) => foreign(`${rollout} had changed, put back`, path)),
      ...left_out.map((path) => foreign(`${rollout} adds, left out of the run`, path)),
    ]),
    ...check.runs.flatMap(flagLines),
  ];
}

/** Tests that did not pass on every rollout, with who says what. */
function apartLines({ runs }: Check): string[] {
  const told = runs.filter((run) => run.tests !== undefined);
  const known = told.map((run) => ({ run, statuses: statusesOf(run) }));
  const ids = [...new Set(known.flatMap(({ statuses }) => [...statuses.keys()]))].sort();
  const lines = ids.flatMap((id) => {
    const sides = new Map<string, string[]>();
    for (const { run, statuses } of known) {
      const status = statuses.get(id) ?? (isWhole(run) ? "passed" : "passed or not named");
      sides.set(status, [...(sides.get(status) ?? []), run.rollout]);
    }
    const rollouts = [...sides].filter(([, labels]) => labels.some((label) => label !== "base"));
    if (rollouts.every(([status]) => status === "passed")) return [];
    return [foreign([...sides].map(([status, labels]) => `${status} ${labels.join(" ")}`).join(", "), id)];
  });
  if (lines.length === 0) return [];
  const { shown, left } = fitting(lines, TESTS_ROOM, (line) => line.length + 1);
  return [
    `tests that did not pass everywhere: ${lines.length}`,
    ...shown,
    ...(left === 0 ? [] : [`[${left} more such tests]`]),
  ];
}

function statusesOf({ tests }: CheckRun): Map<string, TestStatus> {
  return new Map([
    ...(tests?.failing ?? []).map((id) => [id, "failed"] as const),
    ...(tests?.apart ?? []).map(({ id, status }) => [id, status] as const),
  ]);
}

/** Whether all tests that did not pass are named. */
function isWhole({ tests }: CheckRun): boolean {
  if (tests === undefined) return false;
  const { failed, missing = 0, flaky = 0, inconsistent = 0, failing, apart = [] } = tests;
  return failing.length === failed && apart.length >= missing + flaky + inconsistent;
}

function flagLines({ rollout, flags = [] }: CheckRun): string[] {
  return flags.flatMap(({ kind, claim, citations }) => [
    `FLAG ${rollout} ${kind}: ${claim} It is recorded as a finding; evidence:`,
    ...citations.map((citation) =>
      citation.kind === "patch"
        ? foreign(`  ${rollout} patch line ${citation.line ?? "?"}`, `${citation.file}: ${citation.quote}`)
        : foreign(`  ${citation.kind === "check" ? citation.check : citation.event}`, citation.quote),
    ),
  ]);
}
