import { verifyCitation } from "../evidence/verify.ts";
import type { Lead } from "../schema/evidence.ts";
import { compareLabels } from "../workspace/labels.ts";
import type { Workspace } from "../workspace/types.ts";
import type { Detector, Suspicion } from "./lead.ts";

/** Most leads of one detector about one rollout; a detector that finds more says so in its claims. */
const MAX_PER_DETECTOR = 12;

export interface CollectedLeads {
  leads: Lead[];
  /** Suspicions whose citations did not hold, and detectors that failed: kept for the trace, shown to nobody. */
  dropped: { detector: string; reason: string }[];
}

/**
 * Runs the detectors one after the other. Only suspicions whose citations hold become leads, so that a grader can pass
 * them on as they are. The order depends on nothing but the leads themselves.
 */
export async function collectLeads(
  workspace: Workspace,
  detectors: readonly Detector[],
): Promise<CollectedLeads> {
  const kept: Omit<Lead, "id">[] = [];
  const dropped: CollectedLeads["dropped"] = [];
  for (const detector of detectors) {
    let suspicions: Suspicion[] = [];
    try {
      suspicions = await detector.detect(workspace);
    } catch (error) {
      // A detector that fails on odd input must not cost the group its grade.
      dropped.push({
        detector: detector.name,
        reason: `failed: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
    const counts = new Map<string, number>();
    for (const suspicion of suspicions) {
      const count = (counts.get(suspicion.rollout) ?? 0) + 1;
      counts.set(suspicion.rollout, count);
      const problem =
        count > MAX_PER_DETECTOR ? "too many of one kind" : await brokenCitation(workspace, suspicion);
      if (problem === undefined) kept.push({ ...suspicion, detector: detector.name });
      else
        dropped.push({
          detector: detector.name,
          reason: `${suspicion.rollout}: ${suspicion.claim}: ${problem}`,
        });
    }
  }
  const keyed = kept.map((lead) => ({
    lead,
    key: JSON.stringify([lead.detector, lead.criterion, lead.citations, lead.claim]),
  }));
  keyed.sort(
    (a, b) => compareLabels(a.lead.rollout, b.lead.rollout) || (a.key < b.key ? -1 : Number(a.key > b.key)),
  );
  return { leads: keyed.map(({ lead }, index) => ({ id: `l${index + 1}`, ...lead })), dropped };
}

async function brokenCitation(workspace: Workspace, suspicion: Suspicion): Promise<string | undefined> {
  for (const citation of suspicion.citations) {
    const checked = await verifyCitation(workspace, citation, suspicion.rollout);
    if (!checked.ok) return checked.problem;
  }
  return undefined;
}
