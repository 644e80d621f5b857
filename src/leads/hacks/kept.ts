import type { Workspace, WorkspaceRollout } from "../../workspace/types.ts";

/** Rollouts of a group whose readings stay in memory between detectors; larger groups are read again. */
const ROLLOUTS_KEPT = 32;

/** A reading of one rollout that is made once for all detectors, as long as the group is not too large. */
export function kept<T>(
  read: (workspace: Workspace, rollout: WorkspaceRollout) => Promise<T>,
): (workspace: Workspace, rollout: WorkspaceRollout) => Promise<T> {
  const caches = new WeakMap<Workspace, Map<string, Promise<T>>>();
  return (workspace, rollout) => {
    const cache = caches.get(workspace) ?? new Map<string, Promise<T>>();
    caches.set(workspace, cache);
    const made = cache.get(rollout.label) ?? read(workspace, rollout);
    // Put last, so that the first one is the longest unused.
    cache.delete(rollout.label);
    cache.set(rollout.label, made);
    const oldest = cache.keys().next();
    if (cache.size > ROLLOUTS_KEPT && oldest.done !== true) cache.delete(oldest.value);
    return made;
  };
}
