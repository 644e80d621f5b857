import * as z from "zod";
import type { CheckAnswer } from "../checks/checks.ts";
import type { Cluster } from "../checks/clusters.ts";
import { describeEnd } from "../checks/describe.ts";
import { waysOf } from "../checks/ways.ts";
import { RunFlag, type Check, type CheckRun } from "../schema/check.ts";
import { casesOutput, showCases } from "./case-view.ts";
import { excerpt } from "./excerpt.ts";
import { partingLines } from "./parting-view.ts";
import { testLines, trustText } from "./test-lines.ts";
import { MAX_ANSWER } from "./view.ts";

/** Characters of each part of an answer: the first kind's output, and errors of each kind. */
const OUTPUT_ROOM = 0.4 * MAX_ANSWER;
const BRIEF_ROOM = 0.1 * MAX_ANSWER;
const ALONE_ROOM = 0.9 * MAX_ANSWER;
const ERRORS_ROOM = 700;

/** Output of every tool that runs something. */
export const checkOutput = z.object({
  check: z.string().describe("Id to cite, and for read_check."),
  sandbox: z.string(),
  clusters: z.array(
    z.object({
      rollouts: z
        .array(z.string())
        .describe('Those that behaved alike; "base" is the code before any change.'),
      end: z.string(),
      status: z.string().optional(),
      tests: z.string().optional(),
      problem: z.string().optional(),
      canary: z.string().optional().describe("What became of a test that must fail."),
      own: z.string().optional().describe("The status with the rollout's own test configuration."),
      restored: z
        .array(z.string())
        .optional()
        .describe("Tests and configuration that a rollout had changed."),
      left_out: z.array(z.string()).optional().describe("Hooks and tests that a rollout adds."),
    }),
  ),
  flaky: z
    .array(z.string())
    .optional()
    .describe("Rollouts that came out differently when they were run twice; in no cluster."),
  unsteady: z.int().optional().describe("Lines or cases left out, since they differ from run to run."),
  cases: casesOutput.optional().describe("Where the script tells cases: which of them part the rollouts."),
  notes: z.array(z.string()).optional().describe("What the base says of the tests."),
  flags: z
    .array(RunFlag.extend({ rollout: z.string() }))
    .optional()
    .describe("Forging that the runs show; recorded as findings."),
  shown: z.array(z.string()).describe("Where they part, then the output of the first kind."),
});

/** A check as data and as text: the kinds of behaviour, the lines in which they part, and the first kind's output. */
export function showCheck(answer: CheckAnswer) {
  const { check, clusters } = answer;
  const title =
    check.tool === "shell"
      ? `${check.id} (to look at; not citable), in ${check.sandbox}`
      : `check ${check.id}: ${check.runs.length} runs in ${check.sandbox}, ${kindsText(clusters.length)}`;
  const untold = clusters.filter((cluster) => !isTold(cluster));
  const cases = answer.cases
    ? showCases(
        untold.map(({ labels }) => labels),
        waysOf({ ...answer, clusters: untold }),
      )
    : undefined;
  const flags = check.runs.flatMap(({ rollout, flags = [] }) => flags.map((flag) => ({ rollout, ...flag })));
  const shown = [
    ...clusters.flatMap(errorLines),
    ...(cases?.lines ?? []),
    ...partingLines(untold, answer),
    ...outputLines(clusters, cases !== undefined),
  ];
  return {
    data: {
      check: check.id,
      sandbox: check.sandbox,
      clusters: clusters.map(({ labels, sample: { run } }) => ({
        rollouts: labels,
        end: describeEnd(run),
        ...(run.status === undefined ? {} : { status: run.status }),
        ...(run.tests === undefined ? {} : { tests: countsText(run) }),
        ...partsOf(run, ["problem", "canary", "own", "restored", "left_out"]),
      })),
      ...(check.flaky === undefined ? {} : { flaky: check.flaky }),
      ...(check.unsteady === undefined ? {} : { unsteady: check.unsteady }),
      ...(cases === undefined ? {} : { cases: cases.data }),
      ...(check.notes === undefined ? {} : { notes: check.notes }),
      ...(flags.length === 0 ? {} : { flags }),
      shown,
    },
    text: [
      title,
      ...(check.notes ?? []).map((note) => `note: ${note}`),
      ...(check.tool === "shell" ? [endOf(clusters)] : clusters.map((cluster) => heading(cluster, clusters))),
      ...unsteadyLines(check),
      ...testLines(check, clusters),
      ...shown,
    ].join("\n"),
  };
}

const endOf = ([cluster]: readonly Cluster[]) =>
  cluster === undefined ? "" : describeEnd(cluster.sample.run);

function heading({ labels, sample: { run } }: Cluster, all: readonly Cluster[]): string {
  const counts = run.tests === undefined ? "" : `; tests as reported: ${numbersText(run)}`;
  const most = Math.max(...all.map((cluster) => testsIn(cluster.sample.run)));
  const fewer =
    run.tests !== undefined && testsIn(run) < most ? `; FEWER TESTS than the ${most} of others` : "";
  const status = run.status === undefined ? "" : `${run.status}, `;
  return `${labels.join(" ")} (${labels.length}): ${status}${describeEnd(run)}${counts}${fewer}${trustText(run)}`;
}

const testsIn = ({ tests }: CheckRun) =>
  tests === undefined
    ? 0
    : tests.passed + tests.failed + tests.skipped + (tests.flaky ?? 0) + (tests.inconsistent ?? 0);

function countsText(run: CheckRun): string {
  const failing = run.tests?.failing ?? [];
  return `${numbersText(run)}${failing.length === 0 ? "" : `: ${failing.join(", ")}`}`;
}

function unsteadyLines({ flaky, unsteady }: Check): string[] {
  return [
    ...(flaky === undefined
      ? []
      : [`FLAKY, run twice with different results, nothing can be said of them: ${flaky.join(" ")}`]),
    ...(unsteady === undefined
      ? []
      : [`left out, since they differ between two runs of one rollout: ${unsteady} lines or cases`]),
  ];
}

function numbersText({ tests }: CheckRun): string {
  if (tests === undefined) return "";
  const more = (["missing", "flaky", "inconsistent"] as const).flatMap((status) =>
    tests[status] === undefined ? [] : [`${tests[status]} ${status}`],
  );
  return [`${tests.passed} passed`, `${tests.failed} failed`, `${tests.skipped} skipped`, ...more].join(", ");
}

/** The fields of a run that are there. */
function partsOf<K extends keyof CheckRun>(run: CheckRun, keys: readonly K[]): Partial<Pick<CheckRun, K>> {
  const parts: Partial<Pick<CheckRun, K>> = {};
  for (const key of keys) if (run[key] !== undefined) parts[key] = run[key];
  return parts;
}

const kindsText = (count: number) => `${count} ${count === 1 ? "kind" : "kinds"} of behaviour`;

/** Where a runner told its tests, or nothing was run, the heading says it all. */
const isTold = ({ sample: { run } }: Cluster) =>
  run.tests !== undefined || run.outcome === "sandbox_failed" || run.outcome === "unavailable";

function errorLines(cluster: Cluster): string[] {
  const { run, printed } = cluster.sample;
  if (isTold(cluster) || printed.stderr.trim() === "" || (run.outcome === "exited" && run.exit_code === 0))
    return [];
  return [`errors of ${cluster.labels.join(" ")}:`, ...excerpt(printed.stderr, "err", ERRORS_ROOM, "end")];
}

/** @param brief - Where cases are told, the first lines show how they look. */
function outputLines(clusters: readonly Cluster[], brief: boolean): string[] {
  const first = clusters.find((cluster) => !isTold(cluster));
  if (first === undefined) return [];
  const alone = clusters.length === 1;
  const { stdout, stderr } = first.sample.printed;
  const errors = errorLines(first).length > 0 ? [] : excerpt(stderr, "err", ERRORS_ROOM, "end");
  return [
    ...(alone ? [] : [`output of ${first.labels.join(" ")}:`]),
    ...excerpt(stdout, "out", alone ? ALONE_ROOM : brief ? BRIEF_ROOM : OUTPUT_ROOM, "both"),
    ...errors,
  ];
}
