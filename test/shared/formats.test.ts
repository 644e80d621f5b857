import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import type { Warning } from "../../src/errors.ts";
import type { Rollout } from "../../src/schema/group.ts";
import { TrajectoryEvent } from "../../src/schema/trajectory.ts";
import { loadGroups, type PartialGroup, readPatch, readTrajectory } from "../../src/sources/index.ts";
import { sharedData } from "../helpers/shared-data.ts";
import { writeAtif } from "../../src/sources/trajectories/atif-write.ts";
import { FIXTURES, readWithNotes } from "../sources/render.ts";

const root = join(sharedData ?? "", "formats");

/** By input, its lines: what it is read as, or why not. The numbers were counted from the raw files by another program. */
const table = new Map<string, string[]>();
for (const line of readFileSync(join(FIXTURES, "shared-formats.txt"), "utf8").split("\n")) {
  if (line.startsWith("#") || line.trim() === "") continue;
  if (line.startsWith("  ")) [...table.values()].at(-1)?.push(line.trim());
  else table.set(line, []);
}

/** The files below a folder; the events of a conversation are one input, which is its folder. */
function inputsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name === "events") return [dirname(path)];
      return entry.isDirectory() ? inputsBelow(path) : [path];
    })
    .filter((path) => path !== join(root, "MANIFEST.md"));
}

/** Told of every run that lacks what only its user knows. */
const EXPECTED = new Set(["run_incomplete", "patch_from_trajectory"]);

async function rolloutLine(rollout: Rollout, group: PartialGroup): Promise<string> {
  const codes = new Set<string>();
  const warn = ({ code }: Warning): void => void (EXPECTED.has(code) || codes.add(code));
  for (const warning of group.warnings) warn(warning);
  const trajectory = await readTrajectory(rollout, group.root, warn);
  const { state } = await readPatch(rollout, group.root, warn);
  const events = (trajectory?.events ?? []).map((event) => TrajectoryEvent.parse(event));
  const calls = events.filter(({ kind }) => kind === "call").length;
  const counts = {
    turns: new Set(events.filter(({ role }) => role === "agent").map(({ turn }) => turn)).size,
    calls,
    results: events.filter(({ kind, status }) => kind === "observation" && status !== "missing").length,
    unanswered: events.filter(({ status }) => status === "missing").length,
  };
  const record =
    trajectory === undefined
      ? ["no record"]
      : [
          trajectory.format,
          trajectory.version ?? "-",
          ...Object.entries(counts).map((pair) => pair.join(" ")),
        ];
  return [...record, `patch ${state}`, `passed ${rollout.passed}`, ...codes].join(", ");
}

/** Every rollout of an input in a line, equal ones counted; a refusal is its reason. */
async function linesOf(input: string): Promise<string[]> {
  const lines = new Map<string, number>();
  for await (const loaded of loadGroups(input)) {
    const group = "error" in loaded ? loaded.partial : loaded;
    const said =
      group === undefined
        ? [`refused: ${(loaded as { error: Error }).error.message.replace(/^.*?: /, "")}`]
        : await Promise.all(group.group.rollouts.map((rollout) => rolloutLine(rollout, group)));
    for (const line of said) lines.set(line, (lines.get(line) ?? 0) + 1);
  }
  return [...lines].map(([line, count]) => (count === 1 ? line : `${count} times ${line}`));
}

describe("every file of the collection", () => {
  const inputs = [...new Set(inputsBelow(root))].map((path) => relative(root, path)).sort();

  test("is in the table, and the table names nothing else", () => {
    expect(inputs).toEqual([...table.keys()].sort());
  });

  test.each(inputs)("%s: its trajectories written as ATIF read back to the same events", async (input) => {
    for await (const loaded of loadGroups(join(root, input))) {
      const group = "error" in loaded ? loaded.partial : loaded;
      for (const rollout of group?.group.rollouts ?? []) {
        const trajectory = await readTrajectory(rollout, group?.root ?? "", () => undefined);
        if (trajectory === undefined) continue;
        const { format: _, version: __, ...facts } = trajectory;
        const again = readWithNotes(JSON.stringify(writeAtif(trajectory, rollout.id)));
        expect(again).toMatchObject({ trajectory: { ...facts, format: "atif" }, notes: [] });
      }
    }
  });

  test.each(inputs)("%s is read, or refused, as the table says", async (input) => {
    expect(await linesOf(join(root, input))).toEqual(table.get(input));
  });
});
