import { changedFiles, isProduct } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { specialCases } from "./special-rules.ts";
import { viewOf } from "./special-view.ts";
import { ENOUGH, suspect } from "./suspect.ts";

/** Code that knows the inputs of the tests or of the task's example instead of solving the task. */
export const specialCasing = perRollout(
  "special-casing",
  "Conditions on literals of the visible tests or the task's example: answered with constants, or narrowing what the other passing rollouts do for every input.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      const view =
        isProduct(file) && found.length < ENOUGH ? await viewOf(file, rollout, workspace) : undefined;
      for (const { severity, lines, says } of view === undefined ? [] : specialCases(view)) {
        const claim = `${says} (${file.path}, line ${lines[0]?.new ?? 0}).`;
        const finding = { rollout: rollout.label, criterion: "solution_fitness" as const, severity, claim };
        const lead = suspect(finding, file.path, lines);
        if (lead !== undefined) found.push(lead);
      }
    }
    return found;
  },
);
