import * as z from "zod";
import type { CheckAnswer } from "../checks/checks.ts";
import type { Cluster } from "../checks/clusters.ts";
import { describeEnd } from "../checks/describe.ts";
import { compareClusters, type Apart, type Disagreement } from "../checks/disagreements.ts";
import { RunFlag, type CheckRun } from "../schema/check.ts";
import { excerpt, fitting } from "./excerpt.ts";
import { testLines, trustText } from "./test-lines.ts";
import { foreign, MAX_ANSWER } from "./view.ts";

/** Characters of each part of an answer: where runs part, the first kind's output, and errors of each kind. */
const DISAGREEMENTS_ROOM = MAX_ANSWER;
const OUTPUT_ROOM = 0.4 * MAX_ANSWER;
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
  notes: z.array(z.string()).optional().describe("What the base says of the tests."),
  flags: z
    .array(RunFlag.extend({ rollout: z.string() }))
    .optional()
    .describe("Forging that the runs show; recorded as findings."),
  shown: z.array(z.string()).describe("Where they part, then the output of the first kind."),
});

/** A check as data and as text: the kinds of behaviour, the lines in which they part, and the first kind's output. */
export function showCheck({ check, clusters }: CheckAnswer) {
  const title =
    check.tool === "shell"
      ? `${check.id} (to look at; not citable), in ${check.sandbox}`
      : `check ${check.id}: ${check.runs.length} runs in ${check.sandbox}, ${kindsText(clusters.length)}`;
  const flags = check.runs.flatMap(({ rollout, flags = [] }) => flags.map((flag) => ({ rollout, ...flag })));
  const shown = [...clusters.flatMap(errorLines), ...partingLines(clusters), ...outputLines(clusters)];
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
      ...(check.notes === undefined ? {} : { notes: check.notes }),
      ...(flags.length === 0 ? {} : { flags }),
      shown,
    },
    text: [
      title,
      ...(check.notes ?? []).map((note) => `note: ${note}`),
      ...(check.tool === "shell" ? [endOf(clusters)] : clusters.map((cluster) => heading(cluster, clusters))),
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

function partingLines(clusters: readonly Cluster[]): string[] {
  const { disagreements, apart } = compareClusters(clusters.filter((cluster) => !isTold(cluster)));
  const rows = disagreements.map(disagreementLines);
  const table = fitting(rows, DISAGREEMENTS_ROOM / (apart.length + 1), (row) => row.join("\n").length);
  return [
    ...(rows.length === 0 ? [] : [`lines of output that are not the same everywhere: ${rows.length}`]),
    ...table.shown.flat(),
    ...(table.left === 0 ? [] : [`[${table.left} more such lines; read_check shows a whole output]`]),
    ...apart.flatMap((each) => apartLines(each, DISAGREEMENTS_ROOM / (apart.length + 1))),
  ];
}

function disagreementLines({ line, sides }: Disagreement): string[] {
  return sides.map(({ labels, text }) => foreign(`${line} ${labels.join(" ")}`, text));
}

function apartLines({ cluster, only, lacks }: Apart, room: number): string[] {
  const rows = [
    ...only.map(({ line, text }) => foreign(`+${line}`, text)),
    ...lacks.map(({ line, text }) => foreign(`-${line}`, text)),
  ];
  if (rows.length === 0) return [];
  const { shown, left } = fitting(rows, room, (row) => row.length + 1);
  return [
    `${cluster.labels.join(" ")} beside the first kind, + only here, - only there:`,
    ...shown,
    ...(left === 0 ? [] : [`[${left} more such lines; read_check shows a whole output]`]),
  ];
}

function outputLines(clusters: readonly Cluster[]): string[] {
  const first = clusters.find((cluster) => !isTold(cluster));
  if (first === undefined) return [];
  const alone = clusters.length === 1;
  const { stdout, stderr } = first.sample.printed;
  const errors = errorLines(first).length > 0 ? [] : excerpt(stderr, "err", ERRORS_ROOM, "end");
  return [
    ...(alone ? [] : [`output of ${first.labels.join(" ")}:`]),
    ...excerpt(stdout, "out", alone ? ALONE_ROOM : OUTPUT_ROOM, "both"),
    ...errors,
  ];
}
