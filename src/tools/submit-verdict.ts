import * as z from "zod";
import { GraderError } from "../errors.ts";
import { verdictProblems } from "../evidence/support.ts";
import { Verdict } from "../schema/verdict.ts";
import { defineTool } from "./tool.ts";

export const submitVerdictTool = defineTool({
  name: "submit_verdict",
  title: "Submit the verdict",
  description:
    "Tiers and the whole order, once, at the end. Both must place exactly the rollouts that task names, agree with each other, and be supported by recorded findings. Tie what no evidence separates.",
  readOnly: false,
  input: Verdict,
  output: z.object({ accepted: z.boolean() }),
  async run(context, input) {
    const findings = await context.findings.read();
    const problems = verdictProblems(
      input,
      context.graded,
      findings,
      (label) => context.workspace.rollout(label)?.patch.tree,
    );
    if (problems.length > 0) throw new GraderError("bad_input", `not accepted.\n${problems.join("\n")}`);
    context.verdict.accepted = input;
    return { data: { accepted: true }, text: "accepted" };
  },
});
