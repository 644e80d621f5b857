import { accountKey, type Account } from "./account.ts";
import { settle } from "./settle.ts";
import type { Behaviour } from "./types.ts";

/** Runs that behaved alike. */
export interface Cluster {
  labels: string[];
  /** One of them, for all. */
  sample: Behaviour;
  /** What the sample did, without what differs from run to run. */
  account: Account;
}

/** The runs of a check, sorted by what they did. */
export interface Clusters {
  clusters: Cluster[];
  /** Labels of runs that came out differently when they were made twice; in no cluster. */
  flaky: string[];
  /** Points of output that differ between two runs of one rollout; left out of the comparison. */
  unsteady: ReadonlySet<string>;
  /** Whether the script tells cases, a line each. */
  cases: boolean;
}

/**
 * Groups runs that are alike in every point (see account.ts) which is the same in two runs of one rollout. The cluster
 * with most rollouts comes first, and of several such the one that is nearest to the others; the base counts for
 * nothing, and alone it is last.
 */
export function clustersOf(behaviours: readonly Behaviour[]): Clusters {
  const { accounts, flaky, unsteady, cases } = settle(behaviours);
  const found = new Map<string, Cluster>();
  for (const [behaviour, account] of accounts) {
    const key = accountKey(account);
    const known = found.get(key);
    if (known === undefined) found.set(key, { labels: [behaviour.run.rollout], sample: behaviour, account });
    else known.labels.push(behaviour.run.rollout);
  }
  const clusters = [...found.values()];
  for (const { labels } of clusters) labels.sort(byLabel);
  const distance = new Map(clusters.map((cluster) => [cluster, distanceTo(cluster, clusters)]));
  const near = (cluster: Cluster) => distance.get(cluster) ?? 0;
  clusters.sort((a, b) => size(b) - size(a) || near(a) - near(b));
  return { clusters, flaky: flaky.map(({ run }) => run.rollout), unsteady, cases };
}

/** The base after all rollouts. */
const byLabel = (a: string, b: string) =>
  Number(a === "base") - Number(b === "base") || a.length - b.length || (a < b ? -1 : 1);

const size = ({ labels }: Pick<Cluster, "labels">) => labels.filter((label) => label !== "base").length;

/** Points in which a cluster differs from those of all rollouts, added up. */
function distanceTo({ account }: Cluster, all: readonly Cluster[]): number {
  return all.reduce((sum, other) => sum + size(other) * differing(account, other.account), 0);
}

function differing(one: Account, other: Account): number {
  let count = 0;
  for (const [point, text] of one) if (other.get(point) !== text) count += 1;
  for (const point of other.keys()) if (!one.has(point)) count += 1;
  return count;
}
