import { expect, test } from "vitest";
import {
  asks,
  asksForParameter,
  codeParts,
  namesIdentifier,
  namesParameter,
  prose,
  sentences,
} from "../../src/leads/task-text.ts";
import { contentWords, isDistinctive, subwords } from "../../src/leads/words.ts";

const TASK = `# Limits

Please add \`limit(count)\` and a strict option. It should print a summary.

\`\`\`python
limit(3, total=True)
\`\`\`

    old_call(5)

The total must not grow; see maxItems.
`;

test("prose and code are told apart", () => {
  expect(prose(TASK)).not.toContain("total=True");
  expect(codeParts(TASK)).toEqual(["limit(3, total=True)\n", "limit(count)", "    old_call(5)"]);
  expect(sentences("One. Two!\n* three\n* four")).toEqual(["One.", "Two!", "* three", "* four"]);
});

test.each<[string, boolean, boolean]>([
  ["limit", true, true],
  ["count", true, true],
  ["maxItems", true, true],
  ["old_call", true, true],
  ["summary", false, false],
  ["strict", false, true],
  ["force", false, false],
])("%s: identifier %s, parameter %s", (name, identifier, parameter) => {
  expect(namesIdentifier(TASK, name)).toBe(identifier);
  expect(namesParameter(TASK, name)).toBe(parameter);
});

test("wishes", () => {
  expect(asks(TASK, ["print"])).toBe(true);
  expect(asks("It printed nonsense.", ["print"])).toBe(false);
  expect(asks("`print(x)` should work", ["print"])).toBe(false);
  expect(asksForParameter(TASK)).toBe(true);
  expect(asksForParameter("The result is wrong.")).toBe(false);
});

test("words", () => {
  expect(subwords("parseURL_fast2")).toEqual(["parse", "url", "fast"]);
  expect([...contentWords("The parsers should return values of parcels")]).toEqual(["parser", "parcel"]);
  expect(["snake_case", "camelCase", "v2x", "Plain", "UPPER"].map(isDistinctive)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
