import type { Place } from "../errors.ts";
import {
  applyHackPolicy,
  identity,
  inputHash,
  redistribute,
  rewardForm,
  type RedistributedRollout,
  type RolloutInput,
} from "../redistribute/index.ts";
import { isFields, type Fields } from "./redistribute-fields.ts";
import { parseJsonLine } from "./redistribute-json.ts";
import { readLineGroup, type ReadOptions } from "./redistribute-read.ts";

/** How lines are read, and the hash of the configuration for the marker. */
export interface LineOptions extends ReadOptions {
  readonly configHash: string;
}

/** What became of one line. */
export interface LineResult {
  /** JSON without a line end. */
  readonly text: string;
  /** Whether any advantage is another one now. */
  readonly changed: boolean;
  readonly conserved: boolean;
}

/**
 * One group in, the same with its advantages redistributed out. Fields that are not the redistribution's own stay as
 * they were written.
 *
 * @throws GraderError with the line's place, group, rollout and field.
 */
export function redistributeLine(text: string, options: LineOptions, where: Place): LineResult {
  const { config } = options;
  const json = parseJsonLine(text, where);
  const line = readLineGroup(json.value, options, where);
  if (json.refusal !== undefined) throw json.refusal;
  const { group_id } = line;
  const group = { group_id, rollouts: applyHackPolicy(line.rollouts, config) };
  const result = line.skipped ? identity(group, config, where) : redistribute(group, config, where);
  const rewards = rewardForm(line.scored, result.rollouts, config.estimator, { ...where, group: group_id });
  const carrier = isFields(json.carrier) ? json.carrier : {};
  const carriers = Array.isArray(carrier["rollouts"]) ? carrier["rollouts"].filter(isFields) : [];
  result.rollouts.forEach((rollout, index) => {
    writeRollout(carriers[index] ?? {}, {
      rollout,
      input: group.rollouts[index],
      estimated: line.estimated,
      reward: rewards.rewards?.[index] ?? undefined,
    });
  });
  carrier["redistribution"] = result.redistribution;
  if (config.estimator === null) delete carrier["reward_form"];
  else carrier["reward_form"] = rewards.exact ? "exact" : rewards.reason;
  carrier["redistributed"] = { input_hash: inputHash(group), config_hash: options.configHash };
  return {
    text: json.write(carrier),
    changed: result.rollouts.some(({ advantage, advantage_given }) => !Object.is(advantage, advantage_given)),
    conserved: result.redistribution.conserved,
  };
}

/** What is known about a rollout in the end. */
interface Outcome {
  readonly rollout: RedistributedRollout;
  readonly input: RolloutInput | undefined;
  readonly estimated: boolean;
  readonly reward: number | undefined;
}

/** Writes into the rollout as it was parsed: copies cost more than all the arithmetic. What is unchanged stays as written. */
function writeRollout(carrier: Fields, { rollout, input, estimated, reward }: Outcome): void {
  const written = carrier["advantage_given"] ?? carrier["advantage"] ?? null;
  const given = estimated ? rollout.advantage_given : written;
  if (input?.placement !== undefined) {
    carrier["tier"] = input.placement.tier;
    carrier["rank"] = input.placement.rank;
  }
  if (typeof carrier["quality"] !== "number" && rollout.quality !== undefined)
    carrier["quality"] = rollout.quality;
  carrier["advantage_given"] = given;
  carrier["advantage"] = Object.is(rollout.advantage, rollout.advantage_given) ? given : rollout.advantage;
  // One that the line brought along belongs to other advantages.
  if (reward !== undefined) carrier["reward_equivalent"] = reward;
  else delete carrier["reward_equivalent"];
}
