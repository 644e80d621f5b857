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
}

/**
 * In which cases clusters part. Cases that part them in the same way are one way, shown by its smallest and its first.
 * The ways that together tell all clusters apart come first, each as small as can be; ways with more cases follow.
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
  return { cases: cases.size, ways: inOrder([...found.values()]).map(({ pattern: _, ...way }) => way) };
}

/** For each cluster the number of its side, in the order in which sides are met. */
function patternOf(texts: readonly (string | undefined)[]): number[] {
  const sides = [...new Set(texts)];
  return texts.map((text) => sides.indexOf(text));
}

/** Ways that tell more clusters apart than those before them, the best and smallest first; then the others. */
function inOrder<T extends Way & { pattern: number[] }>(ways: readonly T[]): T[] {
  const left = ways.toSorted((a, b) => b.count - a.count || size(a) - size(b));
  const chosen: T[] = [];
  let parts = (left[0]?.pattern ?? []).map(() => "");
  for (;;) {
    const gained = left.map((way) => new Set(refined(parts, way)).size);
    const most = Math.max(0, ...gained);
    if (most <= new Set(parts).size) return [...chosen, ...left];
    const [best] = left.filter((_way, index) => gained[index] === most).toSorted((a, b) => size(a) - size(b));
    if (best === undefined) return chosen;
    parts = refined(parts, best);
    chosen.push(best);
    left.splice(left.indexOf(best), 1);
  }
}

const size = ({ smallest }: Way) => smallest.input.length;

/** Clusters in one part are not told apart yet. */
const refined = (parts: readonly string[], { pattern }: { pattern: readonly number[] }) =>
  parts.map((part, index) => `${part} ${pattern[index]}`);
