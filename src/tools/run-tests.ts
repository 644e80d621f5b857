import * as z from "zod";
import { checkOutput, showCheck } from "./check-view.ts";
import { targetInput, targetsOf } from "./targets.ts";
import { defineTool } from "./tool.ts";

export const runTestsTool = defineTool({
  name: "run_tests",
  title: "Run the tests again",
  description:
    "Run the group's declared tests over many rollouts at once, in a sandbox without network. The visible tests replace what a rollout did to those files. Code under test can forge its own results: inconsistent and exit_only are no proof of a pass.",
  readOnly: true,
  input: z.strictObject({
    ...targetInput,
    pattern: z.string().min(1).optional().describe("Only tests whose names match, in the runner's own way."),
  }),
  output: checkOutput,
  async run(context, input, key) {
    const { pattern } = input;
    return showCheck(await context.checks.runTests(targetsOf(context, input), { pattern }, key));
  },
});
