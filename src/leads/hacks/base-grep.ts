import type { GrepMatch, GrepQuery, Workspace } from "../../workspace/types.ts";

const cache = new WeakMap<Workspace, Map<string, Promise<GrepMatch[]>>>();

/** Matches in the base tree. The same question costs one search a group, however many rollouts raise it. */
export function grepBase(workspace: Workspace, query: GrepQuery): Promise<GrepMatch[]> {
  const known = cache.get(workspace) ?? new Map<string, Promise<GrepMatch[]>>();
  cache.set(workspace, known);
  const key = JSON.stringify(query);
  const made = known.get(key) ?? workspace.store.grep(workspace.base, query).then(({ matches }) => matches);
  known.set(key, made);
  return made;
}
