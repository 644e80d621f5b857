import * as z from "zod";
import type { WorkspaceRollout } from "../workspace/types.ts";
import { cursor, defineTool, paged } from "./tool.ts";
import { omission, page } from "./view.ts";

const Row = z.object({
  rollout: z.string(),
  passed: z.boolean().nullable(),
  to_place: z.boolean(),
  patch: z.string().describe("State of the patch, or why it gives no tree."),
  tree: z.boolean().describe("Whether it gives a tree, so that it can be read and run."),
  files: z.int(),
  added: z.int(),
  removed: z.int(),
  same_tree_as: z.array(z.string()),
  turns: z.int().optional().describe("Agent turns; absent without a trajectory."),
  test_output_bytes: z.int().optional(),
});

export const listRolloutsTool = defineTool({
  name: "list_rollouts",
  title: "All rollouts",
  description:
    "One row a rollout: test outcome, state and size of its patch, rollouts with the same resulting tree, turns. Failing ones are context.",
  readOnly: true,
  input: z.strictObject({ cursor }),
  output: z.object({ rollouts: z.array(Row), ...paged }),
  async run(context, input) {
    const { shown, next_cursor, left_out } = page(context.workspace.rollouts, input.cursor, { count: 100 });
    const rows = shown.map((rollout) => row(rollout, context.workspace.rollouts, context.graded));
    const rest = next_cursor === undefined ? { left_out } : { next_cursor, left_out };
    return {
      data: { rollouts: rows, ...rest },
      text: rows.map(line).join("\n") + omission(rest, "rollouts"),
    };
  },
});

function row(
  rollout: WorkspaceRollout,
  all: readonly WorkspaceRollout[],
  graded: readonly string[],
): z.infer<typeof Row> {
  const { patch, files } = rollout;
  const twins = all.filter(
    (other) => other !== rollout && patch.tree !== undefined && other.patch.tree === patch.tree,
  );
  return {
    rollout: rollout.label,
    passed: rollout.passed,
    to_place: graded.includes(rollout.label),
    patch:
      patch.reason ??
      (patch.step === undefined || patch.step === "exact" ? patch.state : `${patch.state} (${patch.step})`),
    tree: patch.tree !== undefined,
    files: files.length,
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
    same_tree_as: twins.map(({ label }) => label),
    ...(rollout.trajectory === undefined ? {} : { turns: rollout.trajectory.turns }),
    ...(rollout.testOutput === undefined ? {} : { test_output_bytes: rollout.testOutput.bytes }),
  };
}

function line(row: z.infer<typeof Row>): string {
  const outcome = row.passed === null ? "outcome unknown" : row.passed ? "passed" : "failed";
  return [
    `${row.rollout}: ${outcome}${row.to_place ? "" : ", context only"}`,
    `patch ${row.patch}, ${row.files} files +${row.added} -${row.removed}`,
    row.turns === undefined ? "no trajectory" : `${row.turns} turns`,
    ...(row.same_tree_as.length === 0 ? [] : [`same tree as ${row.same_tree_as.join(", ")}`]),
  ].join("; ");
}
