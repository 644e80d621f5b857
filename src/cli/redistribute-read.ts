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
  /** The same rollouts with their rewards; none where no estimator reads them. */
  readonly scored: readonly ScoredRollout[];
  /** The advantages were made here. */
  readonly estimated: boolean;
  /** The line says that its grader did not judge this group. */
  readonly skipped: boolean;
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
  const sources = list.map((fields, index) => sourceOf(fields, index, place));
  const read = sources.map(readRollout);
  const rated = options.qualityRule === undefined ? read : withScores(sources, read, options);
  return {
    group_id,
    ...withAdvantages(sources, rated, options.config, place),
    skipped: status === "skipped" || status === "fallback",
  };
}

/** One rollout's fields, and how its places are named. */
interface Source {
  readonly fields: Fields;
  readonly at: At;
}

function sourceOf(fields: unknown, index: number, place: Place): Source {
  if (!isFields(fields)) return refuse("must be an object", { ...place, field: `rollouts[${index}]` });
  const at = (field: string) => ({
    ...place,
    ...(typeof fields["id"] === "string" && { rollout: fields["id"] }),
    field: `rollouts[${index}].${field}`,
  });
  return { fields, at };
}

function readRollout({ fields, at }: Source): SuspectRollout {
  return {
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

/** Unlike elsewhere, null is a value here, unknown, and absence is a fault. */
function passedOf(value: unknown, at: At): boolean | null {
  if (typeof value === "boolean" || value === null) return value;
  return refuse(
    value === undefined ? "is missing: true, false or null" : "must be true, false or null",
    at("passed"),
  );
}

/** The advantage that the trainer gave: in a grade, `advantage` is what has become of it. */
function advantageOf({ advantage_given, advantage }: Fields, at: At): number | null {
  return numberOf(advantage_given, "advantage_given", at) ?? numberOf(advantage, "advantage", at) ?? null;
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

/** Advantages as given; where no rollout has one, made from the rewards. The two are never mixed. */
function withAdvantages(
  sources: readonly Source[],
  rollouts: readonly SuspectRollout[],
  { estimator }: RedistributionConfig,
  place: Place,
): Pick<LineGroup, "rollouts" | "scored" | "estimated"> {
  const scored = estimator === null ? [] : rewardsOf(sources, rollouts);
  const isGiven = rollouts.some(({ advantage }) => advantage !== null);
  if (!isGiven && estimator !== null) {
    const advantages = estimateAdvantages(scored, estimator, {}, place);
    const estimated = rollouts.map((rollout, index) => ({
      ...rollout,
      advantage: advantages[index] ?? null,
    }));
    return { rollouts: estimated, scored, estimated: true };
  }
  const silent = sources.find(
    ({ fields }) => fields["advantage"] === undefined && fields["advantage_given"] === undefined,
  );
  if (silent !== undefined) {
    const hint = isGiven ? "null says that there is none" : "give it, or --estimator to make it from rewards";
    return refuse(`is missing: ${hint}`, silent.at("advantage"));
  }
  return { rollouts, scored, estimated: false };
}

/** Rewards as given; where no rollout has one, a pass counts 1 and a failure 0. */
function rewardsOf(sources: readonly Source[], rollouts: readonly SuspectRollout[]): ScoredRollout[] {
  const rewards = sources.map(({ fields, at }) => numberOf(fields["reward"], "reward", at));
  const isGiven = rewards.some((reward) => reward !== undefined);
  return rollouts.map(({ id, passed, masked }, index) => ({
    id,
    reward: isGiven || passed === null ? rewards[index] : Number(passed),
    masked,
  }));
}

/** Qualities by the rule for scores, in place of any others, for rollouts that passed and that a grader could judge. */
function withScores(
  sources: readonly Source[],
  rollouts: readonly SuspectRollout[],
  { scoreField, qualityRule = "given", qualityLo }: ReadOptions,
): SuspectRollout[] {
  const judged = rollouts.map(
    ({ passed, masked, ungraded }) => passed === true && masked !== true && ungraded !== true,
  );
  // One rollout alone is compared with nothing.
  const needed = judged.filter(Boolean).length > 1;
  const scores = sources.map(({ fields, at }, index) => {
    if (!needed || judged[index] !== true) return undefined;
    return numberOf(fields[scoreField], scoreField, at) ?? refuse("is missing", at(scoreField));
  });
  const given = scores.filter((score) => score !== undefined);
  const qualities = scoreQualities(given, qualityRule, qualityLo)[Symbol.iterator]();
  return rollouts.map((rollout, index) => ({
    ...rollout,
    placement: undefined,
    quality: scores[index] === undefined ? undefined : qualities.next().value,
  }));
}
