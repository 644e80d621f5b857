import type { Check } from "../schema/check.ts";
import type { Citation, Finding } from "../schema/evidence.ts";

type IdOf = (label: string) => string;

/** Labels are only good inside one workspace; what leaves it names rollouts by id. */
export function findingWithIds(finding: Finding, idOf: IdOf): Finding {
  return {
    ...finding,
    rollout: idOf(finding.rollout),
    citations: finding.citations.map((citation) => ({ ...citation, rollout: idOf(citation.rollout) })),
  };
}

export function checkWithIds(check: Check, idOf: IdOf): Check {
  const cited = (citation: Citation): Citation =>
    citation.rollout === undefined ? citation : { ...citation, rollout: idOf(citation.rollout) };
  return {
    ...check,
    runs: check.runs.map(({ flags, ...run }) => ({
      ...run,
      rollout: idOf(run.rollout),
      ...(flags === undefined
        ? {}
        : { flags: flags.map((flag) => ({ ...flag, citations: flag.citations.map(cited) })) }),
    })),
    clusters: check.clusters.map((labels) => labels.map(idOf)),
    ...(check.flaky === undefined ? {} : { flaky: check.flaky.map(idOf) }),
  };
}
