import * as z from "zod";
import { checkOutput, showCheck } from "./check-view.ts";
import { targetInput, targetsOf } from "./targets.ts";
import { defineTool } from "./tool.ts";

export const runTestsTool = defineTool({
  name: "run_tests",
  title: "Run the tests again",
  description:
    "Run the group's declared tests over many rollouts at once, in a sandbox without network. Tests and the runner's configuration are the group's own; hooks, plugins and tests that a rollout adds are left out. A status comes from exit status, report, collected tests and summary together: passed, failed, skipped, missing, flaky, inconsistent (they disagree), invalid (no report), exit_only (nothing but an exit status). A pass is verified by a second run with a test that must fail. Forging is flagged and recorded as a finding.",
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
