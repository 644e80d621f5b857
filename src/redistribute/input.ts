import { GraderError, type Place } from "../errors.ts";
import type { Placement } from "../schema/verdict.ts";

/** What the redistribution needs to know about one rollout. Undefined and false mean the same in every flag. */
export interface RolloutInput {
  readonly id: string;
  /** Test outcome; null is unknown, and such a rollout is left as it is. */
  readonly passed: boolean | null;
  /** The trainer's advantage: finite, or null when it has none. */
  readonly advantage: number | null;
  /** Tier and dense rank in it. Read for rollouts that passed. */
  readonly placement?: Placement | undefined;
  /** Any positive number, larger is better; used where the group has no placements. */
  readonly quality?: number | undefined;
  /** Trainable, unmasked tokens: a whole number, 0 or more. */
  readonly tokens?: number | undefined;
  /** Outside the trainer's loss. */
  readonly masked?: boolean | undefined;
  /** Passed, but not judged: keeps its advantage. */
  readonly ungraded?: boolean | undefined;
  /** A hack whose positive advantage goes to the other passing rollouts. */
  readonly excluded?: boolean | undefined;
}

export interface GroupInput {
  readonly group_id?: string | undefined;
  readonly rollouts: readonly RolloutInput[];
}

/**
 * Refuses a group whose numbers cannot be trusted; nothing is repaired.
 *
 * @throws GraderError `bad_input` with group, rollout and field.
 */
export function checkGroup(group: GroupInput, where: Place = {}): void {
  group.rollouts.forEach((rollout, index) => {
    const problem = problemOf(rollout);
    if (problem === undefined) return;
    const [field, message] = problem;
    throw new GraderError("bad_input", message, placeOf(group, index, field, where));
  });
  const ids = group.rollouts.map(({ id }) => id);
  if (new Set(ids).size === ids.length) return;
  const second = ids.findIndex((id, index) => ids.indexOf(id) < index);
  throw new GraderError(
    "bad_input",
    `is used before, at rollouts[${ids.indexOf(ids[second] ?? "")}]`,
    placeOf(group, second, "id", where),
  );
}

/** The place of one field of one rollout, for an error. */
export function placeOf(
  group: { readonly group_id?: string | undefined; readonly rollouts: readonly { readonly id: string }[] },
  index: number,
  field: string,
  where: Place,
): Place {
  const id = group.rollouts[index]?.id;
  return {
    ...where,
    ...(group.group_id === undefined ? {} : { group: group.group_id }),
    ...(typeof id === "string" ? { rollout: id } : {}),
    field: `rollouts[${index}].${field}`,
  };
}

/** Field and message of the first thing wrong with a rollout. Types are checked too: JavaScript callers have none. */
function problemOf(rollout: RolloutInput): [string, string] | undefined {
  const { id, passed, advantage, placement, quality, tokens, masked, ungraded, excluded } = rollout;
  if (typeof id !== "string" || id === "") return ["id", "must be a text that is not empty"];
  if (typeof passed !== "boolean" && passed !== null) return ["passed", "must be true, false or null"];
  if (advantage !== null && !Number.isFinite(advantage)) {
    return ["advantage", "must be a finite number, or null when there is none"];
  }
  if (placement !== undefined) {
    if (typeof placement !== "object" || placement === null) return ["placement", "must be {tier, rank}"];
    const { tier, rank } = placement;
    if (!isCount(tier) || tier < 1 || tier > 3) return ["tier", "must be 1, 2 or 3"];
    if (!isCount(rank) || rank < 1) return ["rank", "must be a whole number from 1 up"];
  }
  if (quality !== undefined && !Number.isFinite(quality)) return ["quality", "must be a finite number"];
  if (tokens !== undefined && !isCount(tokens)) return ["tokens", "must be a whole number, 0 or more"];
  if (!isFlag(masked)) return ["masked", "must be true or false"];
  if (!isFlag(ungraded)) return ["ungraded", "must be true or false"];
  if (!isFlag(excluded)) return ["excluded", "must be true or false"];
  return undefined;
}

function isFlag(value: boolean | undefined): boolean {
  return value === undefined || typeof value === "boolean";
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
