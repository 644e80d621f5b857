import * as z from "zod";
import type { CheckAnswer } from "../checks/checks.ts";
import type { Cluster } from "../checks/clusters.ts";
import { describeEnd } from "../checks/describe.ts";
import type { CheckRun } from "../schema/check.ts";
import { foreign, MAX_ANSWER } from "./view.ts";

/** Fewest characters of a stream that are shown of each cluster, however many there are. */
const MIN_ROOM = 400;

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
      stdout: z.string().describe("Beginning and end; read_check has all of it."),
      stderr: z.string().describe("The end; read_check has all of it."),
    }),
  ),
});

/** A check as data and as text: one part a cluster, with what sets it apart from the first. */
export function showCheck({ check, clusters }: CheckAnswer) {
  const room = Math.max(MIN_ROOM, Math.floor(MAX_ANSWER / 2 / Math.max(1, clusters.length)));
  const parts = clusters.map((cluster) => ({
    cluster,
    stdout: excerpt(cluster.sample.printed.stdout, room, "both"),
    stderr: excerpt(cluster.sample.printed.stderr, room, "end"),
  }));
  return {
    data: {
      check: check.id,
      sandbox: check.sandbox,
      clusters: parts.map(({ cluster, stdout, stderr }) => ({
        rollouts: cluster.labels,
        end: describeEnd(cluster.sample.run),
        ...(cluster.sample.run.status === undefined ? {} : { status: cluster.sample.run.status }),
        ...(cluster.sample.run.tests === undefined ? {} : { tests: countsText(cluster.sample.run) }),
        stdout: stdout.join("\n"),
        stderr: stderr.join("\n"),
      })),
    },
    text: [
      `check ${check.id}: ${check.runs.length} runs in ${check.sandbox}, ${clusters.length} kinds of behaviour`,
      ...parts.flatMap(({ cluster, stdout, stderr }) => [
        heading(cluster),
        ...differenceLines(cluster),
        ...stdout.map((line) => shown("out", line)),
        ...stderr.map((line) => shown("err", line)),
      ]),
    ].join("\n"),
  };
}

function heading({ labels, sample: { run } }: Cluster): string {
  const counts = run.tests === undefined ? "" : `; tests as reported: ${countsText(run)}`;
  const status = run.status === undefined ? "" : `${run.status}, `;
  return `\n${labels.join(" ")} (${labels.length}): ${status}${describeEnd(run)}${counts}`;
}

export function countsText({ tests }: CheckRun): string {
  if (tests === undefined) return "";
  const failing = tests.failing.length === 0 ? "" : `: ${tests.failing.join(", ")}`;
  return `${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped${failing}`;
}

function differenceLines({ difference, sample }: Cluster): string[] {
  if (difference === undefined || sample.run.tests !== undefined) return [];
  const where = difference.line === undefined ? "" : `, line ${difference.line} of its output`;
  return [
    `first difference from the first kind${where}:`,
    foreign("here ", difference.here),
    foreign("there", difference.there),
  ];
}

/** A mark of ours stands without a bar, where no line of a program can stand. */
const MARK = "\u0000";

const shown = (stream: string, line: string) =>
  line.startsWith(MARK) ? line.slice(MARK.length) : foreign(stream, line);

/** The lines of a stream that fit, with a mark where some are left out. */
function excerpt(text: string, room: number, keep: "both" | "end"): string[] {
  const lines = text.trimEnd() === "" ? [] : text.trimEnd().split("\n");
  const size = (line: string) => Math.min(line.length, 600) + 6;
  const take = (from: readonly string[], most: number) => {
    let used = 0;
    const cut = from.findIndex((line) => (used += size(line)) > most);
    return cut === -1 ? from.length : cut;
  };
  if (take(lines, room) === lines.length) return lines;
  const head = keep === "both" ? take(lines, room / 2) : 0;
  const tail = Math.max(1, take(lines.toReversed(), room - (keep === "both" ? room / 2 : 0)));
  const left = lines.length - head - tail;
  if (left <= 0) return lines;
  return [
    ...lines.slice(0, head),
    `${MARK}[${left} lines left out here; read_check shows them]`,
    ...lines.slice(lines.length - tail),
  ];
}
