import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gradeGroup } from "../../src/grade.ts";
import { Grade } from "../../src/schema/grade.ts";
import { loadGroups, type LoadedGroup } from "../../src/sources/index.ts";
import { sharedData } from "../helpers/shared-data.ts";

const root = sharedData ?? "";
const inputs = ["groups", "authored", "hard"]
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .filter((path) => existsSync(join(root, path, "task.md")));

async function load(path: string) {
  const outcomes = join(root, path, "labels/outcomes.json");
  const options = existsSync(outcomes) ? { outcomes } : {};
  for await (const loaded of loadGroups(join(root, path), options)) {
    if ("error" in loaded) throw loaded.error;
    return loaded;
  }
  throw new Error(`no group in ${path}`);
}

/** Ids of rollouts whose patches are equal to the byte, as lists. */
function twins({ group, root }: LoadedGroup): string[][] {
  const byPatch = new Map<string, string[]>();
  for (const { id, patch, patch_path } of group.rollouts) {
    const text = patch ?? readFileSync(join(root, patch_path ?? ""), "utf8");
    byPatch.set(text, [...(byPatch.get(text) ?? []), id]);
  }
  return [...byPatch.values()].filter((ids) => ids.length > 1);
}

describe.each(inputs)("%s", (path) => {
  test.each([false, true])(
    "a valid grade with rankOnly %s: sum kept, equal code tied, evidence for every lower tier",
    async (rankOnly) => {
      const loaded = await load(path);
      const grade = Grade.parse(await gradeGroup(loaded, { rankOnly }));
      expect(grade.status).toBe(
        rankOnly || grade.rollouts.some(({ advantage_given }) => (advantage_given ?? 0) > 0)
          ? "graded"
          : "skipped",
      );
      expect(Math.abs(grade.redistribution.residual)).toBeLessThanOrEqual(1e-9);
      expect(grade.redistribution.conserved).toBe(true);
      for (const ids of twins(loaded)) {
        const places = grade.rollouts
          .filter(({ id }) => ids.includes(id))
          .map(({ tier, rank }) => `${tier}.${rank}`);
        expect(new Set(places).size).toBe(1);
      }
      for (const { tier, findings } of grade.rollouts)
        if (tier !== undefined && tier > 1)
          expect(
            findings.some(({ severity }) => severity === "major" || (tier === 2 && severity === "minor")),
          ).toBe(true);
    },
  );
});
