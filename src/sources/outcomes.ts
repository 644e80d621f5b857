import { readFile } from "node:fs/promises";
import { GraderError, type Place } from "../errors.ts";
import type { Group, Rollout } from "../schema/group.ts";
import { isMissing } from "./inside.ts";
import type { LoadedGroup, LoadFailure, PartialGroup } from "./loaded.ts";
import type { Warn } from "./notes.ts";
import { isObject, type JsonObject } from "./shape.ts";
import { decodeStrict } from "./unicode.ts";
import { parseStrictJson } from "./validate.ts";

/** Test outcomes by rollout, given beside the groups. */
export interface Outcomes {
  /** Undefined for a rollout that the source does not name. */
  of(rollout: string, group: string): boolean | null | undefined;
  /** The rollouts that the source names whatever their group. */
  names: readonly string[];
  /** The rollouts that it names in one group. */
  namesIn(group: string): readonly string[];
  /** What to blame: a file or an option. */
  source: string;
}

type Passed = Map<string, boolean | null>;

/** `--passed a,b`: the named rollouts passed, all others failed. */
export function passedOutcomes(passed: readonly string[]): Outcomes {
  const names = new Set(passed);
  return { of: (rollout) => names.has(rollout), names: [...names], namesIn: () => [], source: "--passed" };
}

/**
 * An outcomes file: `{id: true|false|null}`, `{rollouts: {id: {resolved: true|false|null}}}`, or either by group,
 * `{group: {id: true|false|null}}`, where groups have rollouts of the same names.
 * @throws GraderError `bad_input` naming file and field.
 */
export async function readOutcomes(file: string): Promise<Outcomes> {
  const root = parseStrictJson(decodeStrict(await readOrRefuse(file), { file }), { file });
  if (!isObject(root)) throw new GraderError("bad_input", "expected an object of outcomes", { file });
  const nested = root["rollouts"];
  const [entries, prefix] = isObject(nested) ? [nested, "rollouts."] : [root, ""];
  const flat: Passed = new Map();
  const byGroup = new Map<string, Passed>();
  for (const [id, value] of Object.entries(entries))
    if (prefix === "" && isByRollout(value)) byGroup.set(id, outcomesIn(value, `${id}.`, file));
    else flat.set(id, outcomeOf(value, `${prefix}${id}`, file));
  return {
    of: (rollout, group) => byGroup.get(group)?.get(rollout) ?? flat.get(rollout),
    names: [...flat.keys()],
    namesIn: (group) => [...(byGroup.get(group)?.keys() ?? [])],
    source: file,
  };
}

function isByRollout(value: unknown): value is JsonObject {
  return isObject(value) && Object.keys(value).length > 0 && !Object.hasOwn(value, "resolved");
}

function outcomesIn(entries: JsonObject, prefix: string, file: string): Passed {
  return new Map(
    Object.entries(entries).map(([id, value]) => [id, outcomeOf(value, `${prefix}${id}`, file)]),
  );
}

function outcomeOf(value: unknown, named: string, file: string): boolean | null {
  const [inner, field] = isObject(value) ? [value["resolved"], `${named}.resolved`] : [value, named];
  if (typeof inner === "boolean" || inner === null) return inner;
  const shown = JSON.stringify(inner) ?? "nothing";
  throw new GraderError("bad_input", `expected true, false or null, got ${shown}`, { file, field });
}

/** Rollouts with the given outcomes in place of their own. Gaps become warnings. */
export function applyOutcomes(
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

async function readOrRefuse(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const why = isMissing(error) ? "no such file" : String(error);
    throw new GraderError("bad_input", why, { file }, { cause: error });
  }
}
