import * as z from "zod";
import type { CheckAnswer } from "../checks/checks.ts";
import type { Cluster, Difference } from "../checks/clusters.ts";
import { describeEnd } from "../checks/describe.ts";
import type { CheckRun } from "../schema/check.ts";
import { foreign, MAX_ANSWER } from "./view.ts";

/** Characters of the first kind's output; of each other kind only what differs from it is shown. */
const OUTPUT_ROOM = 0.5 * MAX_ANSWER;
const ERRORS_ROOM = 0.15 * MAX_ANSWER;
/** Characters of all other kinds together, and the fewest of each. */
const OTHERS_ROOM = MAX_ANSWER;
const MIN_ROOM = 600;

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
      shown: z.array(z.string()).describe("Output of the first kind; of the others the lines that differ."),
    }),
  ),
});

/** A check as data and as text: the largest kind of behaviour, then how each other kind differs from it. */
export function showCheck({ check, clusters }: CheckAnswer) {
  const room = Math.max(MIN_ROOM, Math.floor(OTHERS_ROOM / Math.max(1, clusters.length - 1)));
  const parts = clusters.map((cluster, index) => ({ cluster, lines: linesOf(cluster, index === 0, room) }));
  const title =
    check.tool === "shell"
      ? `${check.id} (to look at; not citable), in ${check.sandbox}`
      : `check ${check.id}: ${check.runs.length} runs in ${check.sandbox}, ${clusters.length} kinds of behaviour`;
  return {
    data: {
      check: check.id,
      sandbox: check.sandbox,
      clusters: parts.map(({ cluster: { labels, sample }, lines }) => ({
        rollouts: labels,
        end: describeEnd(sample.run),
        ...(sample.run.status === undefined ? {} : { status: sample.run.status }),
        ...(sample.run.tests === undefined ? {} : { tests: countsText(sample.run) }),
        shown: lines,
      })),
    },
    text: [title, ...parts.flatMap(({ cluster, lines }) => [heading(cluster), ...lines])].join("\n"),
  };
}

function heading({ labels, sample: { run } }: Cluster): string {
  const counts = run.tests === undefined ? "" : `; tests as reported: ${countsText(run)}`;
  const status = run.status === undefined ? "" : `${run.status}, `;
  return `\n${labels.join(" ")} (${labels.length}): ${status}${describeEnd(run)}${counts}`;
}

function countsText({ tests }: CheckRun): string {
  if (tests === undefined) return "";
  const failing = tests.failing.length === 0 ? "" : `: ${tests.failing.join(", ")}`;
  return `${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped${failing}`;
}

/** Where a runner told its tests, or nothing was run, there is nothing to show besides the heading. */
function linesOf(cluster: Cluster, first: boolean, room: number): string[] {
  const { outcome, tests } = cluster.sample.run;
  if (tests !== undefined || outcome === "sandbox_failed" || outcome === "unavailable") return [];
  return first ? wholeLines(cluster) : otherLines(cluster, room);
}

function wholeLines({ sample: { printed } }: Cluster): string[] {
  return [
    ...excerpt(printed.stdout, "out", OUTPUT_ROOM, "both"),
    ...excerpt(printed.stderr, "err", ERRORS_ROOM, "end"),
  ];
}

function otherLines({ sample, differences }: Cluster, room: number): string[] {
  const rows = differences.map(differenceLines);
  const fitting = countFitting(
    rows.map((row) => row.join("\n")),
    room,
  );
  const left = rows.length - Math.max(1, fitting);
  const differing =
    differences.length === 0 ? "same output as the first kind" : "differs from the first kind:";
  return [
    differing,
    ...rows.slice(0, Math.max(1, fitting)).flat(),
    ...(left > 0 ? [`[${left} more differing lines; read_check shows the whole output]`] : []),
    ...excerpt(sample.printed.stderr, "err", MIN_ROOM, "end"),
  ];
}

function differenceLines({ line, here, there }: Difference): string[] {
  return [
    ...(here === undefined ? [] : [foreign(`here  ${line}`, here)]),
    ...(there === undefined ? [] : [foreign(`first ${line}`, there)]),
  ];
}

/** The lines of a stream that fit, with a mark of ours, which has no bar, where some are left out. */
function excerpt(text: string, stream: string, room: number, keep: "both" | "end"): string[] {
  const lines = text.trimEnd() === "" ? [] : text.trimEnd().split("\n");
  const shown = lines.map((line) => foreign(stream, line));
  if (countFitting(shown, room) === shown.length) return shown;
  const head = keep === "both" ? countFitting(shown, room / 2) : 0;
  const tail = Math.max(1, countFitting(shown.toReversed(), keep === "both" ? room / 2 : room));
  const left = shown.length - head - tail;
  if (left <= 0) return shown;
  return [
    ...shown.slice(0, head),
    `[${left} lines left out here; read_check shows them]`,
    ...shown.slice(shown.length - tail),
  ];
}

/** How many of the first lines fit. */
function countFitting(lines: readonly string[], room: number): number {
  let used = 0;
  const cut = lines.findIndex((line) => (used += line.length + 1) > room);
  return cut === -1 ? lines.length : cut;
}
