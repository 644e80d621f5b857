import { posix } from "node:path";
import * as z from "zod";
import { importedFiles } from "./imports.ts";
import type { Entry, ToolCall } from "./inspector.ts";

/** Changed lines of one rollout up to which its patch is shown without being asked for, and of all of them together. */
const MAX_LINES = 400;
const MAX_LINES_TOTAL = 3000;
/** Files of the base that are shown: its rules, and what most rollouts touch. */
const MAX_DOCUMENTS = 2;
const MAX_FILES = 5;
const LINES_OF_FILE = 250;
/** Files that the touched ones and the patches import, and their bytes together. */
const MAX_IMPORTED = 8;
const MAX_IMPORTED_BYTES = 40_000;

type Wanted = Omit<ToolCall, "id">;

const Rollouts = z.object({
  rollouts: z.array(
    z.object({
      rollout: z.string(),
      to_place: z.boolean(),
      added: z.int(),
      removed: z.int(),
      same_tree_as: z.array(z.string()),
    }),
  ),
});
const Task = z.object({ documents: z.array(z.string()) });
const Patch = z.object({
  lines: z.array(z.object({ kind: z.string(), file: z.string(), text: z.string() })),
});

const File = z.object({ path: z.string(), lines: z.array(z.string()) });
const Files = z.object({ files: z.array(z.object({ path: z.string(), bytes: z.int() })) });

/**
 * Calls that every grading begins with, decided by code so that no model call is spent on them: the task, the
 * rollouts and the leads; then the patches of what has to be placed, one for each distinct tree; then the base's files
 * that these touch, with the project's rules; then what these and the patches import. Undefined when done.
 */
export function surveyCalls(entries: readonly Entry[]): Wanted[] | undefined {
  const steps = entries.filter((entry) => entry.type === "assistant").length;
  if (steps === 0) return ["task", "list_rollouts", "leads"].map((name) => ({ name, args: {} }));
  const calls = steps === 1 ? patchCalls(entries) : onlySurveyed(entries) ? moreCalls(entries, steps) : [];
  return calls.length === 0 ? undefined : calls;
}

function moreCalls(entries: readonly Entry[], steps: number): Wanted[] {
  if (steps === 2) return baseCalls(entries);
  return steps === 3 ? importCalls(entries) : [];
}

/** Each patch leaves out what one before it has shown. */
function patchCalls(entries: readonly Entry[]): Wanted[] {
  const rows = answersOf(entries, "list_rollouts", Rollouts).flatMap(({ rollouts }) => rollouts);
  const shown: string[] = [];
  const calls: Wanted[] = [];
  let total = 0;
  for (const { rollout, to_place, added, removed, same_tree_as } of rows) {
    const lines = added + removed;
    if (!to_place || lines > MAX_LINES || same_tree_as.some((twin) => shown.includes(twin))) continue;
    if (total + lines > MAX_LINES_TOTAL) break;
    total += lines;
    calls.push({
      name: "read_patch",
      args: { rollout, ...(shown.length === 0 ? {} : { unlike: [...shown] }) },
    });
    shown.push(rollout);
  }
  return calls;
}

function baseCalls(entries: readonly Entry[]): Wanted[] {
  const documents = answersOf(entries, "task", Task).flatMap((task) =>
    task.documents.slice(0, MAX_DOCUMENTS),
  );
  const touched = new Map<string, number>();
  for (const { lines } of answersOf(entries, "read_patch", Patch))
    for (const { kind, file, text } of lines)
      if (kind === "file" && / modified,/.test(text)) touched.set(file, (touched.get(file) ?? 0) + 1);
  const files = [...touched]
    .filter(([file]) => !documents.includes(file))
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_FILES)
    .map(([file]) => file);
  const folder = posix.dirname(files.find((file) => posix.extname(file) !== "") ?? "");
  return [...[...documents, ...files].map(readCall), ...(files.length === 0 ? [] : [listCall(folder)])];
}

/** What lies around the changes; of a large repository only that. */
const listCall = (folder: string): Wanted => ({
  name: "list_files",
  args: { tree: "base", ...(folder === "." ? {} : { folder }) },
});

const readCall = (path: string): Wanted => ({
  name: "read_file",
  args: { tree: "base", path, lines: LINES_OF_FILE },
});

/** What a change has to get on with is mostly in the files next to it. */
function importCalls(entries: readonly Entry[]): Wanted[] {
  const read = answersOf(entries, "read_file", File);
  const patches = answersOf(entries, "read_patch", Patch).flatMap(({ lines }) => lines);
  const sources = [
    ...read.flatMap(({ path, lines }) => lines.map((text) => ({ file: path, text }))),
    ...patches.filter(({ kind }) => kind === "added"),
  ];
  const bytes = new Map(
    answersOf(entries, "list_files", Files).flatMap(({ files }) =>
      files.map((file): [string, number] => [file.path, file.bytes]),
    ),
  );
  for (const { path } of read) bytes.delete(path);
  let room = MAX_IMPORTED_BYTES;
  const fits = (path: string) => {
    const size = bytes.get(path) ?? 0;
    if (size > room) return false;
    room -= size;
    return true;
  };
  return importedFiles(sources, [...bytes.keys()])
    .filter(fits)
    .slice(0, MAX_IMPORTED)
    .map(readCall);
}

/** A group whose patches were all too large to be shown goes straight to the model. */
function onlySurveyed(entries: readonly Entry[]): boolean {
  return entries.every((entry) => entry.type !== "assistant" || entry.turn.model_calls === 0);
}

function answersOf<T>(entries: readonly Entry[], name: string, schema: z.ZodType<T>): T[] {
  return entries.flatMap((entry) => {
    if (entry.type !== "reply" || entry.call.name !== name) return [];
    const parsed = schema.safeParse(entry.answer.data);
    return parsed.success ? [parsed.data] : [];
  });
}
