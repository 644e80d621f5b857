import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { positionOf, scanJson } from "../../src/sources/json-scan.ts";

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("scanJson", () => {
  test("finds the end of any JSON, whatever follows", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom("", " ", ",", "\n{", "]x"), (json, rest) => {
        fc.pre(!/^-?\d/.test(json));
        expect(scanJson(json + rest)).toEqual({ end: json.length });
      }),
    );
  });

  test("agrees with JSON.parse on changed JSON", () => {
    const changed = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom("", '"', "{", "}", "[", "]", ",", ":", "\\", "-", ".", "e", "0", "\n", "\u0001"),
      )
      .map(([json, at, put]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + put + json.slice(place + 1);
      });
    fc.assert(
      fc.property(changed, (text) => {
        const scan = scanJson(text);
        const whole = scan.error === undefined && text.slice(scan.end).trim() === "";
        expect(whole).toBe(parses(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test("what is intact parses and is the beginning of the text", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        const text = json.slice(0, at % json.length);
        const { intact } = scanJson(text);
        if (intact === undefined) return;
        expect(parses(intact.json)).toBe(true);
        expect(text.startsWith(intact.json.slice(0, intact.end))).toBe(true);
      }),
    );
  });

  test.each([
    ['{"a":[{"b":1},{"b":2},{"b', '{"a":[{"b":1},{"b":2}]}'],
    ['{"a":{"b":1,"c":{"d":2,"e', '{"a":{"b":1,"c":{"d":2}}}'],
    ["[[1,2],[3,4", "[[1,2]]"],
    ['{"a":[1,2],"b":"cut', '{"a":[1,2]}'],
  ])("%s keeps %s: an element of the outermost list is kept whole or not at all", (text, intact) => {
    expect(scanJson(text).intact?.json).toBe(intact);
  });

  test.each([
    ['{"a":1,"a":2}', 'key "a" is given twice', undefined, 7],
    ['{"a":[{"x":1},{"b":1,"\\u0062":2}]}', 'key "\\u0062" is given twice', "a[1].b", 21],
    ['{"a":{"n":1e999}}', "number 1e999 is too large", "a.n", 10],
    ['{"n":-1e400}', "number -1e400 is too large", "n", 5],
  ])("strictly, %s: %s", (text, error, field, end) => {
    const scan = scanJson(text, 0, { uniqueKeys: "everywhere", finiteNumbers: true });
    expect(scan).toMatchObject({ error, end });
    expect(scan.field).toBe(field ?? "a");
    expect(scanJson(text)).toEqual({ end: text.length });
  });

  test("keys have to be unique only outside lists when asked so", () => {
    const options = { uniqueKeys: "outside lists" } as const;
    expect(scanJson('{"a":[{"x":1,"x":2}]}', 0, options).error).toBeUndefined();
    expect(scanJson('{"a":{"x":1,"x":2}}', 0, options).error).toBe('key "x" is given twice');
    expect(scanJson('{"__proto__":1,"constructor":2}', 0, options).error).toBeUndefined();
  });

  test("deep nesting does not exhaust the stack", () => {
    const depth = 1_000_000;
    expect(scanJson("[".repeat(depth) + "]".repeat(depth))).toEqual({ end: 2 * depth });
  });
});

test.each([
  ["abc", 0, 1, 1],
  ["a\nbc", 3, 2, 2],
  ["a\n", 2, 2, 1],
  ["\n\n", 1, 2, 1],
])("%j at %i is line %i, column %i", (text, offset, line, column) => {
  expect(positionOf(text, offset)).toEqual({ line, column });
});
