import { GraderError, type Place } from "../errors.ts";
import type { Group, Rollout } from "../schema/group.ts";
import type { LoadedGroup, LoadFailure, PartialGroup } from "./loaded.ts";
import type { Warn } from "./notes.ts";
import type { Outcomes } from "./outcomes.ts";

/** Rollouts with the given outcomes in place of their own. Gaps become warnings. */
function applyOutcomes(
  { group_id, rollouts }: Pick<Group, "group_id" | "rollouts">,
  outcomes: Outcomes,
  warn: Warn,
): Rollout[] {
  const place: Place = { file: outcomes.source, group: group_id };
  const ids = new Set(rollouts.map((rollout) => rollout.id));
  for (const name of outcomes.namesIn(group_id))
    if (!ids.has(name))
      warn({
        code: "outcome_unknown",
        message: "names no rollout of this group",
        where: { ...place, rollout: name },
      });
  return rollouts.map((rollout) => {
    const passed = outcomes.of(rollout.id, group_id);
    if (passed === undefined)
      warn({
        code: "outcome_missing",
        message: `no outcome for this rollout; passed stays ${rollout.passed}`,
        where: { ...place, rollout: rollout.id },
      });
    return passed === undefined ? rollout : { ...rollout, passed };
  });
}

/**
 * Groups with their outcomes. A name that fits no rollout of any of them is told with the last group when it stands in a
 * file, which may be about more than what is read; `--passed` is typed, and there it is an error, because the rollout
 * that was meant would count as failed. One group is held back until it is known whether another follows.
 */
export async function* withOutcomes(
  groups: AsyncIterable<LoadedGroup | LoadFailure>,
  outcomes: Outcomes | undefined,
): AsyncGenerator<LoadedGroup | LoadFailure> {
  if (outcomes === undefined) {
    yield* groups;
    return;
  }
  const unmet = new Set(outcomes.names);
  let held: LoadedGroup | LoadFailure | undefined;
  let readable = 0;
  for await (const loaded of groups) {
    if (held !== undefined) yield held;
    held = applied(loaded, outcomes, unmet);
    if (readOf(held) !== undefined) readable++;
  }
  if (held === undefined) return;
  const message = `names no rollout of ${readable === 1 ? "the group" : "any group"}: ${[...unmet].join(", ")}`;
  if (unmet.size === 0 || readable === 0) yield held;
  else if (outcomes.source === "--passed") {
    // A single group would be graded by outcomes that nobody meant.
    if (readable > 1 || readOf(held) === undefined) yield held;
    yield { error: new GraderError("bad_config", message, { field: "--passed" }), source: held.source };
  } else {
    readOf(held)?.warnings.push({ code: "outcome_unknown", message, where: { file: outcomes.source } });
    yield held;
  }
}

/** What could be read: a group, or one without its repository. */
function readOf(loaded: LoadedGroup | LoadFailure): PartialGroup | undefined {
  return "error" in loaded ? loaded.partial : loaded;
}

function applied(
  loaded: LoadedGroup | LoadFailure,
  outcomes: Outcomes,
  unmet: Set<string>,
): LoadedGroup | LoadFailure {
  const rolloutsOf = ({ group, warnings }: PartialGroup): Rollout[] => {
    for (const { id } of group.rollouts) unmet.delete(id);
    return applyOutcomes(group, outcomes, (warning) => void warnings.push(warning));
  };
  if (!("error" in loaded)) return { ...loaded, group: { ...loaded.group, rollouts: rolloutsOf(loaded) } };
  const { partial } = loaded;
  return partial === undefined
    ? loaded
    : { ...loaded, partial: { ...partial, group: { ...partial.group, rollouts: rolloutsOf(partial) } } };
}
