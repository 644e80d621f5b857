import { expect, test } from "vitest";
import { splitCases } from "../../src/checks/cases.ts";

const split = (...lines: string[]) => splitCases(lines.map((text, index) => ({ line: index + 1, text })));

test.each<[string, string, string | undefined]>([
  ["an input of any kind", '{"case": [1, {"a": null}], "got": 2}', '[1,{"a":null}]'],
  ["a case that is not the first field", '{"got": 2, "case": "x"}', '"x"'],
  ["an input that is null", '{"case": null}', "null"],
  ["numbers that only Python writes", '{"case": [NaN, -Infinity], "got": "NaN"}', '["NaN","-Infinity"]'],
  ["such a word in a text stays", '{"case": "a NaN \\" NaN", "got": 1}', '"a NaN \\" NaN"'],
  ["no object", '["case"]', undefined],
  ["no case", '{"input": 1, "why": "case"}', undefined],
  ["a case further inside", '{"a": {"case": 1}}', undefined],
  ["a cut line", '{"case": [1, 2', undefined],
  ["an inherited name", '{"got": 1, "why": "\\"case\\""}', undefined],
  ["text", 'the "case" was {1}', undefined],
  ["nothing", "", undefined],
])("%s", (_what, line, input) => {
  const { cases, others } = split(line);
  expect(cases.map((found) => found.input)).toEqual(input === undefined ? [] : [input]);
  expect(others.map(({ text }) => text)).toEqual(input === undefined ? [line] : []);
});

test("a second line about one input has a key of its own; every line keeps its number", () => {
  const { cases, others } = split('{"case": 1, "a": 1}', "seed 4", '{"case":1,"a":2}');
  expect(cases.map(({ key, line }) => [key, line])).toEqual([
    ["1", 1],
    ["1 #2", 3],
  ]);
  expect(others).toEqual([{ line: 2, text: "seed 4" }]);
});
