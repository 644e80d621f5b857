import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TrajectoryEvent } from "../../src/schema/trajectory.ts";
import { withoutEscapes } from "../../src/sources/trajectories/terminal-text.ts";
import { fixture, readWithNotes } from "./render.ts";

const formatOf = (text: string): string | undefined => readWithNotes(text).trajectory?.format;
const callsOf = (text: string): string[] =>
  (readWithNotes(text).trajectory?.events ?? [])
    .filter(({ kind }) => kind === "call")
    .map((event) => event.text);

describe("a terminal's text", () => {
  test.each([
    ["begins with a prompt", "root@box:/app# ls\na\n", "terminal"],
    ["begins with a prompt and no more", "bash-5.1$ ", "terminal"],
    ["has escape sequences before its prompt", "\u001b[1mHi\u001b[0m\nme@box:~$ ls\n", "terminal"],
    ["has escape sequences and no prompt", "\u001b[1mHi\u001b[0m\n", "text"],
    ["mentions a prompt", "Run it like this:\n\nroot@box:/app# ls\n", "text"],
    ["is a letter", "From: me@box.org\n# title\n$ ls\n", "text"],
    ["is a recording", '{"version":2,"width":1,"height":1}\n[0,"o","x"]\n[1,"o","y"]\n', "terminal"],
    [
      "is a recording of version 3",
      '{"version":3,"term":{"cols":1}}\n[0,"o","x"]\n[1,"o","y"]\n',
      "terminal",
    ],
    ["is a JSON file with a version", '{"version":2,"width":1}', "text"],
  ])("that %s", (_, text, format) => {
    expect(formatOf(text)).toBe(format);
  });

  test.each([
    ["root@b:/# ls -la", ["ls -la"]],
    ["root@b:/# \nroot@b:/# \n", []],
    ["root@b:/# a; tmux wait -S done\nx\nroot@b:/# b", ["a", "b"]],
    ["(env) me@b:~/x$ a\n> b\n> c\nout\n> d\n", ["a\nb\nc"]],
    ["root@b:/# echo '# $ root@b:/# x'", ["echo '# $ root@b:/# x'"]],
  ])("%j has the commands %j", (text, commands) => {
    expect(callsOf(text)).toEqual(commands);
  });
});

describe("a recording", () => {
  const header = (version: number): string => `{"version":${version},"width":1,"height":1,"timestamp":100}`;
  const timesOf = (version: number): unknown[] =>
    (
      readWithNotes(`${header(version)}\n[1,"i","a\\r"]\n[2.5,"o","x"]\n[4,"i","b\\r"]\n`).trajectory
        ?.events ?? []
    ).map(({ timestamp }) => timestamp?.slice(14));

  test("has times from its beginning, or from one event to the next", () => {
    expect(timesOf(2)).toEqual(["01:41.000Z", "01:44.000Z", "01:44.000Z", undefined]);
    expect(timesOf(3)).toEqual(["01:41.000Z", "01:47.500Z", "01:47.500Z", undefined]);
  });

  test("with a damaged line keeps the rest and says which", () => {
    const lines = fixture("terminal.cast").trimEnd().split("\n");
    const { trajectory, notes } = readWithNotes(lines.with(4, '[1.3,"o').join("\n"));
    expect(notes).toContainEqual(expect.stringMatching(/^record_damaged \| line 5 /));
    expect(trajectory?.events.map(({ text }) => text)).toContain('[1.3,"o');
    expect(trajectory?.events.filter(({ kind }) => kind === "call")).toHaveLength(4);
  });
});

test("escape sequences go, all else stays", () => {
  expect(
    withoutEscapes("a\u001b[31mb\u001b]0;title\u0007c\u001b(Bd\u001bPq\u001b\\e\u001b[?25hf\r\n\tg"),
  ).toBe("abcdef\n\tg");
});

describe.each(["terminal-pane.log", "terminal.cast"])("damage to %s", (name) => {
  const text = fixture(name);

  test("never throws and gives valid events", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: text.length }),
        fc.nat({ max: 80 }),
        fc.string({ unit: "binary", maxLength: 4 }),
        (at, length, put) => {
          const { trajectory, notes } = readWithNotes(text.slice(0, at) + put + text.slice(at + length));
          for (const event of trajectory?.events ?? []) TrajectoryEvent.parse(event);
          expect(notes.filter((note) => note.startsWith("reader_failed"))).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });
});

test.each([
  ["unended titles", "root@b:/# ls\n" + "\u001b]".repeat(300_000)],
  ["unended sequences", "root@b:/# ls\n" + "\u001b[0;".repeat(300_000)],
  ["one line of prompts", "root@b:/# ls " + "root@b:/".repeat(300_000)],
  ["many prompts", "root@b:/# ls\n".repeat(100_000)],
  ["many keys", `{"version":2,"width":1}\n${'[1,"i","a"]\n'.repeat(200_000)}`],
])("%s are read in reasonable time", (_, text) => {
  const start = performance.now();
  expect(formatOf(text)).toBe("terminal");
  expect(performance.now() - start).toBeLessThan(5_000);
});
