import { MAX_BYTES } from "../files.ts";
import type { Note } from "../notes.ts";
import {
  asInteger,
  asList,
  asString,
  dig,
  firstText,
  isObject,
  type JsonObject,
  optional,
} from "../shape.ts";
import { decodeText } from "../unicode.ts";
import { chunkedSamples, joinChunks } from "./chunks.ts";
import { readLogJson } from "./json.ts";
import { resolveSample } from "./resolve.ts";
import { isZip, unpack, type ZipEntry, zipEntries } from "./zip.ts";

/** What one scorer said of a sample. */
export interface InspectScore {
  /** "C", "I", a number, a boolean, an object of these; null where it could not be scored (NaN in the log). */
  value: unknown;
  answer?: string;
  explanation?: string;
  metadata?: JsonObject;
}

/** One sample in one epoch: one run of the agent. Samples with the same id are the same task. */
export interface InspectSample {
  id: string | number;
  /** From 1. */
  epoch: number;
  /** Text or messages. */
  input: unknown;
  target: unknown;
  /** As in the log, attachments put back. */
  messages: unknown[];
  /** As in the log, attachments and the inputs of model events put back. */
  events: unknown[];
  /** By scorer. */
  scores: Record<string, InspectScore>;
  metadata: JsonObject;
  /** Why the sample failed: the harness, not the agent. */
  error?: string;
  /** The limit that ended it: "token", "time", "message", ... */
  limit?: string;
  /** Where it stands: `samples/1_epoch_2.json` in an archive, `samples[3]` in a document. */
  field: string;
  /** What `readTrajectoryValue` takes as a trajectory: the sample without what repeats in it. */
  trajectory: JsonObject;
}

export interface InspectLog {
  version?: number;
  /** "success", "error", "cancelled", "started"; absent when the log has no header. */
  status?: string;
  task?: string;
  model?: string;
  samples: InspectSample[];
}

/**
 * An evaluation log of Inspect AI, `.json` or `.eval` (a zip), told by content; undefined when it is none. Samples stand
 * in the order of the log; one that cannot be read is left out with a note. A log whose run died has no header: then
 * task and model come from its journal.
 */
export function readInspectLog(bytes: Buffer, note: Note): InspectLog | undefined {
  if (isZip(bytes)) return fromZip(bytes, note);
  if (!/^\s*\{/.test(decodeText(bytes.subarray(0, 4096)).text)) return undefined;
  const root = readLogJson(bytes, note);
  return isLog(root) ? { ...headOf(root), samples: samplesOf(root, note) } : undefined;
}

/** Whether a JSON value is a whole log. */
export function isLog(value: unknown): value is JsonObject {
  return isObject(dig(value, "eval")) && dig(value, "eval", "task") !== undefined;
}

/** The samples of a log that is one JSON document. */
export function samplesOf(log: unknown, note: Note): InspectSample[] {
  const { version } = headOf(log);
  return asList(dig(log, "samples")).flatMap((sample, index) =>
    sampleOf(sample, `samples[${index}]`, version, note),
  );
}

function fromZip(bytes: Buffer, note: Note): InspectLog | undefined {
  const entries = zipEntries(bytes, note);
  const head = readEntry(entries, "header.json", note) ?? readEntry(entries, "_journal/start.json", note);
  const chunked = chunkedSamples(entries.map(({ name }) => name));
  const whole = entries.filter(({ name }) => /^samples\/[^/]*\.json$/.test(name));
  if (head === undefined && whole.length === 0 && chunked.size === 0) return undefined;

  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  let left = 4 * MAX_BYTES;
  const read = (name: string): unknown => {
    const entry = byName.get(name);
    if (entry !== undefined && left <= 0)
      note("entry_unreadable", "the archive holds too much; left out", { field: name });
    const unpacked = entry === undefined || left <= 0 ? undefined : unpack(entry, note);
    left -= unpacked?.length ?? 0;
    return unpacked === undefined ? undefined : readLogJson(unpacked, note, name);
  };
  const { version } = headOf(head);
  const asSample = (value: unknown, field: string): InspectSample[] =>
    value === undefined ? [] : sampleOf(value, field, version, note);
  const samples = [
    ...whole.flatMap(({ name }) => asSample(read(name), name)),
    ...[...chunked].flatMap(([name, parts]) => asSample(joinChunks(name, parts, read, note), name)),
  ];
  return { ...headOf(head), samples };
}

function readEntry(entries: ZipEntry[], name: string, note: Note): unknown {
  const entry = entries.find((one) => one.name === name);
  const bytes = entry === undefined ? undefined : unpack(entry, note);
  return bytes === undefined ? undefined : readLogJson(bytes, note, name);
}

function headOf(head: unknown): Omit<InspectLog, "samples"> {
  return {
    ...optional("version", asInteger(dig(head, "version"))),
    ...optional("status", asString(dig(head, "status"))),
    ...optional("task", asString(dig(head, "eval", "task"))),
    ...optional("model", asString(dig(head, "eval", "model"))),
  };
}

function sampleOf(given: unknown, field: string, version: number | undefined, note: Note): InspectSample[] {
  const id = dig(given, "id");
  if (!isObject(given) || (typeof id !== "string" && typeof id !== "number")) {
    note("sample_unreadable", "is no sample: it has no id; left out", { field });
    return [];
  }
  const sample = resolveSample(given);
  const events = asList(sample["events"]);
  const error = firstText(dig(sample["error"], "message"), sample["error"]);
  const limit = firstText(dig(sample["limit"], "type"), sample["limit"]);
  const record = {
    id,
    epoch: asInteger(sample["epoch"]) ?? 1,
    input: sample["input"],
    target: sample["target"],
    messages: asList(sample["messages"]),
    metadata: isObject(sample["metadata"]) ? sample["metadata"] : {},
    ...optional("error", error),
    ...optional("limit", limit),
  };
  const spent = { ...optional("version", version), ...optional("model_usage", sample["model_usage"]) };
  const tools = events.filter((event) => dig(event, "event") === "tool");
  const { metadata: _, target: __, ...trajectory } = record;
  return [
    {
      ...record,
      events,
      scores: scoresOf(sample),
      field,
      trajectory: { ...trajectory, ...spent, events: tools },
    },
  ];
}

function scoresOf(sample: JsonObject): Record<string, InspectScore> {
  // Logs of 2024 may hold a single score without a name.
  const named = isObject(sample["scores"]) ? sample["scores"] : { ...optional("score", sample["score"]) };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, score]) => {
      if (!isObject(score)) return [];
      const { value = null, metadata } = score;
      return [
        [
          name,
          {
            value,
            ...optional("answer", asString(score["answer"])),
            ...optional("explanation", asString(score["explanation"])),
            ...(isObject(metadata) ? { metadata } : {}),
          },
        ],
      ];
    }),
  );
}
