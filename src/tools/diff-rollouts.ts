import * as z from "zod";
import { diffOutput, showDiff } from "./read-patch.ts";
import { cursor, defineTool, findTree, treeName } from "./tool.ts";

export const diffRolloutsTool = defineTool({
  name: "diff_rollouts",
  title: "Compare two trees",
  description:
    "How one rollout's result differs from another's (or from the base): what is only in `to` is marked +.",
  readOnly: true,
  input: z.strictObject({
    from: treeName,
    to: treeName,
    file: z.string().optional().describe("Only this file."),
    cursor,
  }),
  output: diffOutput,
  async run(context, input) {
    const files = await context.workspace.store.diff(
      findTree(context, input.from),
      findTree(context, input.to),
    );
    const wanted = files.filter((file) => input.file === undefined || file.path === input.file);
    if (wanted.length === 0) return { data: { lines: [], left_out: 0 }, text: "no difference" };
    return showDiff(wanted, input.cursor);
  },
});
