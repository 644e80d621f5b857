import type { WorkspaceRollout } from "../workspace/types.ts";
import { citeLines } from "./suspect.ts";
import type { Detector, Suspicion } from "./lead.ts";

/** Lines that a change is allowed before its size is worth a word. */
const SMALL = 30;
const TIMES_MEDIAN = 3;

function sizeOf(rollout: WorkspaceRollout): number {
  const counted = rollout.files.filter(
    (file) => file.class === "source" || file.class === "other" || file.class === "build",
  );
  return counted.reduce((sum, file) => sum + file.added + file.removed, 0);
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** A note on changes far larger than the group's middle one. Size alone is never a fault. */
export const size: Detector = {
  name: "size",
  about:
    "Changes more than three times as long as the median of the passing rollouts, tests and documentation aside; for information only.",
  detect: (workspace) => {
    const passing = workspace.rollouts.filter(
      (rollout) => rollout.passed === true && rollout.patch.tree !== undefined,
    );
    const middle = median(passing.map(sizeOf));
    const found = passing.flatMap((rollout): Suspicion[] => {
      const lines = sizeOf(rollout);
      if (passing.length < 3 || lines <= SMALL || lines <= TIMES_MEDIAN * middle) return [];
      const [largest] = rollout.files
        .filter((file) => file.class === "source")
        .sort((a, b) => b.added + b.removed - a.added - a.removed);
      const citations =
        largest === undefined
          ? []
          : citeLines(
              rollout.label,
              largest.path,
              largest.hunks.flatMap((hunk) => hunk.lines.filter((line) => line.kind !== "context")),
            ).slice(0, 1);
      if (citations.length === 0) return [];
      const claim = `Touches ${lines} lines outside tests and documentation; the median of the passing rollouts is ${middle}.`;
      return [{ rollout: rollout.label, criterion: "change_minimality", severity: "note", claim, citations }];
    });
    return Promise.resolve(found);
  },
};
