import { expect, test } from "vitest";
import { testEdits } from "../../src/leads/test-edits.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

const helpers = `package a

import "testing"

func wantEqual(t *testing.T, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
`;
const support = `export function sameText(actual, expected) {
  if (actual !== expected) {
    throw new Error(actual + " is not " + expected);
  }
}

export function read(path) {
  return path;
}
`;
const whole = `test("a page", () => {
  assert.deepEqual(page([POST]).split("\\n"), [
    "<html>",
    "  <h1>First</h1>",
    "  <p>Long text of the page</p>",
    "</html>",
  ]);
});

test("a record", () => {
  expect(parse("a=1;b=2;c=three")).toEqual({ a: 1, b: 2, c: "three", rest: ["x", "y"] });
});
`;
const base = {
  "helpers_test.go": helpers,
  "test/support.js": support,
  "test/page.test.js": whole,
  "tests/support.py": "def same(actual, expected):\n    assert actual == expected\n",
  "tests/common/mod.rs": "pub fn same(a: i32, b: i32) {\n    assert_eq!(a, b);\n}\n",
  "src/test/java/Checks.java":
    "class Checks {\n    static void same(Object a, Object b) {\n        if (!a.equals(b)) throw new AssertionError(a);\n    }\n}\n",
  "tests/test_f.py":
    'from lib import f\n\ndef test_one():\n    assert f(1) == "one"\n    assert f(2) == "two"\n',
  "a_test.go":
    'package a\n\nimport "testing"\n\nfunc TestF(t *testing.T) {\n\tif got := F(1); got != 2 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n',
};

/** The base's file with one piece replaced. */
function edit(path: keyof typeof base, from: string, to: string) {
  if (!base[path].includes(from)) throw new Error(`${path} has no ${from}`);
  return { [path]: base[path].replace(from, () => to) };
}

const page = `assert.deepEqual(page([POST]).split("\\n"), [
    "<html>",
    "  <h1>First</h1>",
    "  <p>Long text of the page</p>",
    "</html>",
  ]);`;
const record = 'toEqual({ a: 1, b: 2, c: "three", rest: ["x", "y"] })';
const muted: Record<string, Case> = {
  "go: a helper only logs": ["tests_tampered", edit("helpers_test.go", "t.Errorf(", "t.Logf(")],
  "go: a helper does nothing": [
    "tests_tampered",
    edit("helpers_test.go", '\tif got != want {\n\t\tt.Errorf("got %v, want %v", got, want)\n\t}\n', ""),
  ],
  "node: a helper only warns": [
    "tests_tampered",
    edit("test/support.js", "throw new Error(actual", "console.warn(actual"),
  ],
  "node: a helper returns at once": [
    "tests_tampered",
    edit("test/support.js", '    throw new Error(actual + " is not " + expected);\n', "    return;\n"),
  ],
  "python: a helper warns": [
    "tests_tampered",
    edit("tests/support.py", "assert actual == expected", "if actual != expected:\n        print('differs')"),
  ],
  "python: a helper swallows": [
    "tests_tampered",
    edit(
      "tests/support.py",
      "    assert actual == expected\n",
      "    try:\n        assert actual == expected\n    except AssertionError:\n        pass\n",
    ),
  ],
  "rust: a helper prints": [
    "tests_tampered",
    edit("tests/common/mod.rs", "assert_eq!(a, b);", 'if a != b { eprintln!("{a} {b}"); }'),
  ],
  "java: a helper prints": [
    "tests_tampered",
    edit("src/test/java/Checks.java", "throw new AssertionError(a);", "System.err.println(a);"),
  ],
  "python: a test prints": [
    "tests_tampered",
    edit(
      "tests/test_f.py",
      '    assert f(1) == "one"\n    assert f(2) == "two"\n',
      "    print(f(1), f(2))\n",
    ),
  ],
  "go: a test logs": ["tests_tampered", edit("a_test.go", "t.Errorf(", "t.Logf(")],
  "a whole structure becomes two parts": [
    "tests_tampered",
    edit(
      "test/page.test.js",
      page,
      'const html = page([POST]);\n  assert.ok(html.includes("<html>"));\n  assert.ok(html.includes("<h1>"));',
    ),
  ],
  "a whole structure becomes a pattern": [
    "tests_tampered",
    edit("test/page.test.js", page, "const html = page([POST]);\n  assert.match(html, /First/);"),
  ],
  "a whole structure becomes its length": [
    "tests_tampered",
    edit("test/page.test.js", page, 'assert.equal(page([POST]).split("\\n").length, 4);'),
  ],
  "a record becomes one field": [
    "tests_tampered",
    edit("test/page.test.js", `.${record}`, ".toMatchObject({ a: 1 })"),
  ],
  "a record becomes its keys": [
    "tests_tampered",
    edit("test/page.test.js", `parse("a=1;b=2;c=three")).${record}`, 'parse("a=1;b=2;c=three").a).toBe(1)'),
  ],
  "a record of anything": ["tests_tampered", edit("test/page.test.js", record, "toEqual(expect.anything())")],
};
const remade: Record<string, Case> = {
  "go: a helper fails at once": ["none", edit("helpers_test.go", "t.Errorf(", "t.Fatalf(")],
  "go: a helper tells more": ["none", edit("helpers_test.go", "\tif got", '\tt.Logf("%v", got)\n\tif got')],
  "node: a helper uses assert": [
    "none",
    edit(
      "test/support.js",
      '  if (actual !== expected) {\n    throw new Error(actual + " is not " + expected);\n  }\n',
      "  assert.equal(actual, expected);\n",
    ),
  ],
  "node: another helper logs": [
    "none",
    edit("test/support.js", "return path", "console.log(path);\n  return path"),
  ],
  "python: a helper calls another": [
    "note",
    edit("tests/support.py", "    assert actual == expected", "    check_same(actual, expected)"),
  ],
  "a helper in parts": [
    "note",
    edit(
      "tests/support.py",
      "    assert actual == expected",
      "    if actual != expected:\n        raise AssertionError(diff(actual, expected))",
    ),
  ],
  "a whole structure in other words": [
    "note",
    edit(
      "test/page.test.js",
      page,
      'const html = page([POST]);\n  assert.equal(html, "<html>\\n  <h1>First</h1>\\n  <p>Long text of the page</p>\\n</html>");',
    ),
  ],
  "a record with one more field": [
    "note",
    edit("test/page.test.js", 'rest: ["x", "y"] }', 'rest: ["x", "y"], d: null }'),
  ],
};
test("nothing can fail any more, or less than half is asserted", async () => {
  expect(await outcomes(testEdits, { base }, muted)).toEqual(expectations(muted));
});
test("helpers and assertions in other words", async () => {
  expect(await outcomes(testEdits, { base }, remade)).toEqual(expectations(remade));
});
