import type { Session } from "./session.ts";
import { placementsOf } from "./placements.ts";
import type { GradingUpdate } from "./state.ts";

/** Turns the accepted verdict into placements by label, with the ties that code decides. */
export async function rank(session: Session): Promise<GradingUpdate> {
  const verdict = session.context.verdict.accepted;
  if (verdict === undefined) return { status: "fallback", reason: "no verdict was accepted" };
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
  return { status: "graded", placements: Object.fromEntries(placementsOf(verdict, new Set(judged))) };
}
