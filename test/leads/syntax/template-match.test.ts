import { expect, test } from "vitest";
import { code, lex } from "../../../src/leads/syntax/lex.ts";
import { normalBody } from "../../../src/leads/syntax/normal-form.ts";
import { outline } from "../../../src/leads/syntax/outline.ts";
import { patternsOf } from "../../../src/leads/syntax/patterns.ts";
import { insertedInto, matchAt } from "../../../src/leads/syntax/template-match.ts";

const HELPER =
  "function wrapped(text) {\n  return text[0] === text[text.length - 1] && (text[0] === '<' || text[0] === '[');\n}\n";

async function pattern() {
  const tokens = lex(HELPER, "javascript");
  const [definition] = await outline(HELPER, "javascript");
  if (definition === undefined) throw new Error("no definition");
  return patternsOf(normalBody(tokens, definition, "javascript"))[0] ?? [];
}

test.each<[string, boolean]>([
  ["name[0] === name[name.length - 1] && (name[0] === '<' || name[0] === '[')", true],
  ["a.b[0] === a.b[a.b.length - 1] && (a.b[0] === \"<\" || a.b[0] === '[')", true],
  ["f(x)[0] === f(x)[f(x).length - 1] && (f(x)[0] === '<' || f(x)[0] === '[')", true],
  ["a[0] === b[a.length - 1] && (a[0] === '<' || a[0] === '[')", false],
  ["a[0] === a[a.length - 1] && (a[0] === '(' || a[0] === '[')", false],
  ["a[0] === a[a.length - 1]", false],
])("%s", async (text, expected) => {
  expect(matchAt(await pattern(), code(lex(text, "javascript")), 0) !== undefined).toBe(expected);
});

test.each<[string, string, string[] | undefined]>([
  ["if (a) return", "if (a && b) return", ["&&", "b"]],
  ["a + b", "a + b", []],
  ["a + b", "b + a", undefined],
  ["f(a)", "f(", undefined],
])("%s inside %s", (short, long, extra) => {
  const tokens = (text: string) => code(lex(text, "javascript"));
  expect(insertedInto(tokens(short), tokens(long))?.map((token) => token.text)).toEqual(extra);
});

test("names do not matter, calls and literals do", async () => {
  const body = async (text: string) => {
    const [definition] = await outline(text, "python");
    return definition === undefined
      ? ""
      : normalBody(lex(text, "python"), definition, "python")
          .map((part) => part.text)
          .join(" ");
  };
  const one = await body('def f(a, b):\n    """Sum."""\n    total = a + b  # sum\n    return total * 2\n');
  expect(await body("def g(x, y):\n    s = x + y\n    return s * 2\n")).toBe(one);
  expect(await body("def g(x, y):\n    s = y + x\n    return s * 3\n")).not.toBe(one);
  expect(await body("def g(x, y):\n    s = x + y\n    return z * 2\n")).not.toBe(one);
});
