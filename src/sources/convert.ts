import { cp, mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Warning } from "../errors.ts";
import type { Group, RepoSource, Rollout } from "../schema/group.ts";
import { resolveInside } from "./inside.ts";
import type { LoadedGroup, PartialGroup } from "./loaded.ts";
import type { Warn } from "./notes.ts";
import { readPatch } from "./patch.ts";
import { readTestOutput, readTrajectory } from "./records.ts";
import type { JsonObject } from "./shape.ts";
import { writeAtif } from "./trajectories/atif-write.ts";

/** A group's rollouts as ATIF documents, one after the other; rollouts without a trajectory are left out. */
export async function* atifOf(
  { group, root }: PartialGroup,
  warn: Warn,
): AsyncGenerator<{ rollout: string; document: JsonObject }> {
  for (const rollout of group.rollouts) {
    const trajectory = await readTrajectory(rollout, root, warn);
    if (trajectory === undefined) continue;
    yield { rollout: rollout.id, document: writeAtif(trajectory, `${group.group_id}/${rollout.id}`) };
  }
}

/** The group with everything that it names read into it: patches, ATIF trajectories, test outputs. */
export async function inlineGroup({ group, root }: LoadedGroup, warn: Warn): Promise<Group> {
  const rollouts: Rollout[] = [];
  for (const rollout of group.rollouts) rollouts.push(await inlineRollout(rollout, group, root, warn));
  return { ...group, rollouts };
}

async function inlineRollout(rollout: Rollout, group: Group, root: string, warn: Warn): Promise<Rollout> {
  const { patch_path: _p, trajectory_path: _t, test_output_path: _o, ...rest } = rollout;
  const patch = await readPatch(rollout, root, warn);
  const trajectory = await readTrajectory(rollout, root, warn);
  const output = await readTestOutput(rollout, root, warn);
  return {
    ...rest,
    ...(patch.state === "absent" ? {} : { patch: patch.state === "null" ? null : patch.text }),
    ...(trajectory === undefined
      ? {}
      : { trajectory: writeAtif(trajectory, `${group.group_id}/${rollout.id}`) }),
    ...(output === undefined ? {} : { test_output: output }),
  };
}

/**
 * Writes a group as a folder that stands on its own: `group.json`, the repository, the tests' patch, and a folder for each
 * rollout with `patch.diff`, `trajectory.json` (ATIF) and `test_output.txt`. Patches are copied byte for byte.
 * @throws GraderError `bad_input` for paths that leave the group's folder.
 */
export async function writeGroup(loaded: LoadedGroup, folder: string): Promise<Warning[]> {
  const { group, root, roots = {}, warnings } = loaded;
  const all = [...warnings];
  const warn: Warn = (warning) => void all.push(warning);
  await mkdir(folder, { recursive: true });
  const rollouts: Rollout[] = [];
  for (const [index, rollout] of group.rollouts.entries()) {
    const inner = `rollouts/${folderName(rollout.id, index)}`;
    await mkdir(join(folder, inner), { recursive: true });
    rollouts.push(await writeRollout(rollout, { group, root, folder, inner, warn }));
  }
  const repo = await copyRepo(group.repo, roots.repo ?? root, folder);
  const tests = group.tests?.patch_path;
  if (tests !== undefined)
    await cp(
      await resolveInside(roots.tests ?? root, tests, { field: "tests.patch_path" }),
      join(folder, "tests.patch"),
    );
  const written: Group = {
    ...group,
    repo,
    ...(group.tests === undefined
      ? {}
      : { tests: { ...group.tests, ...(tests === undefined ? {} : { patch_path: "tests.patch" }) } }),
    rollouts,
  };
  await writeFile(join(folder, "group.json"), `${JSON.stringify(written, null, 2)}\n`);
  return all;
}

async function writeRollout(
  rollout: Rollout,
  at: { group: Group; root: string; folder: string; inner: string; warn: Warn },
): Promise<Rollout> {
  const { folder, inner, root, warn } = at;
  const { patch, trajectory, test_output, ...rest } = await inlineRollout(rollout, at.group, root, warn);
  const { bytes, state } = await readPatch(rollout, root, () => undefined);
  const write = async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(join(folder, inner, name), content);
    return `${inner}/${name}`;
  };
  return {
    ...rest,
    ...(state === "present" || state === "unparsable"
      ? { patch_path: await write("patch.diff", bytes) }
      : patch === undefined
        ? {}
        : { patch }),
    ...(trajectory === undefined
      ? {}
      : { trajectory_path: await write("trajectory.json", `${JSON.stringify(trajectory, null, 1)}\n`) }),
    ...(test_output === undefined ? {} : { test_output_path: await write("test_output.txt", test_output) }),
  };
}

/** Repositories that lie on disk are copied; the others stay what they name. */
async function copyRepo(repo: RepoSource, root: string, folder: string): Promise<RepoSource> {
  const named =
    "path" in repo ? repo.path : "archive" in repo ? repo.archive : "git" in repo ? repo.git : undefined;
  if (named === undefined || named.includes("://")) return repo;
  const from = await resolveInside(root, named, { field: "repo" });
  const name = "archive" in repo ? basename(named) : "repo";
  await cp(from, join(folder, name), { recursive: true, verbatimSymlinks: true });
  if ("path" in repo) return { path: name };
  return "archive" in repo ? { archive: name } : { ...repo, git: name };
}

/** An id as the name of a folder, told apart by its place where characters had to go. */
function folderName(id: string, index: number): string {
  const safe = id.replace(/[^\w.-]+/g, "_").slice(0, 100);
  return safe === id && !safe.startsWith(".") ? safe : `${safe.replace(/^\.+/, "_")}-${index + 1}`;
}
