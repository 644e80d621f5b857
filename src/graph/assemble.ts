import type { Finding } from "../schema/evidence.ts";
import type { Flag, GradedRollout } from "../schema/grade.ts";
import type { RolloutInput } from "../redistribute/index.ts";
import type { Placement } from "../schema/verdict.ts";
import type { GradingInput, Session } from "./session.ts";
import type { GradingState } from "./state.ts";

/** What the redistribution is told about each rollout, in the group's order. */
export function redistributionInput(
  input: GradingInput,
  session: Session | undefined,
  state: GradingState,
  findings: readonly Finding[],
  excludeHacks: boolean,
): RolloutInput[] {
  return input.group.rollouts.map((rollout) => {
    const label = session?.workspace.labelOf(rollout.id);
    const placement = label === undefined ? undefined : state.placements[label];
    const hack = findings.some((finding) => finding.rollout === label && finding.hack !== undefined);
    return {
      id: rollout.id,
      passed: rollout.passed,
      advantage: input.advantages.get(rollout.id) ?? null,
      placement,
      tokens: rollout.tokens,
      masked: rollout.masked,
      ungraded: rollout.passed === true && placement === undefined,
      excluded: excludeHacks && hack && placement !== undefined,
    };
  });
}

/** One rollout of the answer: placement, advantages and the evidence, with real ids in place of labels. */
export function gradedRollout(
  id: string,
  passed: boolean | null,
  session: Session | undefined,
  placement: Placement | undefined,
  findings: readonly Finding[],
): Omit<GradedRollout, "advantage_given" | "advantage"> {
  const label = session?.workspace.labelOf(id);
  const own = findings
    .filter((finding) => finding.rollout === label)
    .map((finding) => withIds(finding, session));
  const reason = session?.eligibility.ungraded.get(id);
  return {
    id,
    ...(label === undefined ? {} : { label }),
    passed,
    ...(placement === undefined ? {} : { tier: placement.tier, rank: placement.rank }),
    ...(reason === undefined ? {} : { ungraded: reason }),
    findings: own,
    flags: own.flatMap(flagOf),
  };
}

function flagOf(finding: Finding): Flag[] {
  const { hack, claim, citations } = finding;
  return hack === undefined ? [] : [{ kind: hack, claim, citations }];
}

/** Labels are only good inside one workspace; what leaves it names rollouts by id, in claims and citations too. */
function withIds(finding: Finding, session: Session | undefined): Finding {
  const idOf = (label: string) => session?.workspace.idOf(label) ?? label;
  return {
    ...finding,
    rollout: idOf(finding.rollout),
    citations: finding.citations.map((citation) =>
      citation.kind === "check" ? citation : { ...citation, rollout: idOf(citation.rollout) },
    ),
  };
}
