import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TrajectoryEvent } from "../../src/schema/trajectory.ts";
import { readTrajectoryValue } from "../../src/sources/trajectories/detect.ts";
import { FIXTURES, fixture, readWithNotes, renderReading } from "./render.ts";

const names = readdirSync(`${FIXTURES}trajectories`);

describe("every format", () => {
  // What is expected was written down by reading the fixture, one line an event; notes begin with "!".
  test.each(names)("%s is read as written down", (name) => {
    const expected = readFileSync(`${FIXTURES}expected/${name}.txt`, "utf8").trimEnd().split("\n");
    expect(renderReading(fixture(name))).toEqual(expected);
  });

  test.each(names)("%s gives valid events with unique ids", (name) => {
    const events = readWithNotes(fixture(name)).trajectory?.events ?? [];
    expect(events.map((event) => TrajectoryEvent.parse(event))).toEqual(events);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  test.each(names)("%s is told by content: line ends and blank lines around it do not matter", (name) => {
    const { trajectory } = readWithNotes(fixture(name));
    const format = readWithNotes(`\n${fixture(name).replaceAll("\n", "\r\n")}\r\n\r\n`).trajectory?.format;
    expect(format).toBe(trajectory?.format);
  });
});

describe("what the lines do not show", () => {
  const event = (name: string, id: string): TrajectoryEvent | undefined =>
    readWithNotes(fixture(name)).trajectory?.events.find((one) => one.id === id);

  test("arguments are parsed, and absent when they do not parse", () => {
    expect(event("openai-chat.json", "t1.c1")?.arguments).toEqual({ path: "/repo/a.js" });
    expect(event("openai-chat.json", "t2.c1")).not.toHaveProperty("arguments");
    expect(event("claude-code.jsonl", "t1.c2")?.arguments).toMatchObject({ description: "Run tests" });
  });

  test("times are ISO, from seconds or as they are", () => {
    expect(event("mini-v2.traj.json", "t1.c1")?.timestamp).toBe("2026-10-07T08:01:05.250Z");
    expect(event("claude-code.jsonl", "t1.o1")?.timestamp).toBe("2026-10-08T12:00:05.000Z");
    expect(event("sweagent-1x.traj", "t1.c1")).not.toHaveProperty("timestamp");
  });

  test("text of an agent that imitates a result is no observation", () => {
    expect(event("openai-chat.json", "t3.m1")).toMatchObject({ kind: "text", role: "agent" });
  });
});

describe("odd values", () => {
  test.each([
    ["lone surrogates", { messages: [{ role: "user", content: "a\ud800b" }] }, "a\ufffdb"],
    ["a part of an unknown kind", { messages: [{ role: "user", content: [{ type: "x" }] }] }, '{"type":"x"}'],
  ])("%s", (_, value, text) => {
    expect(readTrajectoryValue(value, () => undefined)?.events[0]?.text).toBe(text);
  });

  test.each([
    {
      messages: [
        { role: "user", content: "x" },
        { object: "response", output: [{ kept: 1 }] },
      ],
    },
    { trajectory_format: "mini-swe-agent-1.1", messages: [{ object: "response", output: [{ kept: 1 }] }] },
    { schema_version: "ATIF-v1.9", steps: [{ source: "robot", output: { kept: 1 } }] },
  ])("a message of an unknown kind is kept as its JSON: %j", (value) => {
    const codes: string[] = [];
    const events = readTrajectoryValue(value, (code) => codes.push(code))?.events ?? [];
    expect(events.at(-1)).toMatchObject({ kind: "context", text: expect.stringContaining('"kept":1') });
    expect(codes.map((code) => code.replace(/^(?:message|step)_/, ""))).toEqual(["unknown"]);
  });

  test("lone surrogates in arguments are replaced too", () => {
    const call = { id: "c", function: { name: "edit", arguments: { text: "x\udc00" } } };
    const value = { messages: [{ role: "assistant", content: "", tool_calls: [call] }] };
    expect(readTrajectoryValue(value, () => undefined)?.events[0]?.arguments).toEqual({ text: "x\ufffd" });
  });

  test("arguments that nest too deep are kept as text", () => {
    const deep = `${"[".repeat(100)}${"]".repeat(100)}`;
    const call = { id: "c", function: { name: "edit", arguments: deep } };
    const event = readTrajectoryValue(
      { messages: [{ role: "assistant", content: "", tool_calls: [call] }] },
      () => undefined,
    )?.events[0];
    expect(event?.text).toBe(deep);
    expect(event).not.toHaveProperty("arguments");
  });

  test("a key named __proto__ in arguments stays a key", () => {
    const value: unknown = JSON.parse(
      '{"messages":[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"__proto__":{"polluted":1}}}}]}]}',
    );
    const args = readTrajectoryValue(value, () => undefined)?.events[0]?.arguments;
    expect(Object.getOwnPropertyNames(args)).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("polluted");
  });

  test.each(["", " \n\t\r\n", "\ufeff"])("%j is not given, with a note", (text) => {
    const { trajectory, notes } = readWithNotes(text);
    expect(trajectory).toBeUndefined();
    expect(notes).toEqual(["trajectory_empty | is empty; treated as not given"]);
  });

  test("a long text is cut at lines into events that joined are the text", () => {
    const text = Array.from({ length: 3000 }, (_, index) => `line ${index} \u{1f600}`).join("\n");
    const events = readWithNotes(text).trajectory?.events ?? [];
    expect(events.length).toBeGreaterThan(2);
    expect(events.every((event) => event.text.length <= 16_000 && event.kind === "context")).toBe(true);
    expect(events.map((event) => event.text).join("")).toBe(text);
  });

  test("a line longer than an event is never cut inside a character", () => {
    const text = "x" + "\u{1f600}".repeat(20_000);
    const events = readWithNotes(text).trajectory?.events ?? [];
    expect(events.map((event) => event.text).join("")).toBe(text);
    expect(events.some((event) => event.text.includes("\ufffd"))).toBe(false);
  });
});
