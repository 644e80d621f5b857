import { readFile } from "node:fs/promises";
import { GraderError, type Place } from "../errors.ts";
import type { Group } from "../schema/group.ts";
import { isMissing } from "./inside.ts";
import type { Warn } from "./notes.ts";
import { isObject } from "./shape.ts";
import { decodeStrict } from "./unicode.ts";
import { parseStrictJson } from "./validate.ts";

/** Test outcomes by rollout, given beside the groups. */
export interface Outcomes {
  /** Undefined for a rollout that the source does not name. */
  of(rollout: string): boolean | null | undefined;
  /** The rollouts that the source names. */
  names: readonly string[];
  /** What to blame: a file or an option. */
  source: string;
}

/** `--passed a,b`: the named rollouts passed, all others failed. */
export function passedOutcomes(passed: readonly string[]): Outcomes {
  const names = new Set(passed);
  return { of: (rollout) => names.has(rollout), names: [...names], source: "--passed" };
}

/**
 * An outcomes file: `{id: true|false|null}` or `{rollouts: {id: {resolved: true|false|null}}}`.
 * @throws GraderError `bad_input` naming file and field.
 */
export async function readOutcomes(file: string): Promise<Outcomes> {
  const root = parseStrictJson(decodeStrict(await readOrRefuse(file), { file }), { file });
  if (!isObject(root)) throw new GraderError("bad_input", "expected an object of outcomes", { file });
  const nested = root["rollouts"];
  const [entries, prefix] = isObject(nested) ? [nested, "rollouts."] : [root, ""];
  const outcomes = new Map<string, boolean | null>();
  for (const [id, value] of Object.entries(entries)) {
    const inner = isObject(value) ? value["resolved"] : value;
    const field = `${prefix}${id}${isObject(value) ? ".resolved" : ""}`;
    if (typeof inner !== "boolean" && inner !== null)
      throw new GraderError(
        "bad_input",
        `expected true, false or null, got ${JSON.stringify(inner) ?? "nothing"}`,
        {
          file,
          field,
        },
      );
    outcomes.set(id, inner);
  }
  return { of: (rollout) => outcomes.get(rollout), names: [...outcomes.keys()], source: file };
}

/** The group with the given outcomes in place of its own. Names that do not meet become warnings. */
export function applyOutcomes(group: Group, outcomes: Outcomes, warn: Warn): Group {
  const place: Place = { file: outcomes.source, group: group.group_id };
  const ids = new Set(group.rollouts.map((rollout) => rollout.id));
  for (const name of outcomes.names)
    if (!ids.has(name))
      warn({
        code: "outcome_unknown",
        message: "names no rollout of this group",
        where: { ...place, rollout: name },
      });
  const rollouts = group.rollouts.map((rollout) => {
    const passed = outcomes.of(rollout.id);
    if (passed === undefined)
      warn({
        code: "outcome_missing",
        message: `no outcome for this rollout; passed stays ${rollout.passed}`,
        where: { ...place, rollout: rollout.id },
      });
    return passed === undefined ? rollout : { ...rollout, passed };
  });
  return { ...group, rollouts };
}

async function readOrRefuse(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const why = isMissing(error) ? "no such file" : String(error);
    throw new GraderError("bad_input", why, { file }, { cause: error });
  }
}
