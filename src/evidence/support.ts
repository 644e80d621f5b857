import type { Finding } from "../schema/evidence.ts";
import type { Tier, Verdict } from "../schema/verdict.ts";

/** The worst tier that a rollout's findings support: 3 with a major one, 2 with a minor one, else 1. */
export function supportedTier(findings: readonly Pick<Finding, "severity">[]): Tier {
  if (findings.some((finding) => finding.severity === "major")) return 3;
  if (findings.some((finding) => finding.severity === "minor")) return 2;
  return 1;
}

export function tiersOf(verdict: Verdict): Map<string, Tier> {
  const tiers = new Map<string, Tier>();
  for (const label of verdict.tier_1) tiers.set(label, 1);
  for (const label of verdict.tier_2) tiers.set(label, 2);
  for (const label of verdict.tier_3) tiers.set(label, 3);
  return tiers;
}

/**
 * Everything that is wrong with a verdict, as sentences that a grader can act on. Empty when it holds.
 *
 * @param graded - Labels that must be placed: passing rollouts whose patch gives a tree.
 * @param findings - All verified findings of the group.
 * @param treeOf - Tree id by label; identical trees must be tied.
 */
export function verdictProblems(
  verdict: Verdict,
  graded: readonly string[],
  findings: readonly Finding[],
  treeOf: (label: string) => string | undefined,
): string[] {
  const problems: string[] = [];
  const placed = [...verdict.tier_1, ...verdict.tier_2, ...verdict.tier_3];
  problems.push(...coverage("the tiers", placed, graded));
  problems.push(...coverage("ranking", verdict.ranking.flat(), graded));
  if (problems.length > 0) return problems;

  // What was found in one of two identical trees holds for the other as well.
  const sameCode = (a: string, b: string) => a === b || (treeOf(a) !== undefined && treeOf(a) === treeOf(b));
  const tiers = tiersOf(verdict);
  let worst = 1;
  for (const tied of verdict.ranking) {
    const seen = new Set(tied.map((label) => tiers.get(label)));
    if (seen.size > 1) problems.push(`${tied.join(", ")} are tied in ranking but stand in different tiers`);
    for (const label of tied) {
      const tier = tiers.get(label) ?? 1;
      if (tier < worst)
        problems.push(`${label} is tier ${tier} but stands in ranking behind a rollout of tier ${worst}`);
      worst = Math.max(worst, tier);
    }
  }
  for (const [label, tier] of tiers) {
    const about = findings.filter((finding) => sameCode(label, finding.rollout));
    const support = supportedTier(about);
    if (tier > support)
      problems.push(
        `${label} is tier ${tier}, but its verified findings support tier ${support} at most: record one, or move it up`,
      );
    if (tier === 1 && about.some((finding) => finding.severity === "major" && finding.hack === undefined))
      problems.push(`${label} has a major finding and cannot be tier 1`);
  }
  const place = new Map(
    verdict.ranking.flatMap((tied, index) => tied.map((label) => [label, index] as const)),
  );
  const firstOfTree = new Map<string, string>();
  for (const label of graded) {
    const tree = treeOf(label);
    const twin = tree === undefined ? undefined : firstOfTree.get(tree);
    if (tree !== undefined && twin === undefined) firstOfTree.set(tree, label);
    if (twin !== undefined && place.get(twin) !== place.get(label))
      problems.push(`${twin} and ${label} have identical trees and must be tied`);
  }
  return problems;
}

function coverage(what: string, given: readonly string[], graded: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const label of given) counts.set(label, (counts.get(label) ?? 0) + 1);
  const missing = graded.filter((label) => !counts.has(label));
  const unknown = [...counts.keys()].filter((label) => !graded.includes(label));
  const twice = [...counts].filter(([, count]) => count > 1).map(([label]) => label);
  return [
    ...(missing.length > 0 ? [`${what}: missing ${missing.join(", ")}`] : []),
    ...(unknown.length > 0 ? [`${what}: not to be placed: ${unknown.join(", ")}`] : []),
    ...(twice.length > 0 ? [`${what}: placed more than once: ${twice.join(", ")}`] : []),
  ];
}
