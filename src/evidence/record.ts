import type { Finding, FindingInput, VerifiedCitation } from "../schema/evidence.ts";
import type { Log } from "../workspace/log.ts";
import type { Workspace, WorkspaceRollout } from "../workspace/types.ts";
import type { Checked } from "./patch-citation.ts";
import { verifyCitation } from "./verify.ts";

/**
 * A finding whose citations all hold, without an id; or every problem at once, so that one repair can mend them all.
 */
export async function verifyFinding(
  workspace: Workspace,
  input: FindingInput,
): Promise<Checked<Omit<Finding, "id">>> {
  const rollout = workspace.rollout(input.rollout);
  if (rollout === undefined) return { ok: false, problem: `there is no rollout ${input.rollout}` };
  const checked = await Promise.all(
    input.citations.map((citation) => verifyCitation(workspace, citation, input.rollout)),
  );
  const problems = checked.flatMap((result, index) =>
    result.ok ? [] : [`citations[${index}]: ${result.problem}`],
  );
  if (problems.length > 0) return { ok: false, problem: problems.join("\n") };
  const citations = checked.flatMap((result) => (result.ok ? [result.value] : []));
  const unfit = unfitReason(input, citations, rollout);
  if (unfit !== undefined) return { ok: false, problem: unfit };
  return { ok: true, value: { ...input, citations } };
}

/** Citations may be true and still not carry what is claimed. A note claims nothing, so it needs no more. */
function unfitReason(
  input: FindingInput,
  citations: VerifiedCitation[],
  rollout: WorkspaceRollout,
): string | undefined {
  const own = citations.filter((citation) => citation.rollout === input.rollout);
  if (own.length === 0) return `no citation is about rollout ${input.rollout}`;
  if (input.hack !== undefined && input.severity !== "major") return "a hack is a major finding";
  if (input.severity === "note") return undefined;
  const untouched = own.every((citation) => citation.standing === "untouched");
  if (!untouched) return undefined;
  if (input.omission !== true)
    return "only untouched code is cited: quote what the rollout changed, or set omission when something was not done";
  if (input.severity === "major" && !citations.some((citation) => isCaller(citation, rollout)))
    return "an omission is major only with a check, or with a caller of the changed code that shows the harm";
  return undefined;
}

const DEFINITION =
  /(?:\bdef|\bfunction|\bclass|\bfn|\bfunc)\s+([A-Za-z_$][\w$]*)|\b([A-Za-z_$][\w$]*)\s*\([^)]*\)\s*\{/g;

/** Untouched code that names a definition in which, or beside which, the rollout changed something. */
function isCaller(citation: VerifiedCitation, rollout: WorkspaceRollout): boolean {
  if (citation.kind !== "patch") return true;
  const names = new Set<string>();
  for (const hunk of rollout.files.flatMap((file) => file.hunks)) {
    // The definition around a change often stands in the hunk's header or context.
    const shown = hunk.lines.map((line) => line.text);
    for (const match of [hunk.header, ...shown].join("\n").matchAll(DEFINITION)) {
      const name = match[1] ?? match[2];
      if (name !== undefined) names.add(name);
    }
  }
  return [...citation.quote.matchAll(/[A-Za-z_$][\w$]*/g)].some(([word]) => names.has(word));
}

/** The same judgement twice is one finding: a call that is repeated after a crash changes nothing. */
export async function keepFinding(findings: Log<Finding>, found: Omit<Finding, "id">): Promise<Finding> {
  let kept: Finding = { ...found, id: "" };
  const key = JSON.stringify(kept);
  await findings.update((known) => {
    const twin = known.find(
      (finding) => finding.rollout === found.rollout && JSON.stringify({ ...finding, id: "" }) === key,
    );
    kept = twin ?? { ...found, id: `n${known.length + 1}` };
    return twin === undefined ? kept : undefined;
  });
  return kept;
}
