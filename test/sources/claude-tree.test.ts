import { describe, expect, test } from "vitest";
import { readTrajectoryValue } from "../../src/sources/trajectories/detect.ts";
import { branchesOf } from "../../src/sources/trajectories/claude-tree.ts";

const user = (uuid: string, parentUuid: string | null, more: object = {}): object => ({
  type: "user",
  uuid,
  parentUuid,
  message: { role: "user", content: uuid },
  ...more,
});
const answer = (uuid: string, parentUuid: string | null, id: string, call?: string): object => ({
  type: "assistant",
  uuid,
  parentUuid,
  message: { id, role: "assistant", content: call === undefined ? [] : [{ type: "tool_use", id: call }] },
});
const result = (uuid: string, parentUuid: string, call: string): object =>
  user(uuid, parentUuid, {
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: call }] },
  });

/** Main line as ".", abandoned as "a", sidechain as "s". */
const marks = (lines: unknown[]): string =>
  branchesOf(lines)
    .map((branch) => branch?.[0] ?? ".")
    .join("");

describe("branchesOf", () => {
  test.each<[string, string, unknown[]]>([
    ["a chain", "...", [user("u1", null), answer("a1", "u1", "m1"), user("u2", "a1")]],
    [
      "a fork: the last line's way is the main one",
      "..aa..",
      [
        user("u1", null),
        answer("a1", "u1", "m1"),
        user("u2", "a1"),
        answer("a2", "u2", "m2"),
        user("u3", "a1"),
        answer("a3", "u3", "m3"),
      ],
    ],
    [
      "a fork that is gone on with first",
      "..a..",
      [
        user("u1", null),
        answer("a1", "u1", "m1"),
        user("u2", "a1"),
        user("u3", "a1"),
        answer("a3", "u3", "m3"),
      ],
    ],
    [
      "parallel calls whose results hang on their own lines",
      "......",
      [
        user("u1", null),
        answer("a1", "u1", "m1", "c1"),
        answer("a2", "a1", "m1", "c2"),
        result("r1", "a1", "c1"),
        result("r2", "a2", "c2"),
        answer("a3", "r2", "m2"),
      ],
    ],
    [
      "a parent that is not there",
      "....",
      [user("u1", null), answer("a1", "u1", "m1"), user("u2", "lost"), answer("a2", "u2", "m2")],
    ],
    ["no parents at all", "...", [user("u1", null), answer("a1", null, "m1"), user("u2", null)]],
    [
      "lines that are each other's parents",
      "....",
      [user("u1", "u2"), user("u2", "u1"), user("u3", "u3"), answer("a1", "u3", "m1")],
    ],
    ["a fork that leads into a circle", "..", [user("u1", "u1"), user("u2", null)]],
    [
      "sub-agents, in both spellings",
      ".s.s",
      [
        user("u1", null),
        user("s1", null, { isSidechain: true }),
        answer("a1", "u1", "m1"),
        { ...user("s2", "u1"), parent_tool_use_id: "c1" },
      ],
    ],
    [
      "a compaction",
      "....",
      [
        user("u1", null),
        answer("a1", "u1", "m1"),
        { type: "system", uuid: "k", parentUuid: null, logicalParentUuid: "a1" },
        user("u2", "k"),
      ],
    ],
    ["what is no line", "....", [42, null, "x", {}]],
    ["nothing", "", []],
  ])("%s: %s", (_, expected, lines) => {
    expect(marks(lines)).toBe(expected);
  });

  test("a long session costs time in proportion to its length", () => {
    const lines = Array.from({ length: 50_000 }, (_, n) =>
      user(`u${n}`, n === 0 ? null : `u${n < 40_000 ? n - 1 : 10}`),
    );
    const start = performance.now();
    expect(marks(lines).match(/a/g)).toHaveLength(50_000 - 12);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

test("sub-agents that work at the same time go on in their own turns", () => {
  const of = (agentId: string, line: object): object => ({ ...line, isSidechain: true, agentId });
  const lines = [
    user("u1", null),
    answer("a1", "u1", "m1", "c1"),
    of("x", answer("x1", null, "mx", "cx")),
    of("y", answer("y1", null, "my", "cy")),
    of("x", user("aside to x", "x1")),
    of("y", user("aside to y", "y1")),
    of("x", result("x2", "x1", "cx")),
    of("y", result("y2", "y1", "cy")),
    result("u2", "a1", "c1"),
  ];
  const events = readTrajectoryValue(lines, () => undefined)?.events ?? [];
  expect(events.filter(({ text }) => text.startsWith("aside")).map(({ id, text }) => [id, text])).toEqual([
    ["t2.m1", "aside to x"],
    ["t3.m1", "aside to y"],
  ]);
  expect(events.filter(({ kind }) => kind === "observation").map(({ id }) => id)).toEqual([
    "t1.o1",
    "t2.o1",
    "t3.o1",
  ]);
});
