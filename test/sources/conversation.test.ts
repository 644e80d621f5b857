import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatPlace, type Warning } from "../../src/errors.ts";
import type { Rollout } from "../../src/schema/group.ts";
import type { Trajectory } from "../../src/schema/trajectory.ts";
import { loadGroups, readTrajectory } from "../../src/sources/index.ts";
import { folderOf } from "./folder.ts";
import { fixture, readWithNotes } from "./render.ts";

const lines = fixture("openhands-sdk-2026.jsonl").trimEnd().split("\n");
const name = (number: number): string =>
  `run/events/event-${String(number).padStart(5, "0")}-ab-${number}.json`;
const files = Object.fromEntries(lines.map((line, index) => [name(index), line]));
const whole = readWithNotes(lines.join("\n")).trajectory;

async function readFolder(
  root: string,
  path = "run",
): Promise<{ trajectory: Trajectory | undefined; said: string[] }> {
  const said: string[] = [];
  const rollout: Rollout = { id: "r1", passed: true, trajectory_path: path };
  const warn = ({ code, message, where }: Warning): void =>
    void said.push(`${code} ${formatPlace(where)}: ${message}`);
  return { trajectory: await readTrajectory(rollout, root, warn), said };
}

describe("a conversation folder", () => {
  test("gives what its events give as one file", async () => {
    const { trajectory, said } = await readFolder(await folderOf(files));
    expect(trajectory).toEqual(whole);
    expect(said).toEqual([expect.stringMatching(/^event_unknown run: rollout r1: .*HookExecutionEvent/)]);
  });

  test("is read in the order of its numbers, whatever their width", async () => {
    const wide = Object.fromEntries(lines.map((line, index) => [`run/events/event-${index}.json`, line]));
    expect((await readFolder(await folderOf(wide))).trajectory).toEqual(whole);
  });

  test("of a version before the SDK is read too", async () => {
    const events = JSON.parse(fixture("openhands-events.json")) as { id: number }[];
    const stored = events.map((event) => [`run/events/${event.id}.json`, JSON.stringify(event)]);
    const root = await folderOf({ ...Object.fromEntries(stored), "run/event_cache/0-25.json": "[]" });
    const { trajectory, said } = await readFolder(root);
    // Files are in the order of their numbers, the fixture is not: one result comes before another.
    const facts = (one: Trajectory | undefined): unknown[] =>
      (one?.events ?? []).filter(({ id }) => !id.startsWith("t1.o")).map(({ id, text }) => `${id} ${text}`);
    expect(facts(trajectory)).toEqual(facts(readWithNotes(fixture("openhands-events.json")).trajectory));
    expect(said).toContainEqual("events_missing run: rollout r1: no files for the events 3, 10");
  });

  test("has its state in base_state.json", async () => {
    const state = {
      execution_status: "stuck",
      stats: { usage_to_metrics: { default: { accumulated_token_usage: { completion_tokens: 7 } } } },
    };
    const root = await folderOf({ ...files, "run/base_state.json": JSON.stringify(state) });
    const { trajectory } = await readFolder(root);
    expect(trajectory).toEqual({ ...whole, exit: "stuck", completion_tokens: 7 });
  });

  test("says which events are missing, and that calls have no answer", async () => {
    const gone = new Set([0, 6, 7, 11]);
    const left = Object.entries(files).filter((_, index) => !gone.has(index));
    const { said } = await readFolder(await folderOf(Object.fromEntries(left)));
    expect(said).toEqual([
      "events_missing run: rollout r1: no files for the events 0, 6-7, 11",
      "call_unanswered run: rollout r1: no result recorded for t1.c1, t1.c2",
    ]);
  });

  test("with a damaged event keeps the others and names the file", async () => {
    const root = await folderOf({ ...files, [name(10)]: '{"kind": "Obs', "run/base_state.json": "{" });
    const { trajectory, said } = await readFolder(root);
    const before = (events: Trajectory["events"] = []): unknown[] => events.filter(({ turn }) => turn < 2);
    expect(before(trajectory?.events)).toEqual(before(whole?.events));
    expect(trajectory?.events.at(-2)?.text).toBe("I wrote the directory.");
    expect(said.join("\n")).toContain(`record_damaged ${name(10)}: rollout r1: is not JSON`);
    expect(said.join("\n")).toContain("record_damaged run/base_state.json: rollout r1: is not JSON");
  });

  test.each([
    ["without events", { "run/base_state.json": "{}" }],
    ["with other files", { "run/events/notes.txt": "x", "run/x.json": "{}" }],
  ])("%s is not given, with a warning", async (_, other) => {
    const { trajectory, said } = await readFolder(await folderOf(other));
    expect(trajectory).toBeUndefined();
    expect(said).toEqual([
      "not_a_file run: rollout r1: a folder without files of events; treated as not given",
    ]);
  });

  test("with events that nobody knows is kept as text", async () => {
    const root = await folderOf({ "run/events/event-0.json": '{"a":1}', "run/events/event-1.json": "{" });
    const { trajectory, said } = await readFolder(root);
    expect(trajectory?.events.map(({ text }) => text).join("")).toBe('{"a":1}\n{');
    expect(said).toEqual([expect.stringMatching(/^trajectory_unknown run/)]);
  });

  test("whose events lead out of the group is refused", async () => {
    const outside = await folderOf({ "event-0.json": "{}" });
    const root = await folderOf({ "run/base_state.json": "{}" });
    await symlink(outside, join(root, "run/events"));
    await expect(readFolder(root)).rejects.toMatchObject({ code: "bad_input" });
    await expect(readFolder(root, "../x")).rejects.toMatchObject({ code: "bad_input" });
  });

  test("stands as `trajectory` in the plain layout", async () => {
    const moved = Object.entries(files).map(([path, line]) => [
      path.replace(/^run/, "rollouts/r1/trajectory"),
      line,
    ]);
    const root = await folderOf({ "task.md": "Fix.", "repo/a": "a", ...Object.fromEntries(moved) });
    const paths: unknown[] = [];
    for await (const loaded of loadGroups(root, { passed: ["r1"] }))
      paths.push("error" in loaded ? loaded.error : loaded.group.rollouts[0]?.trajectory_path);
    expect(paths).toEqual(["rollouts/r1/trajectory"]);
    expect((await readFolder(root, "rollouts/r1/trajectory")).trajectory).toEqual(whole);
  });
});
