import * as z from "zod";
import { Lead } from "../schema/evidence.ts";
import { cursor, defineTool, findRollout, paged, rolloutLabel } from "./tool.ts";
import { foreign, omission, page } from "./view.ts";

export const leadsTool = defineTool({
  name: "leads",
  title: "Leads",
  description:
    "What deterministic detectors noticed, each with citations that can be passed to record_finding. A lead is a suspicion, not a judgement.",
  readOnly: true,
  input: z.strictObject({
    rollout: rolloutLabel.optional().describe("Only this one. Default: all that are to be placed."),
    cursor,
  }),
  output: z.object({ leads: z.array(Lead), ...paged }),
  async run(context, input) {
    if (input.rollout !== undefined) findRollout(context, input.rollout);
    // Of rollouts that are context alone, only what was done to the result matters.
    const wanted = context.leads.filter((lead) =>
      input.rollout === undefined
        ? context.graded.includes(lead.rollout) || lead.hack !== undefined
        : lead.rollout === input.rollout,
    );
    const { shown, next_cursor, left_out } = page(wanted, input.cursor, {
      count: 60,
      size: (lead) => line(lead).length,
    });
    const rest = next_cursor === undefined ? { left_out } : { next_cursor, left_out };
    const text = shown.length === 0 ? "no leads" : shown.map(line).join("\n");
    return { data: { leads: shown, ...rest }, text: text + omission(rest, "leads") };
  },
});

function line(lead: Lead): string {
  const hack = lead.hack === undefined ? "" : `, ${lead.hack}`;
  const head = foreign(
    `${lead.id} ${lead.rollout} [${lead.detector}; ${lead.criterion}, ${lead.severity}${hack}] `,
    lead.claim,
  );
  const cited = lead.citations.map((citation) => {
    if (citation.kind === "patch")
      return foreign(`    ${citation.file}:${citation.line ?? "?"}`, citation.quote.split("\n", 1)[0] ?? "");
    return foreign(
      `    ${citation.kind === "event" ? citation.event : citation.check}`,
      citation.quote.split("\n", 1)[0] ?? "",
    );
  });
  return [head, ...cited].join("\n");
}
