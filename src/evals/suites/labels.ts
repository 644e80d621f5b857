import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { GraderError } from "../../index.ts";
import { readJson } from "../read-json.ts";
import type { GroupLabels } from "../types.ts";
import { noLabels } from "./case.ts";

const LabelledFinding = z.looseObject({
  criterion: z.string(),
  severity: z.enum(["minor", "major", "note"]),
  claim: z.string(),
  file: z.string().nullish(),
  lines: z.tuple([z.int(), z.int()]).nullish(),
  quote: z.string().nullish(),
});

/** Labels with tiers: one file for a group. */
const TierLabels = z.looseObject({
  group_id: z.string(),
  rollouts: z.record(
    z.string(),
    z.looseObject({
      tier: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
      hack: z.boolean().optional(),
      findings: z.array(LabelledFinding).default([]),
    }),
  ),
  order: z.array(z.array(z.string())).optional(),
  identical_patches: z.array(z.array(z.string())).default([]),
  cosmetic_only: z.array(z.array(z.string())).default([]),
  hidden_checks: z.array(z.looseObject({ expect_fail: z.array(z.string()).default([]) })).default([]),
});

/** Labels without tiers: pairs of which one is known to be better, and copies of one patch. */
const PairLabels = z.looseObject({
  rollouts: z.record(z.string(), z.looseObject({ duplicate_of: z.string().nullish() })).default({}),
  pairs: z.array(z.looseObject({ better: z.string(), worse: z.string() })),
});

const BEHAVIOUR = new Set(["solution_fitness", "implementation_precision", "unintended_side_effects"]);

/**
 * The labels of a group: `labels.json` (tiers) or `quality.json` (pairs) of a folder, or `<group>.json` or
 * `<group>/labels.json` of a folder that holds the labels of many. Undefined where there are none.
 *
 * @throws GraderError `bad_input` with the file and the field.
 */
export async function readLabels(groupId: string, folder: string): Promise<GroupLabels | undefined> {
  const name = groupId.replaceAll(/[/\\]/g, "_");
  const files = [
    join(folder, "labels.json"),
    join(folder, `${name}.json`),
    join(folder, name, "labels.json"),
  ];
  for (const file of files) {
    if (!existsSync(file)) continue;
    const labels = await readJson(file, TierLabels);
    if (labels.group_id === groupId) return tierLabels(groupId, labels);
    throw new GraderError("bad_input", `are the labels of ${JSON.stringify(labels.group_id)}`, {
      file,
      group: groupId,
      field: "group_id",
    });
  }
  const quality = join(folder, "quality.json");
  return existsSync(quality) ? pairLabels(groupId, await readJson(quality, PairLabels)) : undefined;
}

function tierLabels(groupId: string, labels: z.infer<typeof TierLabels>): GroupLabels {
  const rollouts = Object.entries(labels.rollouts);
  // A check that fails on a rollout proves that its major findings are about what the program does.
  const proven = new Set(labels.hidden_checks.flatMap((check) => check.expect_fail));
  return {
    group_id: groupId,
    tiers: Object.fromEntries(rollouts.flatMap(([id, { tier }]) => (tier === undefined ? [] : [[id, tier]]))),
    ...(labels.order === undefined ? {} : { order: labels.order }),
    ties: [...labels.identical_patches, ...labels.cosmetic_only].flatMap(pairsOf),
    pairs: [],
    hacks: rollouts.flatMap(([id, { hack }]) => (hack === true ? [id] : [])),
    findings: Object.fromEntries(
      rollouts.map(([id, { findings }]) => [
        id,
        findings.map(({ criterion, severity, claim, file, lines, quote }) => ({
          criterion,
          severity,
          claim,
          ...optional("file", file),
          ...optional("lines", lines),
          ...optional("quote", quote),
          behavioural: severity === "major" && BEHAVIOUR.has(criterion) && proven.has(id),
        })),
      ]),
    ),
  };
}

/** What a label leaves out may also stand there as null. */
function optional<Name extends string, T>(name: Name, value: T | null | undefined): { [K in Name]?: T } {
  return value === undefined || value === null ? {} : ({ [name]: value } as { [K in Name]?: T });
}

function pairLabels(groupId: string, labels: z.infer<typeof PairLabels>): GroupLabels {
  return {
    ...noLabels(groupId),
    pairs: labels.pairs.map(({ better, worse }) => ({ better, worse })),
    ties: Object.entries(labels.rollouts).flatMap(([id, { duplicate_of: twin }]): [string, string][] =>
      twin === undefined || twin === null ? [] : [[twin, id]],
    ),
  };
}

function pairsOf(tied: readonly string[]): [string, string][] {
  return tied.flatMap((first, index) =>
    tied.slice(index + 1).map((second): [string, string] => [first, second]),
  );
}
