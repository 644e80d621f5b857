import { readFile, stat } from "node:fs/promises";
import { MAX_BYTES } from "../files.ts";
import { type InspectSample, readInspectLog } from "../inspect/index.ts";
import { notesAt, type Warn } from "../notes.ts";
import { patchOf, type ResultVerdict } from "../results/index.ts";
import { asString, dig, firstText, type JsonObject, optional } from "../shape.ts";
import { contentText } from "../trajectories/parts.ts";
import type { Piece } from "./piece.ts";

/**
 * The samples of an Inspect log as pieces, none when it is no such log: one group a sample id, one attempt an epoch.
 * The log is held while its groups are read; it may have 256 MB.
 */
export async function inspectPieces(path: string, run: string, warn: Warn): Promise<Piece[]> {
  if ((await stat(path)).size > MAX_BYTES) {
    warn({ code: "file_too_large", message: `a log of more than ${MAX_BYTES} bytes`, where: { file: path } });
    return [];
  }
  const log = readInspectLog(await readFile(path), notesAt(warn, { file: path }));
  const samples = log?.samples ?? [];
  const epochs = new Map<string, number>();
  for (const { id } of samples) epochs.set(String(id), (epochs.get(String(id)) ?? 0) + 1);
  return samples.flatMap((sample) => {
    const attempt = (epochs.get(String(sample.id)) ?? 0) > 1 ? String(sample.epoch) : "";
    const instance = instanceName(sample, log?.task);
    const at = { run, instance, attempt, source: `${path}:${sample.field}`, of: "inspect" as const };
    const record = recordOf(sample);
    return [
      { ...at, part: { kind: "record", read: async () => record, hasTrajectory: false } },
      { ...at, part: { kind: "steps", value: sample.trajectory } },
      ...verdictsOf(sample, path).map((verdict): Piece => ({ ...at, part: { kind: "verdict", verdict } })),
    ];
  });
}

/** Numbers are counted in every task anew. */
function instanceName({ id }: InspectSample, task: string | undefined): string {
  const isNumber = /^\d+$/.test(String(id));
  return isNumber && task !== undefined ? `${task}/${id}` : String(id);
}

/** What a sample says of its task, and the patch that a scorer kept. Its own metadata may hold the solution. */
function recordOf({ input, metadata, scores }: InspectSample): JsonObject {
  const task = Array.isArray(input)
    ? input
        .filter((message) => dig(message, "role") === "user")
        .map((message) => contentText(dig(message, "content")))
    : [asString(input)];
  const kept = Object.values(scores).map(({ metadata: facts }) => patchOf(facts ?? {}));
  return {
    ...optional("problem_statement", firstText(metadata["problem_statement"], ...task)),
    ...optional("repo", asString(metadata["repo"])),
    ...optional("base_commit", asString(metadata["base_commit"])),
    ...optional(
      "model_patch",
      kept.find((patch) => patch !== undefined),
    ),
  };
}

/** Scores that are grades or truth values; a number between says nothing of tests. */
const GRADES: Record<string, boolean> = {
  C: true,
  I: false,
  N: false,
  "1": true,
  "0": false,
  true: true,
  false: false,
};

function verdictsOf({ scores, error }: InspectSample, file: string): ResultVerdict[] {
  return Object.entries(scores).map(([name, { value }]) => {
    const scalar = ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
    // A sample that the harness failed was not judged, whatever stands there.
    const passed = error === undefined && scalar !== undefined ? (GRADES[scalar] ?? null) : null;
    return { source: "score", passed, file, detail: [name, scalar ?? typeof value].join(" ") };
  });
}
