import { expect, test } from "vitest";
import type { Language } from "../../../src/leads/syntax/language.ts";
import { parseParams } from "../../../src/leads/syntax/params.ts";
import { compareParams } from "../../../src/leads/syntax/signature.ts";

test.each<[Language, string, string[]]>([
  ["python", "self, a, b: int = 1, *rest, c, d={'x': 1}, **more", ["a", "b?", "rest?", "c", "d?", "more?"]],
  ["python", "a, /, b, *, c", ["a", "b", "c"]],
  [
    "typescript",
    "private a: Map<string, number>, b?: string, { c, d }: Options = {}, ...e: number[]",
    ["a", "b?", "?", "e?"],
  ],
  ["javascript", "a, b = f(1, 2), [c]", ["a", "b?", ""]],
  ["go", "ctx context.Context, a, b int, opts ...Option", ["ctx", "a", "b", "opts?"]],
  ["java", "final Map<String, Integer> a, int[] b, String... c", ["a", "b", "c?"]],
  ["rust", "&self, mut a: u32, b: &'a str", ["a", "b"]],
  ["c", "const char *name, int n", ["name", "n"]],
  ["kotlin", 'a: Int, b: String = "x"', ["a", "b?"]],
  ["ruby", "a, b = 1, *c, &d", ["a", "b?", "c?", "d"]],
  ["python", "", []],
])("%s: (%s)", (language, text, expected) => {
  expect(parseParams(text, language).map((param) => param.name + (param.optional ? "?" : ""))).toEqual(
    expected,
  );
});

test.each<[Language, string, string, string[]]>([
  ["python", "a, b", "a, b", []],
  ["python", "a, b", "a, b, c=1", ["adds c at the end"]],
  ["python", "a, b", "a, c=1, b=2", ["! adds c before b"]],
  ["python", "a, b", "a, b, c", ["! adds c as required"]],
  ["python", "a, b", "a, b, *, c=1", ["adds c at the end"]],
  ["python", "a, b", "a", ["! removes b"]],
  ["python", "a, b", "a, c", ["! renames b to c"]],
  ["python", "a, b", "b, a", ["! moves a", "! moves b"]],
  ["python", "a, b=1", "a, b=2", ["! changes the default of b to 2"]],
  ["python", "a, b='x'", 'a, b="x"', []],
  ["python", "a, b=1", "a, b", ["! makes b required"]],
  ["python", "a: int", "a: str", []],
  ["javascript", "a, b", "a, c", []],
  ["javascript", "a, b", "a, b, c = false, ...d", ["adds c at the end", "adds ...d at the end"]],
  ["go", "a int", "a int, b bool", ["! adds b as required"]],
])("%s: (%s) to (%s)", (language, from, to, expected) => {
  const changes = compareParams(parseParams(from, language), parseParams(to, language), language);
  expect(changes.map((change) => `${change.breaks ? "! " : ""}${change.says}`)).toEqual(expected);
});
