import { describeEnd } from "./describe.ts";
import type { Behaviour } from "./types.ts";

/** Runs that behaved alike, and what sets them apart from the first cluster. */
export interface Cluster {
  labels: string[];
  /** One of them, for all. */
  sample: Behaviour;
  /** Absent for the first cluster. */
  difference?: Difference;
}

export interface Difference {
  /** Line of standard output, counted from 1; absent when only the end or the errors differ. */
  line?: number;
  here: string;
  there: string;
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
    return [{ labels, sample, ...(sample === first ? {} : { difference: differenceOf(sample, first) }) }];
  });
}

function keyOf({ run, printed }: Behaviour) {
  // Where the tests are told one by one, the rest of the output is how the runner words it.
  if (run.tests !== undefined) return [describeEnd(run), run.tests];
  return [describeEnd(run), steady(printed.stdout), steady(lastLine(printed.stderr))];
}

function differenceOf(here: Behaviour, there: Behaviour): Difference {
  const lines = here.printed.stdout.split("\n");
  const others = there.printed.stdout.split("\n");
  const at = lines.findIndex((line, index) => steady(line) !== steady(others[index] ?? ""));
  if (at >= 0) return { line: at + 1, here: lines[at] ?? "", there: others[at] ?? "" };
  if (others.length > lines.length)
    return { line: lines.length + 1, here: "", there: others[lines.length] ?? "" };
  const end = [describeEnd(here.run), describeEnd(there.run)] as const;
  if (end[0] !== end[1]) return { here: end[0], there: end[1] };
  return { here: lastLine(here.printed.stderr), there: lastLine(there.printed.stderr) };
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
