import { describe, expect, test } from "vitest";
import { readJsonLines } from "../../src/sources/trajectories/json-lines.ts";

const good = (n: number): string => JSON.stringify({ time: n, payload: { type: "x", list: [{ n }] } });
const value = (n: number): unknown => JSON.parse(good(n));

describe("readJsonLines", () => {
  test.each([
    [
      "plain lines",
      [good(1), good(2)].join("\n"),
      [
        [1, value(1)],
        [2, value(2)],
      ],
    ],
    [
      "CRLF, blank lines and a final line end",
      `${good(1)}\r\n\r\n${good(2)}\r\n`,
      [
        [1, value(1)],
        [3, value(2)],
      ],
    ],
    [
      "values that are no objects",
      `${good(1)}\n42\n"text"\n${good(2)}\n${good(3)}`,
      [
        [1, value(1)],
        [2, 42],
        [3, "text"],
        [4, value(2)],
        [5, value(3)],
      ],
    ],
    [
      "a truncated tail",
      `${good(1)}\n${good(2).slice(0, 20)}`,
      [
        [1, value(1)],
        [2, good(2).slice(0, 20), "20 characters are not JSON"],
      ],
    ],
    [
      "two records on one line",
      `${good(1)}\n${good(2)}${good(3)}\n${good(4)}`,
      [
        [1, value(1)],
        [2, value(2)],
        [2, value(3)],
        [2, "", "2 records on one line"],
        [3, value(4)],
      ],
    ],
    [
      "a record written into another",
      `${good(1)}\n${good(2).slice(0, 14)}${good(3)}\n${good(4)}`,
      [
        [1, value(1)],
        [2, good(2).slice(0, 14), "14 characters are not JSON"],
        [2, value(3)],
        [3, value(4)],
      ],
    ],
    [
      "a truncated record whose inner object is whole",
      `${good(1)}\n{"time":2,"payload":{"type":"x"}`,
      [
        [1, value(1)],
        [2, '{"time":2,"payload":{"type":"x"}', "32 characters are not JSON"],
      ],
    ],
    [
      "a run of NUL before a record",
      `${good(1)}\n${"\0".repeat(5)}${good(2)}`,
      [
        [1, value(1)],
        [2, "", "5 NUL characters"],
        [2, value(2)],
      ],
    ],
    [
      "a run of NUL between records",
      `${good(1)}${"\0".repeat(3)}${good(2)}\n${good(3)}`,
      [
        [1, "", "3 NUL characters"],
        [1, value(1)],
        [1, value(2)],
        [2, value(3)],
      ],
    ],
    [
      "rubbish before a record",
      `${good(1)}\nrubbish ${good(2)}\n${good(3)}`,
      [
        [1, value(1)],
        [2, "rubbish ", "8 characters are not JSON"],
        [2, value(2)],
        [3, value(3)],
      ],
    ],
  ])("%s", (_, text, expected) => {
    const entries = readJsonLines(text)?.map((entry) =>
      "value" in entry ? [entry.line, entry.value] : [entry.line, entry.text, entry.reason],
    );
    expect(entries).toEqual(expected);
  });

  test.each([
    ["prose", "one line\nanother line"],
    ["a log with a record in it", `starting\nworking\n${good(1)}\ndone`],
    ["nothing", "\n\n"],
    ["lists", "[1]\n[2]"],
  ])("%s is something else", (_, text) => {
    expect(readJsonLines(text)).toBeUndefined();
  });
});
