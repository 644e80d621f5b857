import type { Place } from "../errors.ts";
import {
  estimateAdvantages,
  refuseMarked,
  scoreQualities,
  type Placement,
  type QualityRule,
  type RedistributionConfig,
  type ScoredRollout,
  type SuspectRollout,
} from "../redistribute/index.ts";
import {
  flagOf,
  isFields,
  listOf,
  numberOf,
  refuse,
  textOf,
  type At,
  type Fields,
} from "./redistribute-fields.ts";

/** How lines are read. */
export interface ReadOptions {
  readonly config: RedistributionConfig;
  /** Field of a rollout that holds a grader's score. */
  readonly scoreField: string;
  /** Scores are read only where there is a rule for them. */
  readonly qualityRule: QualityRule | undefined;
  readonly qualityLo: number;
}

/** A group as one line of JSON holds it. */
export interface LineGroup {
  readonly group_id: string;
  readonly rollouts: readonly SuspectRollout[];
  /** The same rollouts with their rewards. */
  readonly scored: readonly ScoredRollout[];
  /** The advantages were made here. */
  readonly estimated: boolean;
  /** The line says that its grader did not judge this group. */
  readonly skipped: boolean;
}

/** One rollout as it is read; an advantage is undefined where the line does not speak of it. */
interface Draft extends Omit<SuspectRollout, "advantage"> {
  readonly fields: Fields;
  readonly at: At;
  readonly advantage: number | null | undefined;
}

/**
 * Reads a line's value as a group.
 *
 * @throws GraderError `bad_input` with group, rollout and field, or `already_redistributed`.
 */
export function readLineGroup(value: unknown, options: ReadOptions, where: Place): LineGroup {
  if (!isFields(value)) return refuse("must be an object: one group a line", where);
  const inLine = (field: string) => ({ ...where, field });
  const group_id = textOf(value["group_id"], "group_id", inLine) ?? refuse("is missing", inLine("group_id"));
  const place = { ...where, group: group_id };
  const inGroup = (field: string) => ({ ...place, field });
  refuseMarked(value, place);
  const status = textOf(value["status"], "status", inGroup);
  const list = listOf(value["rollouts"], "rollouts", inGroup) ?? refuse("is missing", inGroup("rollouts"));
  const drafts = list.map((rollout, index) => readRollout(rollout, index, place));
  const scored = rewardsOf(drafts);
  const advantages = advantagesOf(drafts, scored, options.config, place);
  return {
    group_id,
    rollouts: rolloutsOf(drafts, advantages.values, options),
    scored,
    estimated: advantages.estimated,
    skipped: status === "skipped" || status === "fallback",
  };
}

function readRollout(fields: unknown, index: number, place: Place): Draft {
  if (!isFields(fields)) return refuse("must be an object", { ...place, field: `rollouts[${index}]` });
  const at = (field: string) => ({
    ...place,
    ...(typeof fields["id"] === "string" && { rollout: fields["id"] }),
    field: `rollouts[${index}].${field}`,
  });
  return {
    fields,
    at,
    id: textOf(fields["id"], "id", at) ?? refuse("is missing", at("id")),
    passed: passedOf(fields["passed"], at),
    advantage: advantageOf(fields, at),
    placement: placementOf(fields, at),
    quality: numberOf(fields["quality"], "quality", at),
    tokens: numberOf(fields["tokens"], "tokens", at),
    masked: flagOf(fields["masked"], "masked", at),
    ungraded: ungradedOf(fields["ungraded"], at),
    excluded: flagOf(fields["excluded"], "excluded", at),
    hacked: (listOf(fields["flags"], "flags", at)?.length ?? 0) > 0,
  };
}

/** The drafts with their advantages, and with qualities by the rule for scores where there is one. */
function rolloutsOf(
  drafts: readonly Draft[],
  advantages: readonly (number | null)[],
  options: ReadOptions,
): SuspectRollout[] {
  const byScore = options.qualityRule === undefined ? undefined : scoredQualities(drafts, options);
  // Spelled out: copying the rest of each draft takes longer than reading it.
  return drafts.map(
    ({ id, passed, placement, quality, tokens, masked, ungraded, excluded, hacked }, index) => ({
      id,
      passed,
      advantage: advantages[index] ?? null,
      placement: byScore === undefined ? placement : undefined,
      quality: byScore === undefined ? quality : byScore.get(index),
      tokens,
      masked,
      ungraded,
      excluded,
      hacked,
    }),
  );
}

/** Unlike elsewhere, null is a value here, unknown, and absence is a fault. */
function passedOf(value: unknown, at: At): boolean | null {
  if (typeof value === "boolean" || value === null) return value;
  return refuse(
    value === undefined ? "is missing: true, false or null" : "must be true, false or null",
    at("passed"),
  );
}

/** The advantage that the trainer gave: in a grade, `advantage` is what has become of it. */
function advantageOf(fields: Fields, at: At): number | null | undefined {
  const { advantage_given, advantage } = fields;
  const given = numberOf(advantage_given, "advantage_given", at) ?? numberOf(advantage, "advantage", at);
  return given ?? (advantage_given === null || advantage === null ? null : undefined);
}

function placementOf(fields: Fields, at: At): Placement | undefined {
  const tier = numberOf(fields["tier"], "tier", at);
  const rank = numberOf(fields["rank"], "rank", at);
  if (tier === undefined && rank === undefined) return undefined;
  if (tier !== 1 && tier !== 2 && tier !== 3) {
    return refuse(tier === undefined ? "is missing beside rank" : "must be 1, 2 or 3", at("tier"));
  }
  return { tier, rank: rank ?? refuse("is missing beside tier", at("rank")) };
}

/** A reason, as in a grade, or just true. */
function ungradedOf(value: unknown, at: At): boolean {
  if (value === undefined || value === null || typeof value === "boolean") return value === true;
  return typeof value === "string" ? value !== "" : refuse("must be a reason, true or false", at("ungraded"));
}

/** Rewards as given; where no rollout has one, a pass counts 1 and a failure 0. */
function rewardsOf(drafts: readonly Draft[]): ScoredRollout[] {
  const rewards = drafts.map(({ fields, at }) => numberOf(fields["reward"], "reward", at));
  const isGiven = rewards.some((reward) => reward !== undefined);
  return drafts.map(({ id, passed, masked }, index) => ({
    id,
    reward: isGiven || passed === null ? rewards[index] : Number(passed),
    masked,
  }));
}

/** Advantages as given; where no rollout has one, made from the rewards. The two are never mixed. */
function advantagesOf(
  drafts: readonly Draft[],
  rewards: readonly ScoredRollout[],
  { estimator }: RedistributionConfig,
  place: Place,
): { values: readonly (number | null)[]; estimated: boolean } {
  const isGiven = drafts.some(({ advantage }) => typeof advantage === "number");
  if (!isGiven && estimator !== null) {
    return { values: estimateAdvantages(rewards, estimator, {}, place), estimated: true };
  }
  const hint = isGiven ? "null says that there is none" : "give it, or --estimator to make it from rewards";
  const values = drafts.map(({ advantage, at }) =>
    advantage === undefined ? refuse(`is missing: ${hint}`, at("advantage")) : advantage,
  );
  return { values, estimated: false };
}

/** Qualities by position, from the scores of the rollouts that passed and that a grader could judge. */
function scoredQualities(drafts: readonly Draft[], options: ReadOptions): Map<number, number> {
  const { scoreField, qualityRule = "given", qualityLo } = options;
  const judged = [...drafts.entries()].filter(
    ([, { passed, masked, ungraded }]) => passed === true && masked !== true && ungraded !== true,
  );
  // One rollout alone is compared with nothing.
  if (judged.length < 2) return new Map();
  const scores = judged.map(
    ([, { fields, at }]) =>
      numberOf(fields[scoreField], scoreField, at) ?? refuse("is missing", at(scoreField)),
  );
  const qualities = scoreQualities(scores, qualityRule, qualityLo);
  return new Map(judged.map(([index], position) => [index, qualities[position] ?? 1]));
}
