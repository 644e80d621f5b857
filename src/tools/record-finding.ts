import * as z from "zod";
import { GraderError } from "../errors.ts";
import { keepFinding, verifyFinding } from "../evidence/record.ts";
import { FindingInput, VerifiedCitation } from "../schema/evidence.ts";
import { defineTool } from "./tool.ts";

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
    const finding = await keepFinding(context.findings, checked.value);
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
