import { describeEnd } from "./describe.ts";
import type { Behaviour } from "./types.ts";

/** Runs that behaved alike, and what sets them apart from the first cluster. */
export interface Cluster {
  labels: string[];
  /** One of them, for all. */
  sample: Behaviour;
  /** Lines of standard output that differ from the first cluster's, in order; empty for that one. */
  differences: Difference[];
}

export interface Difference {
  /** Line of this output, or of the first cluster's where this one lacks it; from 1 on. */
  line: number;
  /** Absent where this output lacks the line. */
  here?: string;
  /** Absent where the first cluster's lacks it. */
  there?: string;
}

/**
 * Groups runs by their end, their standard output and the last line of their errors. What differs between any two runs
 * (times, addresses) is left out of the comparison; so is the rest of the errors, where a traceback names the lines of
 * each rollout's own files. The largest cluster comes first.
 */
export function clustersOf(behaviours: readonly Behaviour[]): Cluster[] {
  const found = new Map<string, Behaviour[]>();
  for (const behaviour of behaviours) {
    const key = JSON.stringify(keyOf(behaviour));
    found.set(key, [...(found.get(key) ?? []), behaviour]);
  }
  const groups = [...found.values()].sort((a, b) => b.length - a.length);
  const first = groups[0]?.[0];
  return groups.flatMap((members) => {
    const [sample] = members;
    if (sample === undefined || first === undefined) return [];
    const labels = members.map(({ run }) => run.rollout);
    return [{ labels, sample, differences: sample === first ? [] : differencesOf(sample, first) }];
  });
}

function keyOf({ run, printed }: Behaviour) {
  // Where the tests are told one by one, the rest of the output is how the runner words it.
  if (run.tests !== undefined) return [describeEnd(run), run.tests];
  return [describeEnd(run), steady(printed.stdout), steady(lastLine(printed.stderr))];
}

/**
 * Outputs of equal length are compared line by line, as a script makes them that prints a line a case. Otherwise a line
 * differs when the other output does not have it, wherever it stands.
 */
function differencesOf(here: Behaviour, there: Behaviour): Difference[] {
  const lines = linesOf(here.printed.stdout);
  const others = linesOf(there.printed.stdout);
  if (lines.length === others.length)
    return lines.flatMap((line, index) => {
      const other = others[index] ?? "";
      return steady(line) === steady(other) ? [] : [{ line: index + 1, here: line, there: other }];
    });
  return [
    ...missingFrom(others, lines).map(([line, text]) => ({ line, here: text })),
    ...missingFrom(lines, others).map(([line, text]) => ({ line, there: text })),
  ];
}

/** Lines of `lines` that `others` does not have as often, with their numbers. */
function missingFrom(others: readonly string[], lines: readonly string[]): [number, string][] {
  const known = new Map<string, number>();
  for (const line of others.map(steady)) known.set(line, (known.get(line) ?? 0) + 1);
  return lines.flatMap((line, index): [number, string][] => {
    const left = known.get(steady(line)) ?? 0;
    known.set(steady(line), left - 1);
    return left > 0 ? [] : [[index + 1, line]];
  });
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}

/** A text without what differs from run to run: addresses and measured times. */
function steady(text: string): string {
  return text
    .replaceAll(/\b0x[0-9a-f]{6,}\b/gi, "0x?")
    .replaceAll(/\b\d+(?:\.\d+)?(?=\s?(?:ns|us|µs|ms|s|sec|secs|seconds?|milliseconds?)\b)/gi, "?");
}
