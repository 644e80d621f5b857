import * as z from "zod";
import { GraderError } from "../errors.ts";
import { verifyFinding } from "../evidence/record.ts";
import { FindingInput, VerifiedCitation, type Finding } from "../schema/evidence.ts";
import { defineTool, type ToolContext } from "./tool.ts";

export const recordFindingTool = defineTool({
  name: "record_finding",
  title: "Record a finding",
  description:
    "Record one judgement about one rollout with its citations. Every citation is looked up; if one does not hold, nothing is recorded and the answer says what to mend. A rollout below tier 1 needs at least one.",
  readOnly: false,
  input: FindingInput,
  output: z.object({
    id: z.string(),
    citations: z.array(VerifiedCitation).describe("As verified, with corrected lines."),
  }),
  async run(context, input) {
    const checked = await verifyFinding(context.workspace, input);
    if (!checked.ok) throw new GraderError("bad_input", `not recorded.\n${checked.problem}`);
    const finding = await keep(context, checked.value);
    const corrected = finding.citations.filter(
      (citation) => citation.kind === "patch" && citation.corrected === true,
    );
    const note = corrected.length === 0 ? "" : `; ${corrected.length} line numbers corrected`;
    return {
      data: { id: finding.id, citations: finding.citations },
      text: `recorded as ${finding.id}${note}`,
    };
  },
});

/** The same judgement twice is one finding: a call that is repeated after a crash changes nothing. */
async function keep(context: ToolContext, found: Omit<Finding, "id">): Promise<Finding> {
  let kept: Finding = { ...found, id: "" };
  const key = JSON.stringify(kept);
  await context.findings.update((known) => {
    const twin = known.find(
      (finding) => finding.rollout === found.rollout && JSON.stringify({ ...finding, id: "" }) === key,
    );
    kept = twin ?? { ...found, id: `n${known.length + 1}` };
    return twin === undefined ? kept : undefined;
  });
  return kept;
}
