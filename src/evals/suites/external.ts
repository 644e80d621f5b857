import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { GraderError, loadGroups, type LoadedGroup } from "../../index.ts";
import type { GroupLabels } from "../types.ts";
import { noLabels, type Case } from "./case.ts";
import { refuseLabelPaths } from "./guard.ts";
import { readLabels } from "./labels.ts";

/** What a suite holds, and what of it could not be read. */
export interface Suite {
  cases: Case[];
  failures: GraderError[];
}

/**
 * The groups of a path: a folder that is one group, a folder of such folders, or a file of groups. Labels lie in
 * `labels/` beside a group, or in `labelsDir`; outcomes that lie there too are what the tests said and are read as
 * `--outcomes` is. A group without labels is graded all the same.
 *
 * @throws GraderError `bad_input` for a path with no group in it.
 */
export async function externalSuite(suite: string, path: string, labelsDir?: string): Promise<Suite> {
  const failures: GraderError[] = [];
  const cases: Case[] = [];
  const groups = await groupFolders(path);
  if (groups.length === 0) throw new GraderError("bad_input", "holds no group", { file: path });
  for (const folder of groups) {
    const own = join(folder, "labels");
    const outcomes = join(own, "outcomes.json");
    const options = !existsSync(join(folder, "group.json")) && existsSync(outcomes) ? { outcomes } : {};
    for await (const loaded of loadGroups(folder, options)) {
      if ("error" in loaded) {
        failures.push(loaded.error);
        continue;
      }
      const { group_id: id } = loaded.group;
      try {
        for (const labels of [own, labelsDir])
          if (labels !== undefined && existsSync(labels)) await refuseLabelPaths(loaded, labels);
        const labels = await readLabels(id, labelsDir ?? own);
        if (labels !== undefined) refuseUnknown(labels, loaded);
        cases.push({ suite, loaded, labels: labels ?? noLabels(id) });
      } catch (error) {
        if (!(error instanceof GraderError)) throw error;
        failures.push(error);
      }
    }
  }
  return { cases, failures };
}

/** A label of a rollout that is not there is a slip, and would count as a tie with everything. */
function refuseUnknown(labels: GroupLabels, { group, source }: LoadedGroup): void {
  const known = new Set(group.rollouts.map(({ id }) => id));
  const { tiers, order = [], ties, pairs, hacks } = labels;
  const named = [
    ...Object.keys(tiers),
    ...order.flat(),
    ...ties.flat(),
    ...pairs.flatMap(({ better, worse }) => [better, worse]),
    ...hacks,
  ];
  const rollout = named.find((id) => !known.has(id));
  if (rollout !== undefined)
    throw new GraderError("bad_input", "has a label but is no rollout of the group", {
      file: source,
      group: group.group_id,
      rollout,
    });
}

/** Folders of groups in code-unit order; a file stands for itself. */
async function groupFolders(path: string): Promise<string[]> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined)
    throw new GraderError("bad_input", "no such suite, file or folder", { file: path });
  if (!stats.isDirectory() || isGroup(path)) return [resolve(path)];
  const names = (await readdir(path)).sort();
  return names.map((name) => resolve(path, name)).filter(isGroup);
}

function isGroup(folder: string): boolean {
  const has = (name: string) => existsSync(join(folder, name));
  return has("group.json") || (has("task.md") && has("rollouts"));
}
