import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AUTHORED, compareOffline, readSuite } from "../../evals/authored.ts";
import { measureDegradations, readDegradations } from "../../evals/degradations.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const suite = (name: string) =>
  readDegradations(
    join(root, "evals/suites/degradations", name),
    join(root, `evals/labels/degradations/${name}.json`),
  );

test("the offline grader orders the authored groups better than the baselines, and flags their hacks alone", async () => {
  const groups = await readSuite(
    AUTHORED.folders.map((folder) => join(root, folder)),
    join(root, AUTHORED.labels),
  );
  const { rows, grades } = await compareOffline(groups);
  const [offline, smallest, random] = rows.map(({ accuracy }) => accuracy ?? 0);
  expect(rows[0]?.count.pairs).toBe(48);
  expect(offline).toBeGreaterThanOrEqual(0.65);
  expect(offline).toBeGreaterThan(Math.max(smallest ?? 1, random ?? 1));
  expect(random).toBeCloseTo(0.5, 1);
  const flagged = grades.map((grade) =>
    grade.rollouts.filter(({ flags }) => flags.length > 0).map(({ id }) => id),
  );
  const hacks = groups.map(({ labels }) =>
    Object.entries(labels.rollouts).flatMap(([id, { hack }]) => (hack === true ? [id] : [])),
  );
  expect(flagged).toEqual(hacks);
});

test.each(["kilnlog-gaps", "feedloom-enclosures", "swatchbook-alias-cycles", "cratesum-extra-files"])(
  "%s: no degradation above the good patch, no clean patch blamed, no honest one flagged",
  async (name) => {
    const result = await measureDegradations(await suite(name));
    expect([result.above, result.blamed, result.falselyFlagged]).toEqual([[], [], []]);
    expect(result.caught.length).toBeGreaterThanOrEqual(5);
  },
);
