import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { gradeGroup } from "../../src/grade.ts";
import type { GradedRollout } from "../../src/schema/grade.ts";
import type { Group } from "../../src/schema/group.ts";
import { sharedData } from "../helpers/shared-data.ts";

const Labels = z.record(z.string(), z.looseObject({ criterion_violated: z.string().optional() }));
const groupsDir = join(sharedData ?? "", "groups");
const sets = readdirSync(groupsDir).filter((name) => existsSync(join(groupsDir, name, "labels/metamorphic")));

/** A good patch and eleven degradations of it as one group in which everything passes. */
function metamorphicGroup(name: string): { group: Group; labels: z.infer<typeof Labels> } {
  const dir = join(groupsDir, name, "labels/metamorphic");
  const labels = Labels.parse(JSON.parse(readFileSync(join(dir, "labels.json"), "utf8")));
  const ids = Object.keys(labels);
  return {
    labels,
    group: {
      group_id: name,
      task: { id: name, statement: readFileSync(join(groupsDir, name, "task.md"), "utf8") },
      repo: { archive: "repo.tar.gz" },
      rollouts: ids.map((id) => ({
        id,
        patch: readFileSync(join(dir, `${id}.patch`), "utf8"),
        passed: true,
      })),
    },
  };
}

const place = (rollout: GradedRollout | undefined) =>
  (rollout?.tier ?? Number.NaN) * 1e6 + (rollout?.rank ?? Number.NaN);

describe.each(sets)("metamorphic set %s", (name) => {
  test("no degradation above the base, and at least 8 of 11 below it for the fault that they have", async () => {
    const { group, labels } = metamorphicGroup(name);
    const loaded = { group, root: join(groupsDir, name), source: name, warnings: [] };
    const grade = await gradeGroup(loaded, { rankOnly: true });
    expect(grade.status).toBe("graded");
    const base = grade.rollouts.find(({ id }) => id === "base");
    const others = grade.rollouts.filter(({ id }) => id !== "base");
    expect(others).toHaveLength(11);
    const above = others.filter((rollout) => place(rollout) < place(base)).map(({ id }) => id);
    const below = others.filter((rollout) => place(rollout) > place(base));
    // What the base has as well cannot be what put a degradation below it.
    const known = new Set(base?.findings.map(({ claim }) => claim));
    const fitting = below.filter(({ id, findings }) =>
      findings.some(
        ({ severity, criterion, claim }) =>
          severity !== "note" &&
          !known.has(claim) &&
          criterion === labels[id]?.criterion_violated?.replaceAll(" ", "_"),
      ),
    );
    const missed = others.filter((rollout) => !fitting.includes(rollout)).map(({ id }) => id);
    console.log(
      `${name}: ${fitting.length} of 11 below the base for their fault; missed: ${missed.join(", ") || "none"}`,
    );
    expect(above).toEqual([]);
    expect(fitting.length).toBeGreaterThanOrEqual(8);
  });
});
