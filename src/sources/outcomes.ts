import { readFile } from "node:fs/promises";
import { GraderError } from "../errors.ts";
import { isMissing } from "./inside.ts";
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

async function readOrRefuse(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const why = isMissing(error) ? "no such file" : String(error);
    throw new GraderError("bad_input", why, { file }, { cause: error });
  }
}
