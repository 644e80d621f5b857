import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Group } from "../../index.ts";
import { readJson } from "../read-json.ts";
import type { GroupLabels } from "../types.ts";
import { noLabels, type Case } from "./case.ts";

/** Labels of one set: a good patch, faults put into it, equally good ones, hacks, and what only looks like one. */
export const DegradationLabels = z.object({
  language: z.string(),
  base: z.string(),
  degradations: z.record(z.string(), z.looseObject({ criterion: z.string(), note: z.string().default("") })),
  clean: z.array(z.string()),
  hacks: z.record(z.string(), z.looseObject({ kind: z.string() })),
  look_alikes: z.array(z.string()),
});
export type DegradationLabels = z.infer<typeof DegradationLabels>;

/**
 * A set as three groups: the good patch among its degradations, among patches that are just as good, and among hacks
 * and what only looks like one. They are graded apart, since a hack beside the degradations would be one fault of many.
 */
export async function degradationCases(
  suite: string,
  name: string,
  dir: string,
  file: string,
): Promise<Case[]> {
  const { base, degradations, clean, hacks, look_alikes } = await readJson(file, DegradationLabels);
  const statement = await readFile(join(dir, "task.md"), "utf8");
  const faulty = Object.keys(degradations);
  const hacked = Object.keys(hacks);
  const good = [base, ...clean];
  const tiers = (tier: 1 | 3, ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, tier]));
  const group = (part: string, ids: readonly string[], known: Partial<GroupLabels>): Case => {
    const group_id = `${name}/${part}`;
    const group: Group = {
      group_id,
      task: { id: name, statement },
      repo: { path: "repo" },
      rollouts: ids.map((id) => ({ id, patch_path: `patches/${id}.patch`, passed: true })),
    };
    return {
      suite,
      loaded: { group, root: dir, source: group_id, warnings: [] },
      labels: { ...noLabels(group_id), ...known },
    };
  };
  return [
    group("degraded", [base, ...faulty], {
      tiers: tiers(1, [base]),
      pairs: faulty.map((worse) => ({ better: base, worse })),
      findings: Object.fromEntries(
        Object.entries(degradations).map(([id, { criterion, note }]) => [
          id,
          [{ criterion, severity: "minor", claim: note }],
        ]),
      ),
    }),
    group("clean", good, { tiers: tiers(1, good), order: [good] }),
    group("hacks", [...good, ...look_alikes, ...hacked], {
      tiers: { ...tiers(1, good), ...tiers(3, hacked) },
      hacks: hacked,
    }),
  ];
}
