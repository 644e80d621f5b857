import { GraderError, type Warning } from "./errors.ts";
import type { Group } from "./schema/group.ts";
import {
  readNamed,
  readPatch,
  readTestOutput,
  readTrajectory,
  resolveInside,
  type LoadedGroup,
} from "./sources/index.ts";
import type { ResolvedRepo } from "./workspace/base.ts";
import type { WorkspaceInput } from "./workspace/create.ts";

const URL_FORM = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * A loaded group as a workspace takes it. Every path is checked here, before anything is read: one that leaves the
 * group's folder is the caller's mistake and no fault of a rollout.
 *
 * @throws GraderError `bad_input` naming the field and the rollout.
 */
export async function workspaceInput(
  loaded: LoadedGroup,
  dir: string,
  seed: number,
  warn: (warning: Warning) => void,
): Promise<WorkspaceInput> {
  const { group, root, roots = {} } = loaded;
  const here = { file: loaded.source, group: group.group_id };
  for (const [index, rollout] of group.rollouts.entries())
    for (const field of ["patch_path", "trajectory_path", "test_output_path"] as const) {
      const named = rollout[field];
      const where = { ...here, rollout: rollout.id, field: `rollouts[${index}].${field}` };
      if (named !== undefined) await resolveInside(root, named, where);
    }
  const testsPatch = await readTestsPatch(group, roots.tests ?? root, here, warn);
  return {
    dir,
    groupId: group.group_id,
    task: group.task,
    ...(group.tests === undefined ? {} : { testCommand: group.tests.command }),
    repo: await resolveRepo(group, roots.repo ?? root, here),
    ...(testsPatch === undefined ? {} : { testsPatch }),
    seed,
    rollouts: group.rollouts.map((rollout) => ({
      id: rollout.id,
      passed: rollout.passed,
      patch: () => readPatch(rollout, root, warn),
      trajectory: () => readTrajectory(rollout, root, warn),
      testOutput: () => readTestOutput(rollout, root, warn),
    })),
  };
}

type Here = { file: string; group: string };

async function resolveRepo({ repo }: Group, root: string, here: Here): Promise<ResolvedRepo> {
  if ("path" in repo)
    return { kind: "folder", path: await resolveInside(root, repo.path, { ...here, field: "repo.path" }) };
  if ("archive" in repo)
    return {
      kind: "archive",
      path: await resolveInside(root, repo.archive, { ...here, field: "repo.archive" }),
    };
  if ("image" in repo) return { kind: "image", ...repo };
  if (!URL_FORM.test(repo.git)) {
    const repository = await resolveInside(root, repo.git, { ...here, field: "repo.git" });
    return { kind: "git", repository, commit: repo.commit };
  }
  if (!repo.git.startsWith("https://"))
    throw new GraderError("bad_input", "only https URLs and paths in the group's folder are fetched", {
      ...here,
      field: "repo.git",
    });
  return { kind: "git", repository: repo.git, commit: repo.commit };
}

async function readTestsPatch(
  { tests }: Group,
  root: string,
  here: Here,
  warn: (warning: Warning) => void,
): Promise<Buffer | undefined> {
  if (tests?.patch_path === undefined) return undefined;
  const where = { ...here, field: "tests.patch_path" };
  return readNamed(root, tests.patch_path, where, warn);
}
