import type { Signal } from "../advantages.ts";
import type { Rollout } from "../schema/group.ts";
import type { PatchOutcome } from "../workspace/types.ts";

export interface Eligibility {
  /** Ids that the verdict places. */
  graded: string[];
  /** Passing rollouts that cannot be judged, with the reason. Their advantage stays as given. */
  ungraded: Map<string, string>;
  /** Why the group is not graded; undefined when it is. */
  skip?: string;
}

/**
 * Which rollouts of a group are judged, and whether the group is (design section 1, point 7).
 *
 * @param patchOf - What became of a rollout's patch.
 * @param rankOnly - Grade for the order alone: two passing rollouts suffice, whatever their advantages.
 */
export function eligibility(
  rollouts: readonly Rollout[],
  signals: readonly Signal[],
  patchOf: (id: string) => PatchOutcome | undefined,
  rankOnly: boolean,
): Eligibility {
  const graded: string[] = [];
  const ungraded = new Map<string, string>();
  for (const rollout of rollouts) {
    if (rollout.passed !== true) continue;
    const reason = whyNot(rollout, patchOf(rollout.id));
    if (reason === undefined) graded.push(rollout.id);
    else ungraded.set(rollout.id, reason);
  }
  const skip = skipReason(rollouts, graded, signals, rankOnly);
  return { graded, ungraded, ...(skip === undefined ? {} : { skip }) };
}

function whyNot(rollout: Rollout, patch: PatchOutcome | undefined): string | undefined {
  if (rollout.masked === true) return "masked";
  if (patch === undefined) return "patch_unread";
  if (patch.tree !== undefined) return undefined;
  return patch.state === "present" ? "patch_does_not_apply" : `patch_${patch.state}`;
}

function skipReason(
  rollouts: readonly Rollout[],
  graded: readonly string[],
  signals: readonly Signal[],
  rankOnly: boolean,
): string | undefined {
  const passing = rollouts.filter((rollout) => rollout.passed === true).length;
  if (passing === 0)
    return rollouts.length > 0 && rollouts.every((rollout) => rollout.passed === null)
      ? "nothing says which rollouts passed"
      : "no rollout passed";
  if (graded.length < 2)
    return `${graded.length} of ${passing} passing rollouts can be judged, two are needed`;
  if (rankOnly) return undefined;
  const positive = rollouts.filter(
    ({ id }, index) => graded.includes(id) && (signals[index]?.advantage ?? 0) > 0,
  ).length;
  return positive < 2 ? `${positive} passing rollouts have a positive advantage, two are needed` : undefined;
}
