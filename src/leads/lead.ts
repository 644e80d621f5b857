import type { Citation, FindingInput } from "../schema/evidence.ts";
import type { Workspace, WorkspaceRollout } from "../workspace/types.ts";

/** A suspicion before it has an id. `rollout` is a blind label. */
export type Suspicion = FindingInput;

/**
 * A deterministic detector over the whole group. It must not throw on odd input, must not depend on the order of the
 * rollouts, and every suspicion must carry at least one citation that resolves.
 */
export interface Detector {
  /** kebab-case; shown to the grader as the lead's origin. */
  name: string;
  /** One line: what it looks for and what it leaves alone. */
  about: string;
  detect(workspace: Workspace): Promise<Suspicion[]>;
}

/** A detector that looks at one rollout at a time; rollouts without a tree are passed over. */
export function perRollout(
  name: string,
  about: string,
  detect: (rollout: WorkspaceRollout, workspace: Workspace) => Promise<Suspicion[]> | Suspicion[],
): Detector {
  return {
    name,
    about,
    async detect(workspace) {
      const all: Suspicion[] = [];
      for (const rollout of workspace.rollouts) {
        if (rollout.patch.tree === undefined) continue;
        all.push(...(await detect(rollout, workspace)));
      }
      return all;
    },
  };
}

/** Citation of one line of a change. Give `new` numbers for added and context lines, `old` numbers for removed ones. */
export function citeLine(rollout: string, file: string, line: number | undefined, text: string): Citation {
  return { kind: "patch", rollout, file, ...(line === undefined ? {} : { line }), quote: text };
}
