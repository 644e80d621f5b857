import { readdirSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TrajectoryEvent, type Trajectory } from "../../src/schema/trajectory.ts";
import { writeAtif } from "../../src/sources/trajectories/atif-write.ts";
import { fixture, FIXTURES, readWithNotes } from "./render.ts";

const readBack = (trajectory: Trajectory): Trajectory | undefined =>
  readWithNotes(JSON.stringify(writeAtif(trajectory, "r01"))).trajectory;

const KINDS = ["text", "reasoning", "call", "observation", "context"] as const;
const LETTERS = { text: "m", reasoning: "r", call: "c", observation: "o", context: "x" };
const event = fc.record(
  {
    turn: fc.nat({ max: 4 }),
    kind: fc.constantFrom(...KINDS),
    role: fc.constantFrom("system", "task", "user", "agent", "env"),
    text: fc.string(),
    tool: fc.string(),
    arguments: fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value))),
    command: fc.string(),
    path: fc.string(),
    call: fc.string(),
    status: fc.constantFrom("ok", "error", "timeout", "missing", "rejected"),
    exit_code: fc.integer(),
    branch: fc.constantFrom("sidechain", "abandoned"),
    timestamp: fc.string(),
  },
  { requiredKeys: ["turn", "kind", "role", "text"] },
);
/** Events of any shape that the schema allows, with ids that do not repeat. */
const events = fc.array(event, { maxLength: 20 }).map(
  (list) =>
    list.map((one, index) => ({
      id: `t${one.turn}.${LETTERS[one.kind]}${index + 1}`,
      ...one,
    })) as TrajectoryEvent[],
);

describe("a trajectory written as ATIF", () => {
  test("reads back to the same events, whatever they are", () => {
    fc.assert(
      fc.property(events, (list) => {
        expect(readBack({ format: "text", events: list })?.events).toEqual(list);
      }),
    );
  });

  test.each(readdirSync(`${FIXTURES}trajectories`))("%s: the same events, exit, patch and tokens", (name) => {
    const { trajectory } = readWithNotes(fixture(name));
    if (trajectory === undefined) return;
    const { format, version, ...rest } = trajectory;
    expect(readBack(trajectory)).toEqual({ ...rest, format: "atif", version: "1.7" });
    expect(format === undefined && version === undefined).toBe(false);
  });

  test.each(readdirSync(`${FIXTURES}trajectories`))(
    "%s: another reader finds its calls and results",
    (name) => {
      const { trajectory } = readWithNotes(fixture(name));
      if (trajectory === undefined) return;
      const { extra: _, ...plain } = writeAtif(trajectory, "r01");
      const found = readWithNotes(JSON.stringify(plain)).trajectory?.events ?? [];
      const facts = (list: readonly TrajectoryEvent[]): unknown[] =>
        list
          .filter(({ kind, status }) => kind === "observation" && status !== "missing")
          .map(({ text }) => text);
      expect(facts(found)).toEqual(facts(trajectory.events));
      expect(found.filter(({ kind }) => kind === "call").length).toBe(
        trajectory.events.filter(({ kind }) => kind === "call").length,
      );
    },
  );

  test("what does not fit together is read as anyone's ATIF", () => {
    const list: TrajectoryEvent[] = [{ id: "t1.m1", turn: 1, kind: "text", role: "agent", text: "Done." }];
    const document = writeAtif({ format: "text", events: list }, "r01");
    const steps = [{ source: "agent", message: "Done.", extra: { gagar: [{ id: "zzz" }] } }];
    const { trajectory } = readWithNotes(JSON.stringify({ ...document, steps }));
    expect(trajectory?.events.map(({ id, text }) => [id, text])).toEqual([["t1.m1", "Done."]]);
  });

  test("cut short, what is left keeps its ids", () => {
    const list = Array.from({ length: 6 }, (_, index): TrajectoryEvent => {
      const turn = index + 3;
      return { id: `t${turn}.m1`, turn, kind: "text", role: "agent", text: `Step ${index}.` };
    });
    const text = JSON.stringify({ ...writeAtif({ format: "text", events: list }, "r01") });
    const { trajectory } = readWithNotes(text.slice(0, -200));
    const ids = new Set(list.map(({ id }) => id));
    expect(trajectory?.events.filter(({ kind }) => kind === "text").every(({ id }) => ids.has(id))).toBe(
      true,
    );
  });
});
