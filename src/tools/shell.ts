import * as z from "zod";
import { checkOutput, showCheck } from "./check-view.ts";
import { defineTool } from "./tool.ts";

export const shellTool = defineTool({
  name: "shell",
  title: "Shell among all trees",
  description:
    "Run a shell command in a sandbox that shows all trees side by side, read-only: base/, tests/ (base with the visible tests, if any) and one folder a rollout label, from the folder that holds them. /work is a scratch folder that stays between calls while they end by themselves. For looking, diffing and trying; its output cannot be cited (code of one rollout could touch what another leaves there): run_check's can.",
  readOnly: true,
  input: z.strictObject({
    command: z.string().min(1).max(200_000),
    timeout_s: z.int().min(1).max(600).default(60),
  }),
  output: checkOutput,
  async run(context, input, key) {
    return showCheck(await context.checks.runShell(input, key));
  },
});
