import { readdirSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TrajectoryEvent } from "../../src/schema/trajectory.ts";
import { damaged, damageOf } from "./damage.ts";
import { fixture, FIXTURES, readWithNotes } from "./render.ts";

const eventsOf = (text: string): TrajectoryEvent[] => readWithNotes(text).trajectory?.events ?? [];

/** Event ids with what was read, without what the rest of a file decides: gaps, branches, names that come later. */
const factsOf = (events: TrajectoryEvent[]): Map<string, string> =>
  new Map(
    events
      .filter((event) => event.status !== "missing" && event.kind !== "reasoning")
      .map((event) => [event.id, `${event.kind} ${event.role} ${event.text}`]),
  );

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Fixtures as one line, with the elements of the list that holds the run one behind another. */
const documents = [
  ["sweagent-0x.traj", "trajectory"],
  ["sweagent-1x.traj", "trajectory"],
  ["sweagent-history.traj", "history"],
  ["mini-v1.traj.json", "messages"],
  ["mini-v2.traj.json", "messages"],
  ["openai-chat.json", "messages"],
  ["atif-1.7.json", "steps"],
  ["atif-1.2.json", "steps"],
  ["responses.json", "input"],
  ["anthropic.json", "messages"],
  ["chat-xml.json", "messages"],
  ["chat-nebius.json", "trajectory"],
  ["r2e-gym.json", "trajectory_steps"],
  ["inspect-sample.json", "messages"],
] as const;

describe.each(documents)("damage to %s", (name, list) => {
  const root = JSON.parse(fixture(name)) as Record<string, unknown[]>;
  const entries = Object.entries(root);
  const index = entries.findIndex(([key]) => key === list);
  const field = ([key, value]: [string, unknown]): string =>
    `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  const elements = (root[list] ?? []).map((element) => JSON.stringify(element));
  const before = entries
    .slice(0, index)
    .map((entry) => `${field(entry)},`)
    .join("");
  const head = `{${before}${JSON.stringify(list)}:[`;
  const tail = `]${entries
    .slice(index + 1)
    .map((entry) => `,${field(entry)}`)
    .join("")}}`;
  const text = head + elements.join(",") + tail;

  test("never throws, is never silent, gives valid events", () => {
    fc.assert(
      fc.property(damageOf(text), (damage) => {
        const read = damaged(text, damage);
        const { trajectory, notes } = readWithNotes(read);
        for (const event of trajectory?.events ?? []) TrajectoryEvent.parse(event);
        const ids = trajectory?.events.map(({ id }) => id) ?? [];
        expect(new Set(ids).size).toBe(ids.length);
        expect(notes.filter((note) => note.startsWith("reader_failed"))).toEqual([]);
        if (!isJson(read)) expect(notes).not.toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test("keeps the ids and texts of what stands before it", () => {
    fc.assert(
      fc.property(damageOf(text), (damage) => {
        const ends = elements.map((_, k) => head.length + elements.slice(0, k + 1).join(",").length);
        const whole = ends.filter((end) => end < damage.at).length;
        fc.pre(whole > 0);
        const intact = factsOf(eventsOf(`${head}${elements.slice(0, whole).join(",")}]}`));
        const read = factsOf(eventsOf(damaged(text, damage)));
        for (const [id, facts] of intact) expect(read.get(id)).toBe(facts);
      }),
      { numRuns: 400 },
    );
  });
});

const lists = [
  "claude-code",
  "claude-stream",
  "openai-lines",
  "codex",
  "codex-2025",
  "codex-exec",
  "chat-tags",
  "openhands-sdk-2026",
];

describe.each(lists.map((name) => `${name}.jsonl`))("damage to %s", (name) => {
  const text = fixture(name);
  const lines = text.trimEnd().split("\n");

  test("never throws, is never silent, gives valid events", () => {
    fc.assert(
      fc.property(damageOf(text), (damage) => {
        const read = damaged(text, damage);
        const { trajectory, notes } = readWithNotes(read);
        for (const event of trajectory?.events ?? []) TrajectoryEvent.parse(event);
        const ids = trajectory?.events.map(({ id }) => id) ?? [];
        expect(new Set(ids).size).toBe(ids.length);
        expect(notes.filter((note) => note.startsWith("reader_failed"))).toEqual([]);
        if (read.split("\n").some((line) => line.trim() !== "" && !isJson(line)))
          expect(notes).not.toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test("in one line keeps the ids and texts of the lines before it, and the records after it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: lines.length - 1 }).chain((line) =>
          fc.tuple(
            fc.constant(line),
            damageOf(lines[line] ?? "").filter(({ put }) => !put.includes("\n")),
          ),
        ),
        ([line, damage]) => {
          const events = eventsOf(lines.with(line, damaged(lines[line] ?? "", damage)).join("\n"));
          const intact = factsOf(eventsOf(lines.slice(0, line).join("\n")));
          const read = factsOf(events);
          fc.pre(readWithNotes(lines.slice(0, line).join("\n")).trajectory?.format !== "text");
          for (const [id, facts] of intact) expect(read.get(id)).toBe(facts);
          const said = eventsOf(lines.slice(line + 1).join("\n")).filter(({ kind }) => kind === "call");
          for (const call of said) expect(events.map((event) => event.text)).toContain(call.text);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe("whatever the format", () => {
  const names = readdirSync(`${FIXTURES}trajectories`);
  const texts = names.map(fixture);

  test.each(names)("%s with a piece of another one in it gives valid events", (name) => {
    const text = fixture(name);
    const spliced = fc.constantFrom(...texts).chain((other) =>
      fc.record({
        at: fc.nat({ max: text.length }),
        length: fc.oneof(fc.constant(0), fc.nat({ max: text.length })),
        from: fc.nat({ max: other.length }),
        size: fc.oneof(fc.nat({ max: 300 }), fc.constant(other.length)),
        other: fc.constant(other),
      }),
    );
    fc.assert(
      fc.property(spliced, ({ at, length, from, size, other }) => {
        const put = other.slice(from, from + size);
        const { trajectory, notes } = readWithNotes(damaged(text, { at, length, put }));
        const events = trajectory?.events ?? [];
        for (const event of events) TrajectoryEvent.parse(event);
        expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
        expect(notes.filter((note) => note.startsWith("reader_failed"))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

/** Fields that say what a record is, in one format or another. */
const TELLING: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(
    fc.constantFrom(
      "role",
      "type",
      "content",
      "id",
      "name",
      "method",
      "tool_calls",
      "call_id",
      "source",
      "action",
      "event",
    ),
    fc.constantFrom<unknown>("assistant", "user", "message", "function_call", "x", true, null, 1, {}, []),
  )
  .map(([key, value]) => ({ [key]: value }));

test.each(documents)("%s: a field beside the list, as damage makes one, does not take its place", (name) => {
  const root = JSON.parse(fixture(name)) as Record<string, unknown>;
  const intact = factsOf(eventsOf(JSON.stringify(root)));
  fc.assert(
    fc.property(TELLING, TELLING, (one, other) => {
      const read = factsOf(eventsOf(JSON.stringify({ ...root, ...one, ...other, ...root })));
      for (const [id, facts] of intact) expect(read.get(id)).toBe(facts);
    }),
    { numRuns: 200 },
  );
});

test("text that is no JSON at all is kept whole", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 200 }), (text) => {
      fc.pre(text.trim() !== "" && !isJson(text) && !/[[{]/.test(text));
      expect(
        eventsOf(text)
          .map((event) => event.text)
          .join(""),
      ).toBe(text);
    }),
  );
});

test.each([
  ["a line of opening braces", '{"a":1}\n'.repeat(3) + "{".repeat(300_000)],
  ["a line of nested records", '{"a":1}\n'.repeat(3) + '{"a":'.repeat(100_000)],
  ["a document of opening brackets", "[".repeat(500_000)],
  ["an object in an object in an object", '{"messages":'.repeat(100_000)],
  ["one long string", `{"messages":["${"\\\\".repeat(500_000)}`],
])("%s does not hold up its reader", (_, text) => {
  expect(readWithNotes(text).notes).not.toEqual([]);
});
