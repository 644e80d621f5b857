import { linePoint, splitOutput } from "./account.ts";
import type { Line } from "./cases.ts";
import type { Cluster, Clusters } from "./clusters.ts";
import { steady } from "./steady.ts";

/** One line of output that is not the same everywhere: who printed what. The largest side comes first. */
export interface Disagreement {
  /** From 1 on. */
  line: number;
  sides: { labels: string[]; text: string }[];
}

/** A cluster whose output has another number of lines than the first one's: what only one of the two has. */
export interface Apart {
  cluster: Cluster;
  /** Lines that the first cluster's output does not have as often. */
  only: Line[];
  /** Lines of the first cluster's output that this one does not have as often. */
  lacks: Line[];
}

export interface Comparison {
  disagreements: Disagreement[];
  apart: Apart[];
}

/**
 * Where clusters part in lines that tell no case. Outputs with as many lines as the first one's are compared line by
 * line, the others as bags of lines.
 */
export function compareClusters(
  clusters: readonly Cluster[],
  { cases, unsteady }: Pick<Clusters, "cases" | "unsteady">,
): Comparison {
  const outputs = clusters.map((cluster) => ({
    cluster,
    lines: splitOutput(cluster.sample.printed, cases).others,
  }));
  const lines = outputs[0]?.lines ?? [];
  const alike = outputs.filter((output) => output.lines.length === lines.length);
  const disagreements = lines.flatMap(({ line }, index): Disagreement[] => {
    const point = linePoint(lines.length, index);
    if (unsteady.has(point)) return [];
    const sides = new Map<string | undefined, { labels: string[]; text: string }>();
    for (const { cluster, lines: own } of alike) {
      const told = cluster.account.get(point);
      const side = sides.get(told) ?? { labels: [], text: own[index]?.text ?? "" };
      side.labels.push(...cluster.labels);
      sides.set(told, side);
    }
    if (sides.size < 2) return [];
    return [{ line, sides: [...sides.values()].sort((a, b) => b.labels.length - a.labels.length) }];
  });
  const apart = outputs
    .filter((output) => output.lines.length !== lines.length)
    .map((output) => ({
      cluster: output.cluster,
      only: missingFrom(lines, output.lines),
      lacks: missingFrom(output.lines, lines),
    }));
  return { disagreements, apart };
}

/** Lines of `lines` that `others` does not have as often. */
function missingFrom(others: readonly Line[], lines: readonly Line[]): Line[] {
  const known = new Map<string, number>();
  for (const { text } of others) known.set(steady(text), (known.get(steady(text)) ?? 0) + 1);
  return lines.filter(({ text }) => {
    const left = known.get(steady(text)) ?? 0;
    known.set(steady(text), left - 1);
    return left <= 0;
  });
}
