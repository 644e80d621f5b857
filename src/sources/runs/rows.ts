import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Warning } from "../../errors.ts";
import { parseDocument } from "../json-document.ts";
import { type RawLine, splitLines } from "../lines.ts";
import { type Note, notesAt, type Warn } from "../notes.ts";
import { instanceOf, patchOf, readRowVerdict } from "../results/index.ts";
import { asInteger, dig, firstText, isObject, type JsonObject, optional } from "../shape.ts";
import { mendLine } from "../trajectories/json-lines.ts";
import { decodeText } from "../unicode.ts";
import type { LazyRecord, Piece } from "./piece.ts";

/** Longest line that is read, in bytes. */
const MAX_LINE = 256 * 2 ** 20;

/** What tells that a record holds the steps of a run, in whatever format. */
const STEPS = ["messages", "history", "trajectory", "trajectory_steps", "steps", "events"];

/**
 * The rows of a JSON Lines file as pieces. The file is read once, a line at a time, and only offsets are kept: rows of
 * one instance need not be adjacent, and memory is the index (some hundred bytes a row) and the rows of one group.
 * Lines that are no rows are noted and left out.
 */
export async function indexRows(path: string, run: string, note: Note): Promise<Piece[]> {
  const pieces: Piece[] = [];
  const seen = new Map<string, number>();
  const models = new Map<string, string>();
  for await (const line of linesOf(path)) {
    const at = { line: line.number };
    const { bytes, ...place } = line;
    const { rows, damage } = bytes === undefined ? TOO_LONG : rowsOf(bytes);
    if (damage !== undefined) note("record_damaged", damage, at);
    for (const [index, row] of rows.entries()) {
      const instance = instanceOf(row);
      if (instance === undefined) {
        note("instance_missing", "names no instance; left out", at);
        continue;
      }
      const hasTrajectory = holdsSteps(row);
      // What has no steps, no patch and no verdict is some other table about the instances.
      if (!hasTrajectory && patchOf(row) === undefined && readRowVerdict(row) === undefined) continue;
      const given = attemptOf(row, path);
      const nth = (seen.get(`${given}\0${instance}`) ?? 0) + 1;
      seen.set(`${given}\0${instance}`, nth);
      pieces.push({
        run,
        instance,
        attempt: nth === 1 ? given : `${given}${given === "" ? "" : "."}${nth}`,
        source: `${path}:${line.number}`,
        of: row["history"] === undefined ? "rows" : "openhands",
        part: { kind: "record", read: lazyRow(path, place, index), hasTrajectory },
        ...optional("model", modelOf(row, models)),
      });
    }
  }
  return pieces;
}

/** The model of a prediction; the same text for all rows that name the same, so that an index of many holds one. */
function modelOf(row: JsonObject, known: Map<string, string>): string | undefined {
  const model = firstText(row["model_name_or_path"]);
  if (model === undefined) return undefined;
  const first = known.get(model);
  if (first === undefined) known.set(model, model);
  return first ?? model;
}

/** Most places of damage in one file of rows that are told one by one. */
const MAX_NOTES = 20;

/** The rows of a file; one that holds none is something else, and what is wrong with it does not matter. */
export async function rowPieces(path: string, run: string, warn: Warn): Promise<Piece[]> {
  const warnings: Warning[] = [];
  let more = 0;
  const note = notesAt((warning) => void (warnings.length < MAX_NOTES ? warnings.push(warning) : more++), {
    file: path,
  });
  const pieces = await indexRows(path, run, note);
  if (pieces.length === 0) return [];
  warnings.forEach(warn);
  if (more > 0)
    warn({ code: "record_damaged", message: `${more} more lines were left out`, where: { file: path } });
  return pieces;
}

/** The name of the run that a file of rows is: its own, or its folder's where all files have the same name. */
export function runOfRows(path: string): string {
  const stem = basename(path)
    .replace(/\.(?:jsonl?|eval|traj|pred|patch|diff)$/, "")
    .replace(/\.(?:traj|preds|predictions|eval_results)$/, "");
  return COMMON.test(stem) ? basename(dirname(path)) : stem;
}

/** Names that files of rows have in every run. */
export const COMMON =
  /^(?:output(?:\.(?:critic_attempt_\d+|swebench(?:_eval)?|with_completions))?|(?:all_)?preds|predictions|metrics|results|rows|data|patch|trajectory)$/;

/** Attempts have a number in the row or in the file's name, or a name of their own. */
function attemptOf(row: JsonObject, path: string): string {
  const critic = /\.critic_attempt_(\d+)\.jsonl$/.exec(path)?.[1];
  const number = asInteger(row["attempt"]) ?? asInteger(row["epoch"]);
  const named = firstText(row["trajectory_id"], row["traj_id"], row["rollout_id"], row["attempt_id"]);
  return number?.toString() ?? critic ?? named ?? "";
}

export interface Rows {
  rows: JsonObject[];
  /** What in the line is no row. */
  damage?: string;
}

const TOO_LONG: Rows = { rows: [], damage: `more than ${MAX_LINE} bytes` };

/** The rows of one line: one, none in a blank line, and what can be found where writers got in each other's way. */
export function rowsIn(text: string): Rows {
  if (text.trim() === "") return { rows: [] };
  const whole = parsedOr(text);
  if (isObject(whole)) return { rows: [whole] };
  const entries = mendLine(text, 1, new Set());
  const rows = entries.flatMap((entry) => ("value" in entry && isObject(entry.value) ? [entry.value] : []));
  const reasons = entries.flatMap((entry) => ("reason" in entry ? [entry.reason] : []));
  return { rows, damage: reasons.join("; ") || "not a JSON object" };
}

/** The same from bytes: a row of hundreds of megabytes is never one text. */
function rowsOf(bytes: Buffer): Rows {
  const whole = parseDocument(bytes)?.value;
  return isObject(whole) ? { rows: [whole] } : rowsIn(decodeText(bytes).text);
}

/** Made apart from the row at hand: a closure beside it would keep it in memory. */
function lazyRow(path: string, place: Omit<RawLine, "bytes">, index: number): LazyRecord {
  return () => readRow(path, place, index);
}

function holdsSteps(row: JsonObject): boolean {
  return STEPS.some((key) => row[key] !== undefined && row[key] !== null);
}

async function readRow(
  path: string,
  { offset, length }: Omit<RawLine, "bytes">,
  index: number,
): Promise<JsonObject> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, offset);
    return rowsOf(bytes).rows[index] ?? {};
  } finally {
    await file.close();
  }
}

const linesOf = (path: string) => splitLines(createReadStream(path) as AsyncIterable<Buffer>, MAX_LINE);

/** What only a judge may know, and what repeats other fields: not part of what the agent did. */
const NOT_STEPS = new Set([
  "instance",
  "resolved",
  "target",
  "passed",
  "report",
  "reward",
  "eval_logs",
  "test_output",
  "gold_patch",
  "patch",
  "test_patch",
  "FAIL_TO_PASS",
  "PASS_TO_PASS",
]);

/** The part of a row that is the agent's record, for the trajectory readers. */
export function stepsOf(row: JsonObject): JsonObject {
  const entries = Object.entries(row).filter(([key]) => !NOT_STEPS.has(key));
  const record = Object.fromEntries(entries);
  // Some exports keep the list of messages as JSON text.
  for (const key of ["messages", "trajectory", "history"])
    if (typeof record[key] === "string") record[key] = parsedOr(record[key]);
  const test = dig(row, "test_result", "git_patch");
  return isObject(record["test_result"]) ? { ...record, test_result: { git_patch: test } } : record;
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
