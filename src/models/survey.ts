import * as z from "zod";
import type { Entry, ToolCall } from "./inspector.ts";

/** Changed lines of one rollout up to which its patch is shown without being asked for, and of all of them together. */
const MAX_LINES = 400;
const MAX_LINES_TOTAL = 3000;
/** Files of the base that are shown: its rules, and what most rollouts touch. */
const MAX_DOCUMENTS = 2;
const MAX_FILES = 5;
const LINES_OF_FILE = 250;

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

/**
 * Calls that every grading begins with, decided by code so that no model call is spent on them: the task, the
 * rollouts and the leads; then the patches of what has to be placed, one for each distinct tree; then the base's files
 * that these touch, with the project's rules. Undefined when done.
 */
export function surveyCalls(entries: readonly Entry[]): Wanted[] | undefined {
  const steps = entries.filter((entry) => entry.type === "assistant").length;
  if (steps === 0) return ["task", "list_rollouts", "leads"].map((name) => ({ name, args: {} }));
  const calls =
    steps === 1 ? patchCalls(entries) : steps === 2 && onlySurveyed(entries) ? baseCalls(entries) : [];
  return calls.length === 0 ? undefined : calls;
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
  return [...documents, ...files].map((path) => ({
    name: "read_file",
    args: { tree: "base", path, lines: LINES_OF_FILE },
  }));
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
