import { connectEngine, ask } from "./docker-engine.ts";
import { PREPARED_LABEL } from "./docker-prepare.ts";
import { reap } from "./docker.ts";

export interface Pruned {
  /** Names of the images that were removed. */
  images: string[];
  /** Names of those that a container uses. */
  used: string[];
  /** Containers that graders left which are gone. */
  containers: number;
}

/**
 * Removes what gradings keep in the container engine: images that were prepared, all or those made from one image, and
 * containers whose grader is gone. What was removed is made again when it is next needed.
 *
 * @throws SandboxFault `unavailable`
 */
export async function prune(from?: string): Promise<Pruned> {
  const client = await connectEngine();
  const containers = await reap(client);
  const label = [from === undefined ? PREPARED_LABEL : `${PREPARED_LABEL}=${from}`];
  const found = await ask("listing images", () => client.listImages({ filters: { label } }));
  const pruned: Pruned = { images: [], used: [], containers };
  for (const { Id, RepoTags } of found) {
    const name = RepoTags?.[0] ?? Id;
    const removed = await client
      .getImage(Id)
      .remove()
      .then(
        () => true,
        () => false,
      );
    (removed ? pruned.images : pruned.used).push(name);
  }
  return pruned;
}
