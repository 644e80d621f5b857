import * as z from "zod";
import type { Entry, ToolCall } from "./inspector.ts";

/** Changed lines of one rollout up to which its patch is shown without being asked for, and of all of them together. */
const MAX_LINES = 400;
const MAX_LINES_TOTAL = 3000;

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

/**
 * Calls that every grading begins with, decided by code so that no model call is spent on them: the task, the
 * rollouts and the leads, then the patches of what has to be placed, one for each distinct tree. Undefined when done.
 */
export function surveyCalls(entries: readonly Entry[]): Omit<ToolCall, "id">[] | undefined {
  const steps = entries.filter((entry) => entry.type === "assistant").length;
  if (steps === 0) return ["task", "list_rollouts", "leads"].map((name) => ({ name, args: {} }));
  if (steps > 1) return undefined;
  const listed = entries.find((entry) => entry.type === "reply" && entry.call.name === "list_rollouts");
  const rows = listed?.type === "reply" ? Rollouts.safeParse(listed.answer.data) : undefined;
  if (rows?.success !== true) return undefined;
  let total = 0;
  const shown = new Set<string>();
  for (const { rollout, to_place, added, removed, same_tree_as } of rows.data.rollouts) {
    const lines = added + removed;
    if (!to_place || lines > MAX_LINES || same_tree_as.some((twin) => shown.has(twin))) continue;
    if (total + lines > MAX_LINES_TOTAL) break;
    total += lines;
    shown.add(rollout);
  }
  return shown.size === 0
    ? undefined
    : [...shown].map((rollout) => ({ name: "read_patch", args: { rollout } }));
}
