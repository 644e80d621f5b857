import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CheckCitation, Citation, EventCitation, VerifiedCitation } from "../schema/evidence.ts";
import type { Workspace } from "../workspace/types.ts";
import { checkPatchCitation, type Checked } from "./patch-citation.ts";
import { unescapeVisible } from "../visible.ts";
import { findQuote, shortQuoteHint } from "./quote.ts";

/**
 * Holds one citation against the workspace. Views escape hidden characters, so a quote that was copied from a view is
 * also tried as the text behind it. Never throws for a bad citation.
 */
export async function verifyCitation(
  workspace: Workspace,
  citation: Citation,
): Promise<Checked<VerifiedCitation>> {
  const checked = await verifyAsGiven(workspace, citation);
  const raw = unescapeVisible(citation.quote);
  return checked.ok || raw === citation.quote
    ? checked
    : verifyAsGiven(workspace, { ...citation, quote: raw });
}

async function verifyAsGiven(workspace: Workspace, citation: Citation): Promise<Checked<VerifiedCitation>> {
  if (citation.quote.trim() === "") return { ok: false, problem: "the quote is empty" };
  if (citation.kind === "check") return checkOutput(workspace, citation);
  const rollout = workspace.rollout(citation.rollout);
  if (rollout === undefined) return { ok: false, problem: `there is no rollout ${citation.rollout}` };
  if (citation.kind === "patch") return checkPatchCitation(workspace, rollout, citation);
  return checkEvent(workspace, citation);
}

/** Only what was called and what was seen counts; what the agent says about it is no evidence (J10, J11). */
async function checkEvent(workspace: Workspace, citation: EventCitation): Promise<Checked<VerifiedCitation>> {
  const trajectory = workspace.rollout(citation.rollout)?.trajectory;
  if (trajectory === undefined)
    return { ok: false, problem: `rollout ${citation.rollout} has no trajectory` };
  const event = await trajectory.get(citation.event);
  if (event === undefined)
    return { ok: false, problem: `rollout ${citation.rollout} has no event ${citation.event}` };
  if (event.kind !== "call" && event.kind !== "observation")
    return {
      ok: false,
      problem: `${event.id} is ${event.kind}: only recorded calls and observations are evidence`,
    };
  return found(event.text, citation, event.id);
}

/** Outputs of checks lie in the workspace, one file a check. */
async function checkOutput(
  workspace: Workspace,
  citation: CheckCitation,
): Promise<Checked<VerifiedCitation>> {
  if (!/^x\d+$/.test(citation.check)) return { ok: false, problem: `${citation.check} is no check id` };
  const path = join(workspace.dir, "checks", `${citation.check}.txt`);
  const output = await readFile(path, "utf8").catch(() => undefined);
  if (output === undefined) return { ok: false, problem: `no check ${citation.check} has been run` };
  return found(output, citation, citation.check);
}

function found(
  text: string,
  citation: EventCitation | CheckCitation,
  where: string,
): Checked<VerifiedCitation> {
  if (findQuote(text, citation.quote).length > 0)
    return { ok: true, value: { ...citation, standing: "recorded" } };
  return { ok: false, problem: `the quote does not occur in ${where}${shortQuoteHint(citation.quote)}` };
}
