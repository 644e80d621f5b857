import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { GraderError, type LoadedGroup } from "../../index.ts";

/**
 * Refuses a group through which a grader could read the labels: no path that it names may lie inside the folder of
 * the labels or around it, not by way of a link either.
 *
 * @throws GraderError `bad_input` with the field and the rollout.
 */
export async function refuseLabelPaths({ group, root, source }: LoadedGroup, labels: string): Promise<void> {
  const hidden = await real(labels);
  const here = { file: source, group: group.group_id };
  const { repo, tests } = group;
  const named: [string, string | undefined, { rollout?: string }][] = [
    ["repo.path", "path" in repo ? repo.path : undefined, {}],
    ["repo.archive", "archive" in repo ? repo.archive : undefined, {}],
    ["repo.git", "git" in repo && !repo.git.includes("://") ? repo.git : undefined, {}],
    ["tests.patch_path", tests?.patch_path, {}],
  ];
  for (const [index, rollout] of group.rollouts.entries())
    for (const field of ["patch_path", "trajectory_path", "test_output_path"] as const)
      named.push([`rollouts[${index}].${field}`, rollout[field], { rollout: rollout.id }]);
  for (const [field, path, whose] of named) {
    if (path === undefined) continue;
    const target = await real(join(root, path));
    if (contains(hidden, target) || contains(target, hidden))
      throw new GraderError("bad_input", `${JSON.stringify(path)} would show the labels to a grader`, {
        ...here,
        ...whose,
        field,
      });
  }
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
