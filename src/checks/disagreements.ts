import type { Cluster } from "./clusters.ts";
import { linesOf, steady } from "./steady.ts";

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
  only: { line: number; text: string }[];
  /** Lines of the first cluster's output that this one does not have as often. */
  lacks: { line: number; text: string }[];
}

export interface Comparison {
  disagreements: Disagreement[];
  apart: Apart[];
}

/**
 * Where clusters part. Outputs with as many lines as the first one's are compared line by line, as a script makes them
 * that prints a line a case; the others as bags of lines.
 */
export function compareClusters(clusters: readonly Cluster[]): Comparison {
  const [first] = clusters;
  if (first === undefined) return { disagreements: [], apart: [] };
  const lines = linesOf(first.sample.printed.stdout);
  const outputs = clusters.map((cluster) => ({ cluster, lines: linesOf(cluster.sample.printed.stdout) }));
  const alike = outputs.filter((output) => output.lines.length === lines.length);
  const disagreements = lines.flatMap((_line, index): Disagreement[] => {
    const sides = new Map<string, { labels: string[]; text: string }>();
    for (const output of alike) {
      const text = output.lines[index] ?? "";
      const side = sides.get(steady(text)) ?? { labels: [], text };
      side.labels.push(...output.cluster.labels);
      sides.set(steady(text), side);
    }
    if (sides.size < 2) return [];
    return [
      { line: index + 1, sides: [...sides.values()].sort((a, b) => b.labels.length - a.labels.length) },
    ];
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

/** Lines of `lines` that `others` does not have as often, with their numbers. */
function missingFrom(others: readonly string[], lines: readonly string[]): { line: number; text: string }[] {
  const known = new Map<string, number>();
  for (const line of others.map(steady)) known.set(line, (known.get(line) ?? 0) + 1);
  return lines.flatMap((text, index) => {
    const left = known.get(steady(text)) ?? 0;
    known.set(steady(text), left - 1);
    return left > 0 ? [] : [{ line: index + 1, text }];
  });
}
