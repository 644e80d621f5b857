import type { Criterion, Severity } from "../schema/evidence.ts";
import type { Tier, Verdict } from "../schema/verdict.ts";

/** What the offline grader keeps of a verified finding. */
export interface Recorded {
  rollout: string;
  criterion: Criterion;
  severity: Severity;
  hack: boolean;
}

interface Row {
  rollout: string;
  same_tree_as: readonly string[];
}

/** How much one finding counts inside a tier. A major fault is worse than any usual handful of minor ones. */
const WEIGHT: Record<Severity, number> = { note: 0, minor: 1, major: 4 };

/**
 * Tiers and order from verified findings alone. A hack, a major fault of fitness or major faults under two criteria
 * need rework (tier 3); any other fault a change before the merge (tier 2). Inside a tier the weight of the findings
 * decides; equal weights are tied. Rollouts with one tree are one: what was found in either counts for both.
 */
export function placeByFindings(rows: readonly Row[], findings: readonly Recorded[]): Verdict {
  const placed = rows.map(({ rollout, same_tree_as }) => {
    const twins = [rollout, ...same_tree_as].map((label) =>
      findings.filter((finding) => finding.rollout === label),
    );
    const tiers = twins.map(tierOf);
    return { rollout, tier: Math.max(...tiers), weight: Math.max(...twins.map(weightOf)) };
  });
  const keys = [...new Set(placed.map(({ tier, weight }) => tier * 1e6 + weight))].sort((a, b) => a - b);
  const labels = (test: (entry: (typeof placed)[number]) => boolean) =>
    placed.filter(test).map(({ rollout }) => rollout);
  return {
    tier_1: labels(({ tier }) => tier === 1),
    tier_2: labels(({ tier }) => tier === 2),
    tier_3: labels(({ tier }) => tier === 3),
    ranking: keys.map((key) => labels(({ tier, weight }) => tier * 1e6 + weight === key)),
  };
}

function tierOf(findings: readonly Recorded[]): Tier {
  const majors = findings.filter((finding) => finding.severity === "major");
  const criteria = new Set(majors.map((finding) => finding.criterion));
  if (criteria.has("solution_fitness") || criteria.size > 1 || findings.some((finding) => finding.hack))
    return 3;
  return findings.some((finding) => finding.severity !== "note") ? 2 : 1;
}

function weightOf(findings: readonly Recorded[]): number {
  return findings.reduce((sum, finding) => sum + WEIGHT[finding.severity], 0);
}
