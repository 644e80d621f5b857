import { createReadStream } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { GraderError, type Warning } from "../../errors.ts";
import { isPlainDirectory } from "../directory.ts";
import { statOrMissing } from "../files.ts";
import type { Warn } from "../notes.ts";
import { dig, isObject } from "../shape.ts";
import { readTrajectoryText } from "../trajectories/detect.ts";
import { instanceOf } from "../results/index.ts";
import { filesBelow } from "./files.ts";
import { filePieces, folderPieces } from "./folder.ts";
import { harborPieces, isTrial, trialsBelow } from "./harbor.ts";
import type { Piece, RunKind } from "./piece.ts";
import { rowPieces, rowsIn, runOfRows } from "./rows.ts";

/** What `--from` takes. `auto` finds out by content and layout. */
export const SOURCE_KINDS = [
  "auto",
  "native",
  "swebench",
  "sweagent",
  "mini-swe-agent",
  "openhands",
  "harbor",
  "inspect",
  "rows",
] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** An input that is a run. `folder` is where its paths begin. */
export interface RunInput {
  /** Real path of the file or folder. */
  path: string;
  name: string;
  folder: string;
  pieces: Piece[];
  warnings: Warning[];
}

/** How much of a file is looked at to tell what it is, in bytes. */
const PEEK = 4 * 2 ** 20;
const PEEK_LINES = 50;

/** Whether an input is a native group: what holds `group_id`, and whatever is nothing else. */
export async function isNative(input: string): Promise<boolean> {
  if (input === "-") return true;
  const stats = await statOrMissing(input);
  if (stats === undefined) return true;
  if (!stats.isDirectory()) return !(await isRunFile(input));
  const names = new Set(await readdir(input));
  return names.has("group.json") || (await isPlainDirectory(input));
}

/** Whether a file is something of a run: a record, predictions, a report, a patch, rows with instances. */
export async function isRunFile(path: string): Promise<boolean> {
  const head = await headOf(path);
  if (/"group_id"\s*:/.test(head.slice(0, 65536))) return false;
  // An .eval file is a zip archive.
  if (INSPECT_LOG.test(head) || head.startsWith("PK")) return true;
  const lines = head.split("\n", PEEK_LINES);
  // One line that is longer than what is looked at: its fields must do.
  if (lines.length === 1 && head.length >= PEEK / 2) return /"instance_?[iI]d"\s*:/.test(head);
  if (lines.some((line) => rowsIn(line).rows.some(isRunValue)) || isRunValue(parse(head))) return true;
  if (isTrajectory(head)) return true;
  // What has a meaning inside of a run has it alone: a report, a patch, an output of tests.
  return !path.endsWith(".jsonl") && (await filePieces(dirname(path), basename(path), ignore)).length > 0;
}

const ignore: Warn = () => undefined;

/** Whether a file begins like the record of one agent, in any format but prose. */
function isTrajectory(head: string): boolean {
  const whole = head.length < PEEK / 2 ? head : head.slice(0, head.lastIndexOf("\n"));
  if (!/^\s*[[{]/.test(whole)) return false;
  const format = readTrajectoryText(whole, () => undefined)?.format;
  return format !== undefined && format !== "text";
}

/** How the JSON of a log begins. */
const INSPECT_LOG = /^\s*\{\s*"version"\s*:\s*\d+\s*,[^]{0,200}?"eval"\s*:\s*\{/;

function isRunValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => instanceOf(item) !== undefined);
  if (!isObject(value)) return false;
  return (
    instanceOf(value) !== undefined ||
    Object.values(value).some((item) => dig(item, "model_patch") !== undefined)
  );
}

/**
 * Reads an input as a run. Undefined when it is a folder that holds nothing of a run.
 * @throws GraderError `bad_input` when it does not exist or is not of the kind that is named.
 */
export async function readRunInput(input: string, kind: SourceKind): Promise<RunInput | undefined> {
  const warnings: Warning[] = [];
  const warn: Warn = (warning) => void warnings.push(warning);
  if (input === "-")
    throw new GraderError("bad_input", "a run is read from files, not from standard input", {});
  const stats = await statOrMissing(input);
  if (stats === undefined) throw new GraderError("bad_input", "no such file or folder", { file: input });
  // Paths of pieces are compared with real ones when their group is read.
  const path = await realpath(input);
  const pieces = stats.isDirectory() ? await fromFolder(path, kind, warn) : await fromFile(path, warn);
  if (pieces.length === 0 && kind === "auto") return undefined;
  const wanted = WANTED[kind];
  if (pieces.length === 0 || (wanted !== undefined && !pieces.some(({ of }) => wanted.includes(of))))
    throw new GraderError("bad_input", `nothing of ${kind} was found`, { file: input, field: "--from" });
  return stats.isDirectory()
    ? { path, name: basename(path), folder: path, pieces, warnings }
    : { path, name: runOfRows(path), folder: dirname(path), pieces, warnings };
}

/** What tells that a run is of a kind. A harness's folder also holds what others left in it. */
const WANTED: Partial<Record<SourceKind, readonly RunKind[]>> = {
  sweagent: ["sweagent"],
  "mini-swe-agent": ["mini-swe-agent"],
  openhands: ["openhands"],
  harbor: ["harbor"],
  inspect: ["inspect"],
  rows: ["rows", "openhands"],
};

async function fromFolder(folder: string, kind: SourceKind, warn: Warn): Promise<Piece[]> {
  if (kind === "harbor" || (kind === "auto" && (await isHarbor(folder)))) return harborPieces(folder, warn);
  return withoutRepeats(await folderPieces(folder, warn));
}

async function fromFile(path: string, warn: Warn): Promise<Piece[]> {
  if (!path.endsWith(".jsonl")) {
    const pieces = await filePieces(dirname(path), basename(path), warn);
    if (pieces.length > 0) return pieces;
  }
  const rows = await rowPieces(path, "", warn);
  if (rows.length > 0) return rows;
  if (!isTrajectory(await headOf(path)))
    throw new GraderError("bad_input", "names instances, and holds no patch, steps or outcome of any", {
      file: path,
    });
  // One agent's record: a group of its own, called after its file.
  const instance = basename(path, extname(path));
  const part = { kind: "trajectory", path } as const;
  return [{ run: "", instance, attempt: "", source: path, of: "rows", part }];
}

/** Most results of trials that are read to tell whether a folder is one of Harbor or Terminal-Bench. */
const MAX_TRIALS = 5;

/** A trial has a folder of its verifier, which no other layout has, or its own result. */
async function isHarbor(folder: string): Promise<boolean> {
  let results = 0;
  for await (const name of filesBelow(folder, ignore)) {
    if (/(?:^|[\\/])verifier[\\/]/.test(name)) return (await trialsBelow(folder, ignore)).size > 0;
    if (!/^results?\.json$/.test(basename(name)) || results++ >= MAX_TRIALS) continue;
    if (await isTrial(join(folder, name))) return true;
  }
  return false;
}

/** OpenHands writes every attempt to a file of its own and the chosen ones again to `output.jsonl`. */
function withoutRepeats(pieces: readonly Piece[]): Piece[] {
  const single = new Set(
    pieces
      .filter(({ source }) => /\.critic_attempt_\d+\.jsonl:/.test(source))
      .map(({ instance }) => instance),
  );
  return pieces.filter(
    ({ source, instance }) => !/[\\/]output\.jsonl:\d+$/.test(source) || !single.has(instance),
  );
}

async function headOf(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: PEEK - 1 }) as AsyncIterable<Buffer>)
    chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
