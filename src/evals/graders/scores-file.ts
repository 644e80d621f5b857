import { createHash } from "node:crypto";
import * as z from "zod";
import { GraderError } from "../../index.ts";
import { checked, parsed, readText } from "../read-json.ts";
import { passing, placed, unplaced, type Grader } from "./grader.ts";
import { placesOf, type Standing } from "./places.ts";
import { tierOf, type ScoreTiers } from "./score-tiers.ts";

const Tier = z.union([z.literal(1), z.literal(2), z.literal(3)]);
const Row = z
  .looseObject({
    group_id: z.string(),
    rollout_id: z.string().optional(),
    id: z.string().optional(),
    score: z.number(),
    tier: Tier.optional(),
  })
  .refine(({ rollout_id, id }) => rollout_id !== undefined || id !== undefined, {
    error: "rollout_id is missing",
    path: ["rollout_id"],
  });
const Rows = z.array(Row);
const Nested = z.record(z.string(), z.record(z.string(), z.number()));
type Row = z.infer<typeof Row>;

/**
 * Scores made elsewhere as a grader, higher is better. The file is JSON Lines or a JSON list of
 * `{group_id, rollout_id | id, score, tier?}`, or one JSON object `{group_id: {rollout: score}}`.
 *
 * @throws GraderError `bad_input` with the line and the field, also for two scores of one rollout.
 */
export async function scoresGrader(
  name: string,
  file: string,
  thresholds: ScoreTiers | undefined,
): Promise<Grader> {
  const text = await readText(file);
  const groups = new Map<string, Record<string, Standing>>();
  for (const { row, where } of rowsOf(text, file)) {
    const id = row.rollout_id ?? row.id ?? "";
    const group = groups.get(row.group_id) ?? {};
    if (Object.hasOwn(group, id))
      throw new GraderError("bad_input", "has two scores", { ...where, group: row.group_id, rollout: id });
    group[id] = { tier: row.tier ?? tierOf(row.score, thresholds), score: row.score };
    groups.set(row.group_id, group);
  }
  return {
    name,
    prompt_hash: createHash("sha256")
      .update(JSON.stringify([text, thresholds]))
      .digest("hex"),
    cost: "unknown",
    quick: true,
    async grade(loaded) {
      const scores = groups.get(loaded.group.group_id);
      if (scores === undefined) return unplaced("skipped", `${file} has no scores of this group`);
      const ids = new Set(loaded.group.rollouts.map(({ id }) => id));
      for (const rollout of Object.keys(scores))
        if (!ids.has(rollout))
          throw new GraderError("bad_input", "has a score but is no rollout of this group", {
            file,
            group: loaded.group.group_id,
            rollout,
          });
      const known = passing(loaded).filter((id) => Object.hasOwn(scores, id));
      if (known.length === 0) return unplaced("skipped", `${file} has no score of a passing rollout`);
      const standings = known.flatMap((id): [string, Standing][] => {
        const standing = scores[id];
        return standing === undefined ? [] : [[id, standing]];
      });
      return placed(placesOf(Object.fromEntries(standings)));
    },
  };
}

type Where = { file: string; line?: number };

function* rowsOf(text: string, file: string): Generator<{ row: Row; where: Where }> {
  const lines = text.split("\n");
  if (isLines(lines)) {
    for (const [index, line] of lines.entries()) {
      if (line.trim() === "") continue;
      const where = { file, line: index + 1 };
      yield { row: checked(parsed(line, file, index + 1), Row, where), where };
    }
    return;
  }
  const value = parsed(text, file);
  const rows = Array.isArray(value)
    ? checked(value, Rows, { file })
    : nested(checked(value, Nested, { file }));
  for (const row of rows) yield { row, where: { file } };
}

function nested(scores: z.infer<typeof Nested>): Row[] {
  return Object.entries(scores).flatMap(([group_id, group]) =>
    Object.entries(group).map(([id, score]) => ({ group_id, id, score })),
  );
}

/** JSON Lines are told by their first line, which is a whole row. */
function isLines(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== "") ?? "";
  try {
    return z.looseObject({ group_id: z.string() }).safeParse(JSON.parse(first)).success;
  } catch {
    return false;
  }
}
