import { accountLines, describeEnd } from "./describe.ts";
import { linesOf, steady } from "./steady.ts";
import type { Behaviour } from "./types.ts";

/** Runs that behaved alike. */
export interface Cluster {
  labels: string[];
  /** One of them, for all. */
  sample: Behaviour;
}

/**
 * Groups runs by their end, their standard output and the last line of their errors. What differs between any two runs
 * (times, addresses) is left out of the comparison; so is the rest of the errors, where a traceback names the lines of
 * each rollout's own files. The cluster with most rollouts comes first, and of several such the one that is nearest to
 * the others; the base counts for nothing, and alone it is last.
 */
export function clustersOf(behaviours: readonly Behaviour[]): Cluster[] {
  const found = new Map<string, Cluster>();
  for (const behaviour of behaviours) {
    const key = JSON.stringify(keyOf(behaviour));
    const known = found.get(key);
    if (known === undefined) found.set(key, { labels: [behaviour.run.rollout], sample: behaviour });
    else known.labels.push(behaviour.run.rollout);
  }
  const clusters = [...found.values()];
  const distance = new Map(clusters.map((cluster) => [cluster, distanceTo(cluster, clusters)]));
  const near = (cluster: Cluster) => distance.get(cluster) ?? 0;
  return clusters.sort((a, b) => size(b) - size(a) || near(a) - near(b));
}

function keyOf({ run, printed }: Behaviour) {
  // Where the tests are told one by one, the rest of the output is how the runner words it.
  if (run.tests !== undefined) return [describeEnd(run), run.status, run.tests, ...accountLines(run)];
  return [describeEnd(run), steady(printed.stdout), steady(lastLine(printed.stderr))];
}

const size = ({ labels }: Cluster) => labels.filter((label) => label !== "base").length;

/** Lines in which a cluster's output differs from those of all rollouts, added up. */
function distanceTo(cluster: Cluster, all: readonly Cluster[]): number {
  const own = linesOf(cluster.sample.printed.stdout).map(steady);
  return all.reduce((sum, other) => {
    const lines = linesOf(other.sample.printed.stdout);
    const longer = Math.max(own.length, lines.length);
    let differing = Math.abs(own.length - lines.length);
    for (let index = 0; index < longer; index += 1)
      if (index < own.length && index < lines.length && own[index] !== steady(lines[index] ?? ""))
        differing += 1;
    return sum + size(other) * differing;
  }, 0);
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
