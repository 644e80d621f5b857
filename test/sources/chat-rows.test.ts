import { describe, expect, test } from "vitest";
import { readTrajectoryValue } from "../../src/sources/trajectories/detect.ts";
import { readWithNotes } from "./render.ts";

const none = { tool_calls: null, tool_call_id: null, name: null };
const messages = [
  { role: "system", content: "You fix.", ...none },
  { role: "user", content: "Fix it.", ...none },
  {
    ...none,
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "c1", type: "function", function: { name: "execute_bash", arguments: '{"command":"ls"}' } },
    ],
  },
  {
    ...none,
    role: "tool",
    name: "execute_bash",
    tool_call_id: "c1",
    content: "a.py\n[Command finished with exit code 0]",
  },
];
const lines = [
  "t0.m1 You fix.",
  "t0.m2 Fix it.",
  "t1.c1 ls",
  "t1.o1 a.py\n[Command finished with exit code 0]",
];

/** What was read, without the places of notes. */
function read(value: unknown): { events: string[]; exit?: string; submission?: string } {
  const { events = [], exit, submission } = readTrajectoryValue(value, () => undefined) ?? {};
  return {
    events: events.map(({ id, text }) => `${id} ${text}`),
    ...(exit === undefined ? {} : { exit }),
    ...(submission === undefined ? {} : { submission }),
  };
}

describe("a row of a training set", () => {
  test.each<[string, object, object]>([
    ["of messages", { messages }, {}],
    [
      "of a trajectory, filled with null",
      { trajectory: messages, model_patch: "p", exit_status: "submit" },
      { exit: "submit", submission: "p" },
    ],
    ["whose messages are JSON text", { messages: JSON.stringify(messages) }, {}],
    ["of SWE-smith", { messages, traj_id: "a.b", patch: "p" }, { submission: "p" }],
    ["with the reference patch of its task", { messages, instance_id: "a", patch: "p" }, {}],
    ["of SWE-Gym", { messages, test_result: { git_patch: "p", report: {} } }, { submission: "p" }],
    ["with facts of odd types", { messages, exit_status: 1, model_patch: null, test_result: "x" }, {}],
    ["with a trajectory of odd type beside", { messages, trajectory: "[" }, {}],
  ])("%s", (_, row, facts) => {
    expect(read(row)).toEqual({ events: lines, ...facts });
  });

  test("OpenHands says the exit code behind the output", () => {
    const events = readTrajectoryValue({ messages }, () => undefined)?.events ?? [];
    expect(events.at(-1)).toMatchObject({ exit_code: 0, status: "ok" });
  });

  test("of several the first is read, with a note", () => {
    const row = JSON.stringify({ messages });
    const { trajectory, notes } = readWithNotes(`${row}\n${row}\n`);
    expect(trajectory?.events.map(({ text }) => text)).toEqual(
      messages.map(({ content }) => content ?? "ls"),
    );
    expect(notes).toEqual([
      "rows_unread | line 1 | the file holds 2 rows; only the first was read. Given as an input, every row with an instance_id is a rollout",
    ]);
  });

  test.each([[{ messages: "[1" }], [{ messages: "no list" }], [{ trajectory: 1 }]])("%j is none", (row) => {
    expect(readTrajectoryValue(row, () => undefined)?.format).toBe("text");
  });
});

test("a model with function calling that quotes a call in its text has not made it", () => {
  const quoted = "<function=bash>\n<parameter=command>ls</parameter>\n</function>";
  const value = {
    messages: [...messages, { role: "assistant", content: quoted }, { role: "user", content: "Go on." }],
  };
  expect(read(value).events.slice(4)).toEqual([`t2.m1 ${quoted}`, "t2.m2 Go on."]);
});

test("NaN, as Python writes it, is null: in a document and in lines", () => {
  const row = JSON.stringify({ messages, score: 0 }).replace('"score":0', '"score":NaN,"low":-Infinity');
  expect(readWithNotes(row).notes).toEqual([]);
  expect(readWithNotes(`${row}\n${row}`).notes.map((note) => note.split(" | ")[0])).toEqual(["rows_unread"]);
  const said = { messages: [{ role: "user", content: 'Why "NaN"? \\ NaN' }] };
  expect(read(JSON.stringify(said).replace("}]", '}],"x":NaN')).events).toEqual(['t0.m1 Why "NaN"? \\ NaN']);
});
