import { casePoint, splitOutput } from "./account.ts";
import type { CaseLine } from "./cases.ts";
import type { Clusters } from "./clusters.ts";

/** What some rollouts did in a case; `text` is missing when they told nothing of it. */
export interface Side {
  labels: string[];
  text?: string;
}

/** A case that parts the rollouts. The largest side comes first. */
export interface Parting extends Pick<CaseLine, "input" | "line"> {
  sides: Side[];
}

/** One way in which cases part the rollouts: who agrees with whom. */
export interface Way {
  /** Cases that do. */
  count: number;
  /** The one with the shortest input, and the one that came first, which can be the same. */
  smallest: Parting;
  first: Parting;
}

/** The disagreement matrix of a script that tells cases. */
export interface Ways {
  /** Cases that any rollout told of, without those that differ from run to run. */
  cases: number;
  ways: Way[];
  /** For each cluster, by index, the cases in which it differs from each of the clusters. */
  differing: number[][];
}

/**
 * In which cases clusters part. Cases that part them in the same way are one way, shown by its smallest and its first.
 * Ways with more cases come first, those before all others that it takes to tell all clusters apart.
 */
export function waysOf({ clusters, unsteady }: Pick<Clusters, "clusters" | "unsteady">): Ways {
  const told = clusters.map(({ sample }) => splitOutput(sample.printed, true).cases);
  const cases = new Map<string, CaseLine>();
  for (const line of told.flat())
    if (!unsteady.has(casePoint(line.key)) && !cases.has(line.key)) cases.set(line.key, line);
  const texts = told.map((lines) => new Map(lines.map(({ key, text }) => [key, text])));
  const found = new Map<string, Way & { pattern: number[] }>();
  for (const { key, input, line } of cases.values()) {
    const pattern = patternOf(clusters.map(({ account }) => account.get(casePoint(key))));
    if (Math.max(...pattern) === 0) continue;
    const parting: Parting = { input, line, sides: [] };
    for (const [index, side] of pattern.entries()) {
      const text = texts[index]?.get(key);
      const at = (parting.sides[side] ??= { labels: [], ...(text === undefined ? {} : { text }) });
      at.labels.push(...(clusters[index]?.labels ?? []));
    }
    parting.sides.sort((a, b) => b.labels.length - a.labels.length);
    const way = found.get(pattern.join());
    if (way === undefined)
      found.set(pattern.join(), { count: 1, smallest: parting, first: parting, pattern });
    else {
      way.count += 1;
      if (input.length < way.smallest.input.length) way.smallest = parting;
    }
  }
  const ways = inOrder([...found.values()]);
  return {
    cases: cases.size,
    ways: ways.map(({ pattern: _, ...way }) => way),
    differing: clusters.map((_one, a) =>
      clusters.map((_other, b) =>
        ways.reduce((sum, { pattern, count }) => sum + (pattern[a] === pattern[b] ? 0 : count), 0),
      ),
    ),
  };
}

/** For each cluster the number of its side, in the order in which sides are met. */
function patternOf(texts: readonly (string | undefined)[]): number[] {
  const sides = [...new Set(texts)];
  return texts.map((text) => sides.indexOf(text));
}

/** Ways that tell more clusters apart than those before them, and then the others; each time those with more cases first. */
function inOrder<T extends Way & { pattern: number[] }>(ways: readonly T[]): T[] {
  const size = ({ smallest }: Way) => smallest.input.length;
  const parting: T[] = [];
  const others: T[] = [];
  let parts: string[] = [];
  for (const way of ways.toSorted((a, b) => b.count - a.count || size(a) - size(b))) {
    const finer = way.pattern.map((side, index) => `${parts[index] ?? ""} ${side}`);
    const helps = new Set(finer).size > new Set(parts).size;
    (helps ? parting : others).push(way);
    if (helps) parts = finer;
  }
  return [...parting, ...others];
}
