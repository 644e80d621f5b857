import {
  applyHackPolicy,
  identity,
  redistribute,
  redistributionMarker,
  rewardForm,
  type RedistributedGroup,
  type RedistributionConfig,
  type RolloutInput,
} from "../redistribute/index.ts";
import type { Check } from "../schema/check.ts";
import type { Finding } from "../schema/evidence.ts";
import type { Grade, GradedRollout } from "../schema/grade.ts";
import type { GradingInput, Session } from "./session.ts";
import type { ContradictedPolicy, Rerun } from "./contradictions.ts";
import { rerunOf, rerunWarnings } from "./reruns.ts";
import type { GradingState } from "./state.ts";
import { checkWithIds, findingWithIds } from "./with-ids.ts";

export interface AnswerParts {
  input: GradingInput;
  /** Missing when the workspace could not be built. */
  session: Session | undefined;
  state: GradingState;
  config: RedistributionConfig;
  grader: Grade["grader"];
  wall_s: number;
  warnings: string[];
}

/** The grade that a final state stands for. Only a graded group that is not `rankOnly` has its advantages changed. */
export async function gradeOf(parts: AnswerParts): Promise<Grade> {
  const { input, session, state, config } = parts;
  const findings = session === undefined ? [] : await session.context.findings.read();
  const checks = session === undefined ? [] : await session.context.checks.list();
  const graded = state.status === "graded";
  const labelOf = (id: string) => session?.workspace.labelOf(id) ?? "";
  const idOf = (label: string) => session?.workspace.idOf(label) ?? label;
  const firm = (await session?.contradicted()) ?? new Map<string, Rerun>();
  const vetoed = isVetoed(parts) ? new Set(firm.keys()) : new Set<string>();
  const group = { group_id: input.group.group_id, rollouts: policedRollouts(parts, findings, vetoed) };
  const changes = (graded && !input.rankOnly) || vetoed.size > 0;
  const result = changes ? redistribute(group, config) : identity(group, config);
  const warnings = [
    ...parts.warnings,
    ...rerunWarnings({
      rollouts: input.group.rollouts,
      labelOf,
      checks,
      firm,
      policy: policyThatHeld(parts, vetoed.size > 0),
    }),
    ...lostMass(vetoed, result),
  ];
  const form = rewardForm(scored(input), result.rollouts, config.estimator);
  return {
    group_id: group.group_id,
    status: state.status === "open" ? "fallback" : state.status,
    ...(state.reason === "" ? {} : { reason: state.reason }),
    grader: parts.grader,
    rollouts: group.rollouts.map((rollout, index) => {
      const numbers = result.rollouts[index];
      const reward = form.exact ? form.rewards[index] : undefined;
      const out = graded && input.contradicted !== "report" && firm.has(labelOf(rollout.id));
      return gradedRollout(
        rollout,
        session,
        { findings, checks, isOut: out },
        {
          ...(numbers?.quality === undefined || !graded ? {} : { quality: numbers.quality }),
          advantage_given: numbers?.advantage_given ?? null,
          advantage: numbers?.advantage ?? null,
          ...(typeof reward === "number" ? { reward_equivalent: reward } : {}),
        },
      );
    }),
    redistribution: result.redistribution,
    reward_form: form.exact ? "exact" : form.reason,
    redistributed: redistributionMarker(group, config),
    ...(checks.length === 0 ? {} : { checks: checks.map((check) => checkWithIds(check, idOf)) }),
    spend: {
      model_calls: state.model_calls,
      tokens_in: state.tokens_in,
      tokens_out: state.tokens_out,
      tool_calls: state.tool_calls,
      checks: checks.length,
      wall_s: parts.wall_s,
    },
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Whether a contradicted pass may not keep a positive advantage. A fallback or an order alone changes none. */
function isVetoed({ input, state }: AnswerParts): boolean {
  const isDecided = state.status === "graded" || state.status === "skipped";
  return input.contradicted === "veto" && isDecided && !input.rankOnly;
}

/** What followed for contradicted passes: nothing in a group that is not graded, but for a veto. */
function policyThatHeld({ input, state }: AnswerParts, vetoes: boolean): ContradictedPolicy | undefined {
  if (input.rankOnly && input.contradicted === "veto") return "exclude";
  return state.status === "graded" || vetoes ? input.contradicted : undefined;
}

/** Where nobody is left to take over what vetoed rollouts had, the positive sum is smaller than it was. */
function lostMass(vetoed: ReadonlySet<string>, { redistribution }: RedistributedGroup): string[] {
  const { positive_sum_before: before, positive_sum_after: after, conserved } = redistribution;
  return vetoed.size === 0 || conserved
    ? []
    : [
        `contradicted: after the veto the positive sum is ${after} in place of ${before}: no other rollout can take it over`,
      ];
}

/** What the redistribution is told about each rollout, with the hack policy applied. In the group's order. */
function policedRollouts(
  { input, session, state, config }: AnswerParts,
  findings: readonly Finding[],
  vetoed: ReadonlySet<string>,
): readonly RolloutInput[] {
  const hacked = new Set(findings.flatMap(({ rollout, hack }) => (hack === undefined ? [] : [rollout])));
  const suspects = input.group.rollouts.map(({ id, passed, tokens, masked }, index) => {
    const label = session?.workspace.labelOf(id) ?? "";
    const placement = state.placements[label];
    return {
      id,
      passed,
      advantage: input.signals[index]?.advantage ?? null,
      tokens,
      masked,
      placement,
      ungraded: passed === true && placement === undefined,
      ...(vetoed.has(label) ? { excluded: true } : {}),
      hacked: placement !== undefined && hacked.has(label),
    };
  });
  return applyHackPolicy(suspects, config);
}

/** Rewards in the group's order, for the reward form. */
function scored({ group, signals }: GradingInput) {
  return group.rollouts.map(({ id, masked }, index) => ({
    id,
    masked,
    reward: signals[index]?.reward ?? null,
  }));
}

/** One rollout of the answer: place, numbers and evidence, with real ids in place of labels. */
function gradedRollout(
  { id, passed, placement }: RolloutInput,
  session: Session | undefined,
  { findings, checks, isOut }: { findings: readonly Finding[]; checks: readonly Check[]; isOut: boolean },
  numbers: Pick<GradedRollout, "quality" | "advantage_given" | "advantage" | "reward_equivalent">,
): GradedRollout {
  const label = session?.workspace.labelOf(id);
  const own = findings
    .filter((finding) => finding.rollout === label)
    .map((finding) => findingWithIds(finding, (label) => session?.workspace.idOf(label) ?? label));
  const out = isOut && placement === undefined ? "rerun_contradicts" : undefined;
  const ungraded = session?.eligibility.ungraded.get(id) ?? out;
  const rerun = rerunOf(checks, label ?? "");
  return {
    id,
    ...(label === undefined ? {} : { label }),
    passed,
    ...placement,
    ...numbers,
    ...(ungraded === undefined ? {} : { ungraded }),
    ...(rerun === undefined ? {} : { rerun }),
    findings: own,
    flags: own.flatMap(({ hack, claim, citations }) =>
      hack === undefined ? [] : [{ kind: hack, claim, citations }],
    ),
  };
}
