import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TrajectoryEvent, type Trajectory } from "../../src/schema/trajectory.ts";
import { readTrajectory } from "../../src/sources/index.ts";
import { sharedData } from "../helpers/shared-data.ts";
import { readWithNotes } from "../sources/render.ts";

const root = join(sharedData ?? "", "formats");
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
const attempt = (number: number): string => `openhands/sdk_group_astropy__astropy-12907/attempt${number}`;

function countsOf(trajectory: Trajectory | undefined): (string | number)[] {
  const events = trajectory?.events ?? [];
  for (const event of events) TrajectoryEvent.parse(event);
  const turns = new Set(events.filter(({ role }) => role === "agent").map(({ turn }) => turn)).size;
  const calls = events.filter(({ kind }) => kind === "call").length;
  const results = events.filter(({ kind, status }) => kind === "observation" && status !== "missing").length;
  return [trajectory?.format ?? "", trajectory?.version ?? "-", turns, calls, results];
}

const patchOf = (trajectory: Trajectory | undefined): number | string =>
  trajectory?.submission === undefined ? "absent" : trajectory.submission.length;

// Turns, calls and results were counted from the raw files by another program.
describe("real logs of OpenHands", () => {
  test.each<[string, number | undefined, (string | number)[], number | string]>([
    ["legacy/trajs_basic.json", undefined, ["openhands", "-", 2, 2, 1], "absent"],
    ["legacy/trajs_basic_gui_mode.json", undefined, ["openhands", "-", 5, 4, 4], "absent"],
    ["legacy/trajs_basic_interactions.json", undefined, ["openhands", "-", 3, 1, 0], "absent"],
    ["legacy/trajs_wrong_initial_state.json", undefined, ["openhands", "-", 4, 4, 3], "absent"],
    ["legacy/multi_swe_bench_output.jsonl", 0, ["openhands", "0.35.0", 23, 23, 22], 342],
    ["legacy/multi_swe_bench_output.jsonl", 1, ["openhands", "0.35.0", 33, 33, 32], 533],
    ["legacy/multi_swe_bench_output.jsonl", 2, ["openhands", "0.35.0", 49, 49, 49], 557],
    ["legacy/resolver_output.jsonl", 0, ["openhands", "-", 4, 4, 3], 1284],
    ["legacy/resolver_output.jsonl", 1, ["openhands", "-", 22, 22, 21], 2123],
    ["sdk_events_fixture.jsonl", undefined, ["openhands-sdk", "-", 2, 2, 3], "absent"],
  ])("%s row %s is %j with a patch of %s characters", (path, row, counts, patch) => {
    const text = textOf(`openhands/${path}`);
    const { trajectory, notes } = readWithNotes(row === undefined ? text : (text.split("\n")[row] ?? ""));
    expect([countsOf(trajectory), patchOf(trajectory)]).toEqual([counts, patch]);
    expect(notes.filter((note) => !note.startsWith("result_without_call"))).toEqual([]);
  });

  test.each<[string, (string | number)[], string[]]>([
    [attempt(1), ["openhands-sdk", "-", 20, 20, 20], []],
    [attempt(2), ["openhands-sdk", "-", 25, 25, 25], []],
    [attempt(3), ["openhands-sdk", "-", 51, 51, 51], []],
    [attempt(4), ["openhands-sdk", "-", 57, 57, 57], []],
    [attempt(5), ["openhands-sdk", "-", 0, 0, 0], []],
    ["openhands/sdk_2026_conversation_a", ["openhands-sdk", "-", 3, 2, 2], []],
    [
      "openhands/sdk_dirty_missing_events",
      ["openhands-sdk", "-", 40, 40, 29],
      ["events_missing", "call_unanswered", "result_without_call"],
    ],
  ])("the conversation %s is %j, with %j", async (path, counts, codes) => {
    const said: string[] = [];
    const rollout = { id: "r1", passed: true, trajectory_path: path };
    const trajectory = await readTrajectory(rollout, root, ({ code }) => said.push(code));
    expect(countsOf(trajectory)).toEqual(counts);
    expect(said).toEqual(codes);
    if (codes.length === 0) expect(trajectory?.events.some(({ role }) => role === "task")).toBe(true);
  });

  test("a history with a condensation has it as context", async () => {
    const rollout = { id: "r1", passed: true, trajectory_path: attempt(3) };
    const trajectory = await readTrajectory(rollout, root, () => undefined);
    expect(trajectory?.events.filter(({ kind }) => kind === "context")).toMatchObject([
      { role: "system", text: expect.stringMatching(/^USER_CONTEXT: Fix separability_matrix/) },
    ]);
  });
});

describe("SWE-agent beside its own patch", () => {
  test("a SWE-smith trajectory is read whole", () => {
    const name = "pydantic__pydantic.acb0f10f.pr_8316";
    const { trajectory, notes } = readWithNotes(textOf(`swe-smith/${name}/${name}.traj`));
    expect([countsOf(trajectory), patchOf(trajectory)]).toEqual([["sweagent", "1.0.1", 22, 22, 22], 2048]);
    expect(notes).toEqual([]);
  });
});

describe("one run in two encodings of ATIF", () => {
  const [hermes, flow] = ["native-hermes", "nemo-flow-atof-atif"].map(
    (name) => readWithNotes(textOf(`atif/harbor_${name}-trajectory.json`)).trajectory,
  );
  const work = (trajectory: Trajectory | undefined): unknown[] =>
    (trajectory?.events ?? [])
      .filter(({ kind }) => kind === "call" || kind === "observation")
      .map(({ timestamp: _, ...event }) => event);

  test("gives the same calls, arguments and results under the same ids", () => {
    expect([hermes?.version, flow?.version]).toEqual(["1.2", "1.7"]);
    expect(work(hermes)).toHaveLength(64);
    expect(work(flow)).toEqual(work(hermes));
  });

  test("leaves no call without its result", () => {
    const calls = hermes?.events.filter(({ kind }) => kind === "call").map(({ id }) => id);
    const answered = hermes?.events.flatMap(({ call }) => call ?? []);
    expect(answered?.toSorted()).toEqual(calls?.toSorted());
  });
});
