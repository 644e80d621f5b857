import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJsonLine } from "../../src/cli/redistribute-json.ts";

function through(text: string): string {
  const line = parseJsonLine(text, {});
  return line.write(line.carrier);
}

test.each([
  "12345678901234567890",
  "-12345678901234567891",
  "9007199254740993",
  "36893488147419103232",
  "-0",
  "-0.0",
  "-0e5",
  "1e999",
  "-1E+400",
  "1e-400",
  "0.0000001e-330",
])("%s stays as it was written, wherever it stands", (number) => {
  for (const text of [number, `[${number}]`, `{"a":{"b":[1,${number},"${number}"]},"c":${number}}`]) {
    expect(through(text)).toBe(text);
  }
});

test.each([
  { text: "1.0", out: "1" },
  { text: "1e2", out: "100" },
  { text: "0.10", out: "0.1" },
  { text: "0e999", out: "0" },
  { text: "1.2345678901234567890e25", out: "1.2345678901234568e+25" },
])("$text may be written another way of the same value: $out", ({ text, out }) => {
  expect(through(text)).toBe(out);
  expect(JSON.parse(through(text))).toBe(JSON.parse(text));
});

test("texts that look like the marks in use, or like numbers and ends of strings, are texts", () => {
  const texts = ["number-0", "_number-0", '"number-0"', "\\", '\\"', "1e999", "-0", '\\\\" -0 \\'];
  const value = { 'a"-0': texts, "number-1": texts.map((text) => ({ [text]: text })) };
  const text = JSON.stringify(value).replace(/}$/, ',"x":-0,"y":1e999}');
  expect(through(text)).toBe(text);
  expect(through(text.replaceAll("number", "\\u006eumber"))).toBe(text);
});

test("any JSON with such numbers in it comes out with the same values, and the same texts", () => {
  const odd = fc.constantFrom("-0", "1e999", "12345678901234567890", "5", "0.25");
  const text = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      odd,
      fc.string().map((each) => JSON.stringify(each)),
      fc.array(tie("json"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
      fc
        .uniqueArray(fc.tuple(fc.string(), tie("json")), { selector: ([key]) => key, maxLength: 4 })
        .filter((pairs) => pairs.every(([key]) => !/^\d+$/.test(key)))
        .map((pairs) => `{${pairs.map(([key, item]) => `${JSON.stringify(key)}:${item}`).join(",")}}`),
    ),
  })).json;
  fc.assert(
    fc.property(text, (each) => {
      expect(through(each)).toBe(each);
    }),
    { numRuns: 500 },
  );
});

describe("what Python writes beside JSON", () => {
  test.each(["NaN", "Infinity", "-Infinity"])("%s is read as not finite, with the refusal", (word) => {
    const line = parseJsonLine(`{"a":"${word}","b":${word}}`, { line: 7 });
    expect(line.value).toStrictEqual({ a: word, b: expect.any(Number) });
    expect(JSON.stringify(line.value)).toBe(`{"a":"${word}","b":null}`);
    expect(line.refusal).toMatchObject({ code: "bad_input", where: { line: 7 } });
  });

  test.each(["", "{", '{"a":NaN', "nan", "{'a':1}", "[1,]", "NaNs"])("%j is refused", (text) => {
    expect(() => parseJsonLine(text, { line: 7 })).toThrow(/is not JSON/);
  });
});

test("a string of twenty million characters does not overflow anything", () => {
  const text = `{"a":"${'\\"x'.repeat(5_000_000)}","b":-0}`;
  expect(through(text)).toBe(text);
});
