import { peersOf } from "./change.ts";
import { citeLine, perRollout } from "./lead.ts";

/**
 * A rollout that passes and changes nothing. The pass says something about the tests and nothing about the task, so it
 * cannot be merged as a solution. What it left alone is cited: a line that other passing rollouts change.
 */
export const emptyChange = perRollout(
  "empty-change",
  "Passing rollouts whose result is the base itself, while others change something.",
  (rollout, workspace) => {
    if (rollout.passed !== true || rollout.patch.tree !== workspace.base) return [];
    for (const peer of peersOf(workspace, rollout))
      for (const file of peer.files)
        for (const line of file.hunks.flatMap((hunk) => hunk.lines)) {
          if (line.old === undefined || line.text.trim() === "") continue;
          const path = file.old_path ?? file.path;
          return [
            {
              rollout: rollout.label,
              criterion: "solution_fitness",
              severity: "minor",
              omission: true,
              claim: `Changes nothing: ${path} stands as before, which other passing rollouts change.`,
              citations: [citeLine(rollout.label, path, line.old, line.text)],
            },
          ];
        }
    return [];
  },
);
