import { createHash, type Hash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { LoadedGroup } from "../index.ts";

/** SHA-256 of all that a grader can read of a group: its text and the bytes of every file that it names. */
export async function inputHash({ group, root }: LoadedGroup): Promise<string> {
  const { repo, tests } = group;
  const hash = createHash("sha256").update(JSON.stringify(group));
  const named = [
    "path" in repo ? repo.path : undefined,
    "archive" in repo ? repo.archive : undefined,
    tests?.patch_path,
    ...group.rollouts.flatMap((rollout) => [
      rollout.patch_path,
      rollout.trajectory_path,
      rollout.test_output_path,
    ]),
  ];
  for (const path of named) if (path !== undefined) await add(hash, join(root, path), path);
  return hash.digest("hex");
}

async function add(hash: Hash, path: string, name: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) hash.update(`missing ${name}\0`);
  else if (stats.isSymbolicLink()) hash.update(`link ${name}\0${await readlink(path)}\0`);
  else if (stats.isDirectory())
    for (const inner of (await readdir(path)).sort()) await add(hash, join(path, inner), `${name}/${inner}`);
  else if (stats.isFile()) hash.update(`file ${name}\0${stats.size}\0`).update(await readFile(path));
}
