import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument } from "../../src/sources/json-document.ts";
import { scanJson } from "../../src/sources/json-scan.ts";
import { withoutNonFinite } from "../../src/sources/python-json.ts";

/** What the document is by the plain way: one scan and one JSON.parse of the whole text. */
function plainly(text: string): { value: unknown } | undefined {
  for (const json of [text, withoutNonFinite(text)]) {
    const { error, end } = scanJson(json, 0, { uniqueKeys: "outside lists" });
    if (error === undefined && json.slice(end).trim() === "")
      return { value: JSON.parse(json.slice(0, end)) };
  }
  return undefined;
}

const BITS = [
  "",
  '"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "\\",
  "0",
  " ",
  "\n",
  "\u{fffd}",
  "NaN",
  '"a":',
  "[]",
  "{}",
];
/** A list long enough to be parsed in parts. */
const long = (json: string): string => `[${Array.from({ length: 9000 }, () => json).join(",")}]`;

describe("parseDocument", () => {
  test("agrees with JSON.parse on JSON and on changed JSON", () => {
    const changed = fc
      .tuple(fc.json(), fc.nat(), fc.nat({ max: 3 }), fc.constantFrom(...BITS))
      .map(([json, at, drop, put]) => {
        const place = at % (json.length + 1);
        return json.slice(0, place) + put + json.slice(place + drop);
      });
    fc.assert(
      fc.property(changed, (text) => {
        const whole = text.toWellFormed();
        expect(parseDocument(Buffer.from(whole))).toEqual(plainly(whole));
      }),
      { numRuns: 3000 },
    );
  });

  test("agrees with JSON.parse on changed documents whose lists are parsed in parts", () => {
    const before = `{"a":${long('{"b":["x\\"],[",1]}')},"c":{"d":`;
    const text = `${before}${long('"\u00e9\\\\"')}},"e":[]}`;
    const place = fc.oneof(fc.nat({ max: text.length }), fc.constantFrom(0, 5, before.length, text.length));
    fc.assert(
      fc.property(place, fc.nat({ max: 2 }), fc.constantFrom(...BITS), (at, drop, put) => {
        const changed = text.slice(0, at) + put + text.slice(at + drop);
        expect(parseDocument(Buffer.from(changed))).toEqual(plainly(changed));
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ["nothing between two parts", `${long("1234").slice(0, -1)},,${long("1").slice(1)}`],
    ["nothing behind the last part", `${long("1234").slice(0, -1)},]`],
    ["white space as long as a part", `[1,${" ".repeat(40_000)},2]`],
    ["a brace that closes a list", `{"a":[1}`],
    ["two documents", '{"a":[1]}\n{"a":[2]}'],
    ["a list behind a list", "[1][2]"],
    ["a key twice", '{"a":[1],"\\u0061":[2]}'],
    ["nothing", ""],
    ["a string without end", '{"a":["x]}'],
  ])("refuses %s", (_, text) => {
    expect(parseDocument(Buffer.from(text))).toBeUndefined();
  });

  test.each([
    ["a byte order mark", '\ufeff{"a":[1]}', { a: [1] }],
    [
      "NaN in and beside lists",
      '{"a":NaN,"b":[-Infinity,"NaN"],"c":"NaN"}',
      { a: null, b: [null, "NaN"], c: "NaN" },
    ],
    ["keys that are numbers", '{"2":[2],"1":[1],"x":{"0":[[0]]}}', { 1: [1], 2: [2], x: { 0: [[0]] } }],
    ["a scalar", " 12 ", 12],
    ["white space that JSON does not know behind it", "[1]\u00a0", [1]],
  ])("takes %s", (_, text, value) => {
    expect(parseDocument(Buffer.from(text))).toEqual({ value });
  });

  test("keeps a key called __proto__ a plain key", () => {
    const { value } = parseDocument(Buffer.from('{"__proto__":[1],"a":{"__proto__":[2]}}')) ?? {};
    expect(JSON.stringify(value)).toBe('{"__proto__":[1],"a":{"__proto__":[2]}}');
  });

  test("leaves the bytes as they were", () => {
    for (const text of [`{"a":${long('{"b":1}')}}`, `{"a":${long('{"b":1}')}`, long("[1,]")]) {
      const bytes = Buffer.from(text);
      parseDocument(bytes);
      expect(bytes.toString()).toBe(text);
    }
  });

  test("deep nesting does not exhaust the stack", () => {
    const depth = 100_000;
    const objects = `${'{"a":'.repeat(depth)}[1]${"}".repeat(depth)}`;
    expect(parseDocument(Buffer.from(objects))).toBeDefined();
    expect(parseDocument(Buffer.from("[".repeat(depth)))).toBeUndefined();
  });
});
