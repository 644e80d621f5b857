import { readdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { GraderError } from "../errors.ts";
import type { Group, RepoSource, Rollout } from "../schema/group.ts";
import { statOrMissing } from "./files.ts";
import type { Warn } from "./notes.ts";
import { decodeStrict } from "./unicode.ts";

const REPOSITORIES: readonly { name: string; source: RepoSource }[] = [
  { name: "repo.tar.gz", source: { archive: "repo.tar.gz" } },
  { name: "repo.tar", source: { archive: "repo.tar" } },
  { name: "repo", source: { path: "repo" } },
];

/** True for a folder in the plain layout. */
export async function isPlainDirectory(directory: string): Promise<boolean> {
  const names = new Set(await readdir(directory));
  return names.has("task.md") && names.has("rollouts");
}

/**
 * The plain layout: `task.md`, `repo.tar.gz`, `repo.tar` or `repo/`, and `rollouts/<id>/` with `patch.diff`,
 * `trajectory.*` (or `trajectory/`, a conversation) and `test_output.txt`, each of them optional. Rollouts come in
 * code-unit order of their ids; nothing says which of them passed.
 * @throws GraderError `bad_input` without a repository.
 */
export async function readPlainDirectory(directory: string, warn: Warn): Promise<Group> {
  const id = basename(resolve(directory));
  const place = { file: directory, group: id };
  const taskFile = join(directory, "task.md");
  const statement = decodeStrict(await readFile(taskFile), { file: taskFile });
  const names = new Set(await readdir(directory));
  const found = REPOSITORIES.filter(({ name }) => names.has(name));
  const [repo] = found;
  if (repo === undefined)
    throw new GraderError("bad_input", "no repository: expected repo.tar.gz, repo.tar or repo/", place);
  if (found.length > 1)
    warn({
      code: "repository_ambiguous",
      message: `${found.map(({ name }) => name).join(", ")}: ${repo.name} is used`,
      where: place,
    });

  const rollouts: Rollout[] = [];
  for (const rollout of (await readdir(join(directory, "rollouts"))).sort(byCodeUnits)) {
    const folder = `rollouts/${rollout}`;
    const stats = await statOrMissing(join(directory, folder));
    if (rollout.startsWith(".")) continue;
    if (stats?.isDirectory() === true) rollouts.push(await readRollout(directory, rollout, warn));
    else
      warn({ code: "not_a_rollout", message: "not a folder; left out", where: { ...place, file: folder } });
  }
  return { group_id: id, task: { id, statement }, repo: repo.source, rollouts };
}

async function readRollout(directory: string, id: string, warn: Warn): Promise<Rollout> {
  const folder = `rollouts/${id}`;
  const names = (await readdir(join(directory, folder))).sort(byCodeUnits);
  const [trajectory, ...others] = names.filter(isTrajectory).sort((a, b) => rankOf(a) - rankOf(b));
  if (trajectory !== undefined && others.length > 0)
    warn({
      code: "trajectory_ambiguous",
      message: `${[trajectory, ...others].join(", ")}: ${trajectory} is used`,
      where: { file: folder, rollout: id },
    });
  return {
    id,
    ...(names.includes("patch.diff") ? { patch_path: `${folder}/patch.diff` } : {}),
    ...(trajectory === undefined ? {} : { trajectory_path: `${folder}/${trajectory}` }),
    ...(names.includes("test_output.txt") ? { test_output_path: `${folder}/test_output.txt` } : {}),
    passed: null,
  };
}

function isTrajectory(name: string): boolean {
  return /^trajectory(?:\.|$)/.test(name) || name === "trajectory_stub.json";
}

/** Structured records before text; a stub only where there is nothing else. */
function rankOf(name: string): number {
  if (name === "trajectory_stub.json") return 2;
  if (name === "trajectory") return 1;
  return /\.(?:json|jsonl|traj)$/.test(name) ? 0 : 1;
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
