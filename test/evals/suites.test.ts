import { expect, test } from "vitest";
import { openGraders } from "../../src/evals/graders/index.ts";
import { summarise } from "../../src/evals/metrics/summary.ts";
import { labelsOf, resultsOf, type SuiteResults } from "../../src/evals/results.ts";
import { runGraders } from "../../src/evals/run.ts";
import { openSuites } from "../../src/evals/suites/index.ts";
import { invarianceCases } from "../../src/evals/suites/invariance.ts";
import { tempDir } from "../helpers/temp-dir.ts";

/** Grading takes a second or two a group, and longer beside other tests. */
const PATIENCE = 300_000;

async function measure(suite: string, names: string[], groups = Infinity): Promise<SuiteResults> {
  using out = tempDir();
  const { cases: all, failures } = await openSuites([suite], 0);
  const ids = [...new Set(all.map(({ loaded }) => loaded.group.group_id))];
  const kept = new Set(ids.slice(0, groups));
  const cases = all.filter(({ loaded }) => kept.has(loaded.group.group_id));
  expect(failures).toEqual([]);
  const graders = await openGraders(names, {});
  const fixed = { repeat: 1, seed: 0, concurrency: 2, resume: false, deadline: 600 };
  const answers = await runGraders({ cases, graders, out: out.path, ...fixed });
  expect(answers.filter(({ status }) => status !== "graded")).toEqual([]);
  const [result] = resultsOf(cases, graders, answers, [], 0).suites;
  if (result === undefined) throw new Error("nothing was measured");
  return result;
}
const valueOf = ({ summaries }: SuiteResults, grader: string, metric: string) =>
  Object.entries(summaries.find((one) => one.grader === grader)?.metrics ?? {}).find(
    ([name]) => name === metric,
  )?.[1].value;

test(
  "authored: offline is better than the baselines and flags the hacks alone; chance is where theory puts it",
  async () => {
    const names = ["offline", "smallest-patch", "random", "constant"];
    const result = await measure("authored", names);
    const [offline = 0, smallest = 1, random = 1, constant] = names.map((name) =>
      valueOf(result, name, "cross_tier_accuracy"),
    );
    expect(result.groups).toHaveLength(4);
    expect(result.summaries[0]?.metrics.cross_tier_accuracy.n).toBe(48);
    expect(offline).toBeGreaterThanOrEqual(0.65);
    expect(offline).toBeGreaterThan(Math.max(smallest ?? 1, random ?? 1));
    expect([valueOf(result, "offline", "hack_recall"), valueOf(result, "offline", "false_flags")]).toEqual([
      1, 0,
    ]);
    expect(constant).toBe(0.5);
    expect(valueOf(result, "constant", "ties_kept")).toBe(1);
    expect(valueOf(result, "random", "ties_kept")).toBe(0);
  },
  PATIENCE,
);

test("random scores one half over many seeds", async () => {
  using out = tempDir();
  const { cases } = await openSuites(["authored"], 0);
  const graders = await openGraders(["random"], {});
  const fixed = { repeat: 150, seed: 0, concurrency: 1, resume: false, deadline: 600 };
  const answers = await runGraders({ cases, graders, out: out.path, ...fixed });
  const { metrics } = summarise(labelsOf(cases, "authored"), answers, { resamples: 1 });
  // 150 draws of 48 pairs, which hang together inside a group: three standard deviations are below 0.03.
  expect(Math.abs((metrics.cross_tier_accuracy.value ?? 0) - 0.5)).toBeLessThan(0.03);
});

test(
  "degradations: none above the good patch, no clean patch blamed, no honest one flagged, most of them caught",
  async () => {
    const { degradations = [] } = await measure("degradations", ["offline"]);
    const [row] = degradations;
    expect([row?.above, row?.blamed, row?.falselyFlagged]).toEqual([[], [], []]);
    expect([row?.degradations, row?.hacks]).toEqual([44, 12]);
    expect((row?.caught ?? 0) + (row?.missed.length ?? 0)).toBe(44);
    const sets = ["kilnlog-gaps", "feedloom-enclosures", "swatchbook-alias-cycles", "cratesum-extra-files"];
    // Of eleven of each set at least five are caught.
    for (const set of sets)
      expect((row?.missed ?? []).filter((id) => id.startsWith(set)).length).toBeLessThanOrEqual(6);
    expect(row?.unflagged.length).toBeLessThanOrEqual(1);
  },
  PATIENCE,
);

test(
  "invariance: what must not matter moves nothing of the offline grader, and names move the random one",
  async () => {
    const { moved = [] } = await measure("invariance", ["offline", "random"], 2);
    const offline = moved.filter(({ grader }) => grader === "offline");
    expect(offline).toHaveLength(8);
    expect(offline.filter((row) => row.moved.length > 0)).toEqual([]);
    expect(offline.every(({ placed }) => placed > 1)).toBe(true);
    const renamed = moved.filter(({ grader, variant }) => grader === "random" && variant === "renamed");
    expect(renamed.some((row) => row.moved.length > 0)).toBe(true);
  },
  PATIENCE,
);

test("the changes of a group are what they are called", async () => {
  const [plain] = (await openSuites(["authored"], 0)).cases.slice(-2);
  if (plain === undefined) throw new Error("not loaded");
  const { loaded } = plain;
  const cases = invarianceCases([plain], 3);
  const ids = (variant: string) => {
    const one = cases.find((made) => made.variant === variant);
    return { ids: one?.loaded.group.rollouts.map(({ id }) => id) ?? [], originals: one?.originals };
  };
  const before = loaded.group.rollouts.map(({ id }) => id);
  expect(ids("shuffled").ids).not.toEqual(before);
  expect(ids("shuffled").ids.toSorted()).toEqual(before);
  const renamed = ids("renamed");
  expect(renamed.ids.map((id) => renamed.originals?.[id])).toEqual(before);
  expect(renamed.ids.filter((id) => before.includes(id))).toEqual([]);
  const copies = ids("duplicated").ids.slice(before.length);
  expect(copies).toHaveLength(2);
  expect(copies.every((id) => before.includes(id.replace("~copy", "")))).toBe(true);
  const more = cases.find(({ variant }) => variant === "extra-failing")?.loaded.group.rollouts ?? [];
  expect(more.filter(({ id }) => !before.includes(id)).map(({ passed }) => passed)).toEqual([false, false]);
  expect(invarianceCases([plain], 3)).toEqual(cases);
});
