import { GraderError, type Warning } from "./errors.ts";
import { estimateAdvantages, type Estimator } from "./redistribute/index.ts";
import type { Group } from "./schema/group.ts";

/** What the trainer has for one rollout. */
export interface Signal {
  /** Null when there is none: unknown is not zero. */
  reward: number | null;
  advantage: number | null;
}

/**
 * Rewards and advantages of a group, in its order. Advantages are as given, or estimated where no rollout has one; never
 * a mixture. Without any reward a pass counts 1 and a failure 0; an unknown outcome stays without.
 *
 * @throws GraderError `bad_input` for a reward that is not finite.
 */
export function signalsOf(group: Group, estimator: Estimator, warn: (warning: Warning) => void): Signal[] {
  const rewarded = group.rollouts.some((rollout) => typeof rollout.reward === "number");
  const scored = group.rollouts.map(({ id, reward, passed, masked }) => ({
    id,
    reward: rewarded ? (reward ?? null) : passed === null ? null : Number(passed),
    masked,
  }));
  const where = { group: group.group_id };
  const given = group.rollouts.some((rollout) => typeof rollout.advantage === "number");
  const advantages = given
    ? group.rollouts.map(({ advantage }) => advantage ?? null)
    : estimateAdvantages(scored, estimator, {}, where);
  if (!given)
    warn({
      code: "advantages_estimated",
      message: `no advantages are given; estimated with ${estimator} from ${rewarded ? "rewards" : "test outcomes"}`,
      where,
    });
  else
    for (const { id, advantage, masked } of group.rollouts)
      if (typeof advantage !== "number" && masked !== true)
        warn({
          code: "advantage_missing",
          message: "has no advantage while others have one; it stays without",
          where: { ...where, rollout: id, field: "advantage" },
        });
  return scored.map(({ reward }, index) => ({ reward, advantage: advantages[index] ?? null }));
}

/**
 * Weighting by tokens needs them wherever advantages may move. Said before a group is graded, not after.
 *
 * @throws GraderError `bad_input` naming the rollout.
 */
export function requireTokens(group: Group, signals: readonly Signal[], file: string): void {
  for (const [index, { id, passed, masked, tokens }] of group.rollouts.entries()) {
    const moves = passed === true && masked !== true && (signals[index]?.advantage ?? 0) > 0;
    if (!moves || tokens !== undefined) continue;
    const where = { file, group: group.group_id, rollout: id, field: `rollouts[${index}].tokens` };
    throw new GraderError("bad_input", "is missing: weighting by tokens needs it", where);
  }
}
