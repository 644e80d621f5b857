import { expect, test } from "vitest";
import { doubleOf } from "../../../src/checks/tests/double.ts";
import type { Tests } from "../../../src/schema/group.ts";

const double = (runner: NonNullable<Tests["runner"]>, ids: string[], text: string) =>
  doubleOf({ command: "x", runner }, ids, text, { test: "it", suite: "describe" });

test.each<[string, NonNullable<Tests["runner"]>, string[], string, string | undefined, RegExp]>([
  [
    "a function",
    "pytest",
    ["t.py::test_p[1]", "t.py::test_a"],
    "def test_a(): pass",
    "t.py::test_a",
    /^def test_a\(\):/m,
  ],
  [
    "a method",
    "pytest",
    ["t.py::K::test_m"],
    "class K:\n    def test_m(self): pass",
    "t.py::K::test_m",
    /^K\.test_m = _test_m$/m,
  ],
  [
    "a method of unittest",
    "unittest",
    ["tests.test_f.T.test_one"],
    "class T(TestCase):\n",
    "tests.test_f.T.test_one",
    /^T\.test_one = /m,
  ],
  [
    "a class that is made elsewhere",
    "unittest",
    ["tests.test_f.T_0.test_one"],
    "class T(TestCase):\n",
    undefined,
    /x/,
  ],
  [
    "titles in suites",
    "jest",
    ['a.test.js > g > d"e > t'],
    "",
    'a.test.js > g > d"e > t',
    /^;describe\("g", \(\) => \{ describe\("d\\"e", \(\) => \{ it\("t", /m,
  ],
  ["a title alone", "node", ["adds"], "", "adds", /^;it\("adds", /m],
])("a test defined once more: %s", (_what, runner, ids, text, id, written) => {
  const made = double(runner, ids, text);
  expect(made?.id).toBe(id);
  if (id !== undefined) expect(made?.text).toMatch(written);
});

test("where nobody knows how a test is called, none is defined", () => {
  expect(doubleOf({ command: "x", runner: "go" }, ["m/p TestA"], "", undefined)).toBeUndefined();
});
