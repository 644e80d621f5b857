import { changedFiles, isProduct } from "./change.ts";
import { copiesIn, describe } from "./copied-code.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { suspect } from "./suspect.ts";

/** Added code that the base already has as a function within reach. */
export const copiesHelper = perRollout(
  "copies-helper",
  "Added functions whose body, and added expressions whose form, an existing function of the same folder or a shared module already has, whatever the names are.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      if (!isProduct(file) || file.fresh.length === 0) continue;
      for (const { severity, helper, lines, what } of await copiesIn(file, rollout, workspace)) {
        const claim = `${what} what the existing ${describe(helper)} does instead of calling it.`;
        const lead = suspect(
          { rollout: rollout.label, criterion: "codebase_consistency", severity, claim },
          file.path,
          lines,
        );
        if (lead !== undefined) found.push(lead);
      }
    }
    return found;
  },
);
