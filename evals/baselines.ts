import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LoadedGroup } from "../src/index.ts";
import type { Scores } from "./metrics.ts";

/** The smallest patch first: what anyone gets without reading a line. */
export async function smallestPatch({ group, root }: LoadedGroup): Promise<Scores> {
  const sizes = await Promise.all(
    group.rollouts.map(async ({ id, patch, patch_path }) => {
      const text = patch ?? (patch_path === undefined ? "" : await readFile(join(root, patch_path), "utf8"));
      return [id, -text.split("\n").filter((line) => /^[+-](?![+-]{2})/.test(line)).length] as const;
    }),
  );
  return new Map(sizes);
}

/** An order drawn by lot; the seed makes it repeatable. */
export function randomOrder({ group }: LoadedGroup, seed: number): Scores {
  const lot = (id: string) =>
    createHash("sha256")
      .update(JSON.stringify([seed, group.group_id, id]))
      .digest()
      .readUIntBE(0, 6);
  return new Map(group.rollouts.map(({ id }) => [id, lot(id)]));
}
