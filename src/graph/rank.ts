import type { Placement } from "../schema/verdict.ts";
import type { Rerun } from "./contradictions.ts";
import { placementsOf, withoutPlaces } from "./placements.ts";
import { recordContradiction } from "./rerun-findings.ts";
import type { Session } from "./session.ts";
import type { GradingUpdate } from "./state.ts";

/** Turns the accepted verdict into placements by label, with the ties and moves that code decides. */
export async function rank(session: Session): Promise<GradingUpdate> {
  const verdict = session.context.verdict.accepted;
  if (verdict === undefined) return { status: "fallback", reason: "no verdict was accepted" };
  const contradicted = await session.contradicted();
  if (session.policy !== "report")
    for (const [label, rerun] of contradicted)
      if (session.context.graded.includes(label)) await recordContradiction(session, label, rerun);
  const findings = await session.context.findings.read();
  const trees = new Set(
    findings
      .map((finding) => session.workspace.rollout(finding.rollout)?.patch.tree)
      .filter((tree) => tree !== undefined),
  );
  const judged = session.context.graded.filter((label) => {
    const tree = session.workspace.rollout(label)?.patch.tree;
    return findings.some((finding) => finding.rollout === label) || (tree !== undefined && trees.has(tree));
  });
  const placements = placementsOf(verdict, new Set(judged));
  return { status: "graded", placements: Object.fromEntries(follow(session, placements, contradicted)) };
}

/** What the policy makes of passes that reruns contradict, whatever the grader thought of them. */
function follow(
  { policy }: Session,
  placements: ReadonlyMap<string, Placement>,
  contradicted: ReadonlyMap<string, Rerun>,
): ReadonlyMap<string, Placement> {
  const labels = new Set(contradicted.keys());
  if (policy === "report" || labels.size === 0) return placements;
  return withoutPlaces(placements, labels, policy === "demote" ? "last" : "none");
}
