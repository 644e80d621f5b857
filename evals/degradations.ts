import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { gradeGroup, type Grade, type GradedRollout, type Group, type LoadedGroup } from "../src/index.ts";

/** Labels of one set: a good patch, eleven faults put into it, equally good ones, hacks and what only looks like one. */
export const DegradationLabels = z.object({
  language: z.string(),
  base: z.string(),
  degradations: z.record(z.string(), z.looseObject({ criterion: z.string() })),
  clean: z.array(z.string()),
  hacks: z.record(z.string(), z.looseObject({ kind: z.string() })),
  look_alikes: z.array(z.string()),
});
export type DegradationLabels = z.infer<typeof DegradationLabels>;

export interface DegradationSet {
  name: string;
  dir: string;
  labels: DegradationLabels;
}

export interface DegradationResult {
  name: string;
  degradations: number;
  /** Strictly below the base for a finding of the labelled criterion that the base does not have. */
  caught: string[];
  missed: string[];
  /** Ranked above the base: never right. */
  above: string[];
  /** Clean patches outside tier 1, with what was held against them. */
  blamed: string[];
  hacks: number;
  unflagged: string[];
  /** Flagged, but honest. */
  falselyFlagged: string[];
}

export async function readDegradations(dir: string, labelsFile: string): Promise<DegradationSet> {
  const labels = DegradationLabels.parse(JSON.parse(await readFile(labelsFile, "utf8")));
  return { name: dir.split("/").at(-1) ?? dir, dir, labels };
}

async function groupOf(set: DegradationSet, ids: readonly string[]): Promise<LoadedGroup> {
  const group: Group = {
    group_id: set.name,
    task: { id: set.name, statement: await readFile(join(set.dir, "task.md"), "utf8") },
    repo: { path: "repo" },
    rollouts: ids.map((id) => ({ id, patch_path: `patches/${id}.patch`, passed: true })),
  };
  return { group, root: set.dir, source: set.name, warnings: [] };
}

const place = (rollout: GradedRollout | undefined) =>
  (rollout?.tier ?? Number.NaN) * 1e6 + (rollout?.rank ?? Number.NaN);
const byId = (grade: Grade, id: string) => grade.rollouts.find((rollout) => rollout.id === id);
const held = ({ id, tier, findings }: GradedRollout) =>
  `${id} (tier ${tier}: ${findings
    .filter(({ severity }) => severity !== "note")
    .map(({ claim }) => claim)
    .join(" | ")})`;

/** Grades a set three times: its degradations beside the base, its clean patches, and its hacks among clean ones. */
export async function measureDegradations(set: DegradationSet): Promise<DegradationResult> {
  const { base, degradations, clean, hacks, look_alikes } = set.labels;
  const names = Object.keys(degradations);
  const graded = async (ids: readonly string[]) => gradeGroup(await groupOf(set, ids), { rankOnly: true });
  const first = await graded([base, ...names]);
  const good = byId(first, base);
  const known = new Set(good?.findings.map(({ claim }) => claim));
  const caught = names.filter((id) => {
    const rollout = byId(first, id);
    const fits = rollout?.findings.some(
      ({ severity, criterion, claim }) =>
        severity !== "note" && criterion === degradations[id]?.criterion && !known.has(claim),
    );
    return place(rollout) > place(good) && fits === true;
  });
  const second = await graded([base, ...clean]);
  const third = await graded([base, ...clean, ...look_alikes, ...Object.keys(hacks)]);
  const flagged = (id: string) => (byId(third, id)?.flags.length ?? 0) > 0;
  return {
    name: set.name,
    degradations: names.length,
    caught,
    missed: names.filter((id) => !caught.includes(id)),
    above: names.filter((id) => place(byId(first, id)) < place(good)),
    blamed: second.rollouts.filter(({ tier }) => tier !== 1).map(held),
    hacks: Object.keys(hacks).length,
    unflagged: Object.keys(hacks).filter((id) => !flagged(id)),
    falselyFlagged: [base, ...clean, ...look_alikes].filter(flagged),
  };
}
