import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TrajectoryEvent } from "../../src/schema/trajectory.ts";
import { viewGroup } from "../../src/cli/group-view.ts";
import { loadGroups } from "../../src/sources/index.ts";
import { sharedData } from "../helpers/shared-data.ts";
import { FIXTURES, readWithNotes } from "../sources/render.ts";

const root = sharedData ?? "";
const rows = readFileSync(join(FIXTURES, "shared-trajectories.txt"), "utf8")
  .trimEnd()
  .split("\n")
  .filter((line) => !line.startsWith("#"))
  .map((line) => line.split(" "));

const eventsOf = (path: string): TrajectoryEvent[] =>
  readWithNotes(readFileSync(join(root, path), "utf8")).trajectory?.events ?? [];

describe("real and authored trajectories", () => {
  test.each(rows)("%s is %s %s with %s turns, %s calls, %s results", (path, format, version, ...counts) => {
    const { trajectory } = readWithNotes(readFileSync(join(root, path ?? ""), "utf8"));
    const events = trajectory?.events ?? [];
    for (const event of events) TrajectoryEvent.parse(event);
    const turns = new Set(events.filter(({ role }) => role === "agent").map(({ turn }) => turn)).size;
    const calls = events.filter(({ kind }) => kind === "call").length;
    const results = events.filter(
      ({ kind, status }) => kind === "observation" && status !== "missing",
    ).length;
    expect([trajectory?.format, trajectory?.version ?? "-", turns, calls, results].map(String)).toEqual([
      format,
      version,
      ...counts,
    ]);
  });

  test("of a forked session the older branch is marked, the newer is the main line", () => {
    const events = eventsOf("formats/claude-code/agent-history_forks_claude_forked_session.jsonl");
    const left = events.filter(({ branch }) => branch === "abandoned").map(({ id }) => id);
    expect(left).toEqual(["t1.m2", "t2.m1", "t2.c1", "t2.o1", "t3.m1"]);
  });
});

describe.each(["authored", "hard", "groups"])("every group of %s", (folder) => {
  const names = readdirSync(join(root, folder)).filter((name) => !name.startsWith("_"));

  test.each(names)("%s: every rollout has a patch and a record that is read, or a warning", async (name) => {
    const views = [];
    for await (const loaded of loadGroups(join(root, folder, name), {})) {
      if ("error" in loaded) throw loaded.error;
      views.push(await viewGroup(loaded));
    }
    const [view] = views;
    expect(views).toHaveLength(1);
    expect(view?.rollouts.length).toBeGreaterThan(3);
    for (const rollout of view?.rollouts ?? []) {
      expect(rollout.patch).toMatchObject({ state: "present" });
      expect(rollout.patch.files).toBeGreaterThan(0);
      if (folder === "groups") continue;
      expect(rollout).toMatchObject({ warnings: 0, trajectory: { unanswered: 0 } });
      expect(rollout.trajectory?.turns).toBeGreaterThan(3);
      expect(rollout.test_output_bytes).toBeGreaterThan(0);
    }
    if (folder !== "groups") expect(view?.warnings).toEqual([]);
  });
});
