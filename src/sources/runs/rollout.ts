import { relative } from "node:path";
import type { Rollout } from "../../schema/group.ts";
import type { Warn } from "../notes.ts";
import { patchOf, readRowVerdict, type ResultVerdict, settle } from "../results/index.ts";
import { asString, dig, firstText, type JsonObject, optional } from "../shape.ts";
import type { Attempt, Part, Piece } from "./piece.ts";
import { stepsOf } from "./rows.ts";

/** An attempt as a rollout, with what its records say beside. */
export interface BuiltRollout {
  rollout: Rollout;
  verdicts: ResultVerdict[];
  facts: TaskFacts;
}

/** What records say of the task itself; absent where they do not. */
export interface TaskFacts {
  statement?: string;
  /** Repository by name and base commit: enough to know what to give, not where it is. */
  repository?: string;
  commit?: string;
}

/**
 * Reads the records of an attempt and makes its rollout. A patch file goes before a prediction, a trajectory file before
 * the steps in a record; what is given twice in one kind is told.
 */
export async function buildRollout({ id, pieces }: Attempt, root: string, warn: Warn): Promise<BuiltRollout> {
  const records: { record: JsonObject; hasTrajectory: boolean }[] = [];
  const verdicts: ResultVerdict[] = [];
  for (const { part, source } of pieces) {
    if (part.kind === "verdict") verdicts.push(part.verdict);
    if (part.kind !== "record") continue;
    const record = await part.read();
    records.push({ record, hasTrajectory: part.hasTrajectory });
    const verdict = readRowVerdict(record);
    if (verdict !== undefined) verdicts.push({ ...verdict, file: relative(root, source) });
  }
  const fileOf = (kind: "patch" | "trajectory" | "test_output"): string | undefined => {
    const found = pieces.filter(({ part }) => part.kind === kind);
    const [first] = found.map(({ part }) => pathOf(part));
    if (found.length > 1) warn(ambiguous(id, found, root));
    return first === undefined ? undefined : relative(root, first);
  };

  const { passed, disagreement } = settle(verdicts);
  if (disagreement !== undefined)
    warn({
      code: "verdicts_disagree",
      message: `${disagreement}; passed is unknown unless --outcomes says`,
      where: { rollout: id },
    });
  const row = records.find(({ hasTrajectory }) => hasTrajectory)?.record;
  const steps = row === undefined ? stepsIn(pieces) : stepsOf(row);
  const [patchFile, trajectoryFile] = [fileOf("patch"), fileOf("trajectory")];
  const patches = records.flatMap(
    ({ record }) => patchOf(record) ?? (patchOf(record) === null ? [null] : []),
  );
  const [patch] = patches;
  if (new Set(patches).size > 1)
    warn(
      ambiguous(
        id,
        pieces.filter(({ part }) => part.kind === "record"),
        root,
      ),
    );
  const outputFile = fileOf("test_output");
  const output = firstText(...records.map(({ record }) => record["test_output"]));
  return {
    verdicts,
    facts: factsOf(records.map(({ record }) => record)),
    rollout: {
      id,
      ...(patchFile !== undefined ? { patch_path: patchFile } : optional("patch", patch)),
      ...(trajectoryFile !== undefined ? { trajectory_path: trajectoryFile } : optional("trajectory", steps)),
      ...(outputFile !== undefined ? { test_output_path: outputFile } : optional("test_output", output)),
      passed,
      ...optional("reward", finite(records.map(({ record }) => record["reward"]))),
    },
  };
}

function stepsIn(pieces: readonly Piece[]): JsonObject | undefined {
  for (const { part } of pieces) if (part.kind === "steps") return part.value;
  return undefined;
}

function pathOf(part: Part): string | undefined {
  return "path" in part ? part.path : undefined;
}

function ambiguous(id: string, found: readonly Piece[], root: string) {
  const names = found.map(({ source }) => relative(root, source));
  return {
    code: "part_ambiguous",
    message: `${names.join(", ")}: ${names[0] ?? ""} is used`,
    where: { rollout: id },
  };
}

function finite(values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === "number" && Number.isFinite(value));
}

function factsOf(records: readonly JsonObject[]): TaskFacts {
  const first = (...keys: string[]): string | undefined =>
    firstText(
      ...records.flatMap((record) => keys.flatMap((key) => [record[key], dig(record, "instance", key)])),
    );
  return {
    ...optional("statement", first("problem_statement", "statement") ?? issueOf(records)),
    ...optional("repository", first("repo")),
    ...optional("commit", first("base_commit") ?? asString(records[0]?.["commitHash"])),
  };
}

/** The issue that a resolver's record is about. */
function issueOf(records: readonly JsonObject[]): string | undefined {
  const texts = ["title", "body"].flatMap(
    (key) => firstText(...records.map((record) => dig(record, "issue", key))) ?? [],
  );
  return texts.length === 0 ? undefined : texts.join("\n\n");
}
