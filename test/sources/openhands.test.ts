import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TrajectoryEvent } from "../../src/schema/trajectory.ts";
import { readTrajectoryValue } from "../../src/sources/trajectories/detect.ts";
import { fixture, readWithNotes, renderEvent } from "./render.ts";

const read = (value: unknown): ReturnType<typeof readWithNotes> => readWithNotes(JSON.stringify(value));
const formatOf = (value: unknown): string | undefined => read(value).trajectory?.format;
const events = JSON.parse(fixture("openhands-events.json")) as Record<string, unknown>[];
const sdkEvents = JSON.parse(fixture("openhands-sdk-2025.json")) as Record<string, unknown>[];
const rows = fixture("openhands-row.jsonl").trimEnd().split("\n");

describe("a row of output.jsonl", () => {
  const row = { instance_id: "a__b-1", metadata: {}, test_result: { git_patch: "" }, error: null };

  test("gives the events of its history, the patch and how the run ended", () => {
    const { trajectory, notes } = read({
      ...row,
      history: sdkEvents,
      test_result: { git_patch: "diff --git a/x b/x\n" },
      metrics: { accumulated_token_usage: { completion_tokens: 9 } },
      error: "Timeout",
    });
    expect(trajectory).toEqual({
      ...read(sdkEvents).trajectory,
      submission: "diff --git a/x b/x\n",
      exit: "Timeout",
      completion_tokens: 9,
    });
    expect(notes.map((note) => note.split(" | ").slice(0, 2))).toContainEqual([
      "arguments_unparsed",
      "history[9]",
    ]);
  });

  test("of a run that broke before its first event has the task and no more", () => {
    const { trajectory, notes } = read({ ...row, history: [], instruction: "Fix it.", error: "no runtime" });
    expect(trajectory?.events.map(renderEvent)).toEqual(['t0.m1 task "Fix it."']);
    expect(trajectory).toMatchObject({ format: "openhands", submission: "", exit: "no runtime" });
    expect(notes).toEqual([]);
  });

  test.each<[string, unknown, string | undefined]>([
    ["null", null, undefined],
    ["empty", "", ""],
    ["a patch of the resolver", undefined, "diff"],
  ])("keeps the states of its patch apart: %s", (_, patch, submission) => {
    const given = patch === undefined ? { git_patch: "diff" } : { test_result: { git_patch: patch } };
    expect(read({ instance_id: "x", history: events, ...given }).trajectory?.submission).toBe(submission);
  });

  test("among rows of other runs is the first, in lines as in a list, and the others are told", () => {
    const list = readTrajectoryValue(
      rows.map((line) => JSON.parse(line) as unknown),
      () => undefined,
    );
    const { trajectory, notes } = readWithNotes(rows.join("\n"));
    expect(list).toEqual(trajectory);
    expect(list?.events).toEqual(readWithNotes(rows[0] ?? "").trajectory?.events);
    expect(notes.filter((note) => note.startsWith("rows_unread"))).toHaveLength(1);
    expect(readWithNotes(rows[0] ?? "").notes.join()).not.toContain("rows_unread");
  });

  test("that is damaged does not take the others with it", () => {
    const { trajectory, notes } = readWithNotes([rows[0], rows[1]?.slice(0, 60), rows[1]].join("\n"));
    expect(trajectory?.events).toEqual(readWithNotes(rows[0] ?? "").trajectory?.events);
    expect(notes.filter((note) => note.startsWith("record_damaged | line 2"))).toHaveLength(1);
  });
});

describe("is told by its events", () => {
  test.each<[string, unknown, string]>([
    ["one legacy event", events[1], "openhands"],
    ["one SDK event", sdkEvents[1], "openhands-sdk"],
    ["events behind what is no event", [1, "x", null, {}, events[5]], "openhands"],
    ["results alone", [events[8]], "openhands"],
    ["steps with action and observation", [{ action: "ls", observation: "a", thought: "" }], "text"],
    ["other things that have a kind", [{ kind: "Pod", source: "cluster" }], "text"],
    ["a test log", [{ action: "run", package: "p", test: "T" }], "text"],
    ["a row without events", { history: null, test_result: {} }, "openhands"],
    ["a row with a history and no more", { history: [events[5]] }, "openhands"],
    ["an empty history alone", { instance_id: "x", history: [] }, "text"],
    ["a history that is no list", { instruction: "x", history: {} }, "text"],
    ["a row of another history", { instance_id: "x", history: [{ event: "a" }] }, "text"],
    [
      "a SWE-agent file with messages beside",
      { trajectory: [{ action: "ls" }], info: { exit_status: "x" }, messages: [] },
      "sweagent",
    ],
  ])("%s", (_, value, format) => {
    expect(formatOf(value)).toBe(format);
  });
});

test("an action of a call that the program mended has the command that ran and the text that was written", () => {
  const call = read(events).trajectory?.events.find(({ id }) => id === "t3.c1");
  expect(call).toMatchObject({ text: '{"command": "python serve.py', command: "python serve.py" });
});

test.each([
  ["finished", undefined, "finished"],
  ["running", "finished", undefined],
])("the last state of a conversation counts: %s after %s", (last, before, exit) => {
  const state = (value: string | undefined): unknown => ({
    kind: "ConversationStateUpdateEvent",
    source: "environment",
    key: "execution_status",
    value,
  });
  expect(read([...sdkEvents, state(before), state(last)]).trajectory?.exit).toBe(exit);
});

test("a row that is cut in its history keeps the ids and texts of what stands before", () => {
  const whole = new Map(read(events).trajectory?.events.map((event) => [event.id, event.text]));
  const row = `{"history":${JSON.stringify(events)}}`;
  fc.assert(
    fc.property(fc.integer({ min: JSON.stringify(events[0]).length + 20, max: row.length - 1 }), (cut) => {
      const { trajectory, notes } = readWithNotes(row.slice(0, cut));
      const kept = (trajectory?.events ?? []).filter(
        ({ kind, status }) => kind !== "context" && status !== "missing",
      );
      expect(trajectory?.format).toBe("openhands");
      expect(kept.map((event) => event.text)).toEqual(kept.map((event) => whole.get(event.id)));
      expect(notes.join("\n")).toContain("json_damaged");
    }),
  );
});

describe.each([
  ["openhands-events.json", events],
  ["openhands-sdk-2025.json", sdkEvents],
])("damage to %s", (_, list) => {
  const elements = list.map((element) => JSON.stringify(element));
  const text = `[${elements.join(",")}]`;

  test("never throws and gives valid events with unique ids", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: text.length - 1 }),
        fc.nat({ max: 300 }),
        fc.string({ unit: "binary", maxLength: 3 }),
        (at, length, put) => {
          const damaged = text.slice(0, at) + put + text.slice(at + length);
          const { trajectory, notes } = readWithNotes(damaged);
          for (const event of trajectory?.events ?? []) TrajectoryEvent.parse(event);
          const ids = trajectory?.events.map(({ id }) => id) ?? [];
          expect(new Set(ids).size).toBe(ids.length);
          expect(notes.filter((note) => note.startsWith("reader_failed"))).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("that cuts it leaves the ids and texts of what stands before", () => {
    const whole = new Map(readWithNotes(text).trajectory?.events.map((event) => [event.id, event.text]));
    fc.assert(
      fc.property(fc.integer({ min: (elements[0]?.length ?? 0) + 2, max: text.length }), (cut) => {
        const { trajectory } = readWithNotes(text.slice(0, cut));
        fc.pre(trajectory?.format !== "text");
        const kept = (trajectory?.events ?? []).filter(
          ({ kind, status }) => kind !== "context" && status !== "missing",
        );
        expect(kept.map((event) => event.text)).toEqual(kept.map((event) => whole.get(event.id)));
      }),
    );
  });

  test("that makes a field any other value is survived", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: list.length - 1 }),
        fc.constantFrom(...new Set(list.flatMap((event) => Object.keys(event)))),
        fc.jsonValue(),
        (index, key, value) => {
          const changed = list.with(index, { ...list[index], [key]: value });
          const { trajectory, notes } = read(changed);
          for (const event of trajectory?.events ?? []) TrajectoryEvent.parse(event);
          expect(notes.filter((note) => note.startsWith("reader_failed"))).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });
});
