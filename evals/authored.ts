import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { gradeGroup, loadGroups, type Grade, type LoadedGroup } from "../src/index.ts";
import { randomOrder, smallestPatch } from "./baselines.ts";
import { addPairs, crossTierPairs, pairwiseAccuracy, type PairCount, type Scores } from "./metrics.ts";

/** Labels of one group; they lie apart from what a grader sees. */
export const Labels = z.object({
  rollouts: z.record(z.string(), z.object({ tier: z.int().optional(), hack: z.boolean().optional() })),
});
export type Labels = z.infer<typeof Labels>;

export interface LabelledGroup {
  loaded: LoadedGroup;
  labels: Labels;
}

/** The groups in these folders with their labels, `<group>.json` in `labelsDir`. */
export async function readSuite(folders: readonly string[], labelsDir: string): Promise<LabelledGroup[]> {
  const groups: LabelledGroup[] = [];
  for (const folder of folders)
    for await (const loaded of loadGroups(folder)) {
      if ("error" in loaded) throw loaded.error;
      const labels = await readFile(join(labelsDir, `${loaded.group.group_id}.json`), "utf8");
      groups.push({ loaded, labels: Labels.parse(JSON.parse(labels)) });
    }
  return groups;
}

/** The bundled groups. One of them is the example that the demo grades. Paths are relative to the project. */
export const AUTHORED = {
  folders: [
    "examples/tallybook-post-split",
    "evals/suites/authored/inikit-duplicate-keys",
    "evals/suites/authored/tagwire-filter-args",
    "evals/suites/authored/ttlkeep-slow-set",
  ],
  labels: "evals/labels/authored",
} as const;

export function tiersOf(labels: Labels): Map<string, number> {
  return new Map(
    Object.entries(labels.rollouts).flatMap(([id, { tier }]) => (tier === undefined ? [] : [[id, tier]])),
  );
}

/** Better places are higher scores; ties stay ties. */
export function gradeScores(grade: Grade): Scores {
  return new Map(
    grade.rollouts.flatMap(({ id, tier, rank }) =>
      tier === undefined ? [] : [[id, -(tier * 1000 + (rank ?? 0))]],
    ),
  );
}

export interface GraderRow {
  grader: string;
  count: PairCount;
  accuracy: number | null;
}

/** Cross-tier pairs of the offline grader beside the baselines. Random is the mean over `draws` seeds. */
export async function compareOffline(
  groups: readonly LabelledGroup[],
  draws = 200,
): Promise<{ rows: GraderRow[]; grades: Grade[] }> {
  const grades: Grade[] = [];
  const offline: PairCount[] = [];
  const smallest: PairCount[] = [];
  const random: PairCount[] = [];
  for (const { loaded, labels } of groups) {
    const tiers = tiersOf(labels);
    const grade = await gradeGroup(loaded, { rankOnly: true });
    grades.push(grade);
    offline.push(crossTierPairs(tiers, gradeScores(grade)));
    smallest.push(crossTierPairs(tiers, await smallestPatch(loaded)));
    for (let seed = 0; seed < draws; seed += 1) random.push(crossTierPairs(tiers, randomOrder(loaded, seed)));
  }
  const row = (grader: string, counts: readonly PairCount[]) => {
    const count = addPairs(counts);
    return { grader, count, accuracy: pairwiseAccuracy(count) };
  };
  return {
    rows: [row("offline", offline), row("smallest-patch", smallest), row(`random (${draws} draws)`, random)],
    grades,
  };
}
