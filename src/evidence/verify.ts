import { quotable, readCheck, readRun } from "../checks/store.ts";
import type { CheckCitation, Citation, EventCitation, VerifiedCitation } from "../schema/evidence.ts";
import type { Workspace } from "../workspace/types.ts";
import { checkPatchCitation, type Checked } from "./patch-citation.ts";
import { unescapeVisible } from "../visible.ts";
import { findQuote, shortQuoteHint } from "./quote.ts";

/**
 * Holds one citation against the workspace. Views escape hidden characters, so a quote that was copied from a view is
 * also tried as the text behind it. Never throws for a bad citation.
 *
 * @param subject - The rollout that the finding is about: a check is cited for its run unless it names another.
 */
export async function verifyCitation(
  workspace: Workspace,
  citation: Citation,
  subject: string,
): Promise<Checked<VerifiedCitation>> {
  const checked = await verifyAsGiven(workspace, citation, subject);
  const raw = unescapeVisible(citation.quote);
  return checked.ok || raw === citation.quote
    ? checked
    : verifyAsGiven(workspace, { ...citation, quote: raw }, subject);
}

async function verifyAsGiven(
  workspace: Workspace,
  citation: Citation,
  subject: string,
): Promise<Checked<VerifiedCitation>> {
  if (citation.quote.trim() === "") return { ok: false, problem: "the quote is empty" };
  if (citation.kind === "check") return checkOutput(workspace, citation, subject);
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

/** A quote counts for the run that printed it: what another rollout printed says nothing about this one. */
async function checkOutput(
  { dir }: Workspace,
  citation: CheckCitation,
  subject: string,
): Promise<Checked<VerifiedCitation>> {
  const check = await readCheck(dir, citation.check);
  if (check === undefined) return { ok: false, problem: `no check ${citation.check} has been run` };
  if (check.tool === "shell")
    return { ok: false, problem: `${check.id} is a shell's output, which is no evidence: use run_check` };
  const rollout = citation.rollout ?? subject;
  const run = check.runs.find((candidate) => candidate.rollout === rollout);
  if (run === undefined) return { ok: false, problem: `check ${check.id} was not run on ${rollout}` };
  if (run.outcome === "sandbox_failed" || run.outcome === "unavailable")
    return {
      ok: false,
      problem: `check ${check.id} says nothing about ${rollout}: the sandbox did not run it`,
    };
  const { printed, again } = await readRun(dir, check.id, rollout);
  const checked = found(
    quotable({ run, printed }),
    { ...citation, rollout },
    `what the run of ${rollout} in ${check.id} printed`,
  );
  if (checked.ok && again !== undefined && findQuote(quotable(again), citation.quote).length === 0)
    return {
      ok: false,
      problem: `${rollout} was run twice in ${check.id}, and the quote is only in what it printed first`,
    };
  return checked;
}

function found(
  text: string,
  citation: EventCitation | (CheckCitation & { rollout: string }),
  where: string,
): Checked<VerifiedCitation> {
  if (findQuote(text, citation.quote).length > 0)
    return { ok: true, value: { ...citation, standing: "recorded" } };
  return { ok: false, problem: `the quote does not occur in ${where}${shortQuoteHint(citation.quote)}` };
}
