import { expect, test } from "vitest";
import { testEdits } from "../../src/leads/test-edits.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

const base = {
  "test/f.test.js": 'test("adds one", () => {});\ntest("adds two", () => {});\n',
  "test/g.test.js": 'test("joins", () => {});\n',
  "e2e/page.spec.js": 'test("opens", () => {});\n',
  "tests/test_f.py": "def test_one():\n    assert f(1)\n\ndef test_two():\n    assert f(2)\n",
  "a_test.go": "package a\n\nfunc TestF(t *testing.T) {}\n\nfunc TestG(t *testing.T) {}\n",
  "package.json": '{\n  "scripts": {\n    "test": "node --test",\n    "lint": "eslint ."\n  }\n}\n',
  "pytest.ini": "[pytest]\naddopts = -q\n",
  "tox.ini": "[testenv]\ncommands = pytest\n",
  Makefile: "test:\n\tgo test ./...\n",
  ".github/workflows/ci.yml": "jobs:\n  test:\n    steps:\n      - run: go test ./...\n",
  "vite.config.ts": 'export default {\n  build: { outDir: "dist" },\n};\n',
};
const vitest = (line: string) => ({
  "vitest.config.ts": `export default {\n  test: {\n    ${line}\n  },\n};\n`,
});
const jest = (line: string) => ({ "jest.config.js": `module.exports = {\n  ${line}\n};\n` });
const script = (command: string) => ({
  "package.json": base["package.json"].replace('"node --test"', JSON.stringify(command)),
});
const replaced = (
  path: "Makefile" | "tox.ini" | ".github/workflows/ci.yml" | "pytest.ini",
  from: string,
  to: string,
) => ({
  [path]: base[path].replace(from, () => to),
});

const cases: Record<string, Case> = {
  "vitest: a name": ["tests_tampered", vitest("testNamePattern: /adds one/,")],
  "vitest: the files": ["tests_tampered", vitest('include: ["test/g.test.js"],')],
  "vitest: files over several lines": ["tests_tampered", vitest('include: [\n      "test/g*.js",\n    ],')],
  "vitest: excluded over several lines": [
    "tests_tampered",
    vitest('exclude: [\n      "test/f.test.js",\n    ],'),
  ],
  "vite: excluded in its test settings": [
    "tests_tampered",
    { "vite.config.ts": 'export default {\n  test: {\n    exclude: ["test/f.test.js"],\n  },\n};\n' },
  ],
  "jest: the files": ["tests_tampered", jest('testMatch: ["**/g.test.js"],')],
  "jest: by a regular expression": ["tests_tampered", jest('testRegex: "g\\\\.test\\\\.js$",')],
  "jest: the roots": ["tests_tampered", jest('roots: ["<rootDir>/src"],')],
  "jest in package.json": [
    "tests_tampered",
    { "package.json": '{\n  "jest": {\n    "testMatch": ["**/g.test.js"]\n  }\n}\n' },
  ],
  "mocha: a name": ["tests_tampered", { ".mocharc.json": '{\n  "grep": "joins"\n}\n' }],
  "mocha: a name in YAML": ["tests_tampered", { ".mocharc.yml": "grep: joins\n" }],
  "mocha: the files": ["tests_tampered", { ".mocharc.json": '{\n  "spec": ["test/g.test.js"]\n}\n' }],
  "mocha in package.json": [
    "tests_tampered",
    { "package.json": '{\n  "mocha": {\n    "grep": "joins"\n  }\n}\n' },
  ],
  "node: a name in the script": ["tests_tampered", script('node --test --test-name-pattern="adds"')],
  "node: a name to skip": ["tests_tampered", script("node --test --test-skip-pattern=two")],
  "node: an option of npm": ["tests_tampered", { ".npmrc": "node-options=--test-name-pattern=joins\n" }],
  "jest: a name in the script": ["tests_tampered", script("jest -t 'adds one'")],
  "mocha: inverted": ["tests_tampered", script("mocha --grep two --invert")],
  "pytest: a name": ["tests_tampered", replaced("pytest.ini", "-q", "-q -k one")],
  "pytest: two names": ["tests_tampered", replaced("pytest.ini", "-q", '-k "not one and not three"')],
  "pytest: set by a plugin": [
    "tests_tampered",
    { "conftest.py": "def pytest_configure(config):\n    config.option.keyword = 'one'\n" },
  ],
  "tox: a name": ["tests_tampered", replaced("tox.ini", "pytest", "pytest -k one")],
  "go: a name in the makefile": [
    "tests_tampered",
    replaced("Makefile", "go test ./...", "go test -run 'TestG$' ./..."),
  ],
  "go: a name to skip in CI": [
    "tests_tampered",
    replaced(".github/workflows/ci.yml", "go test ./...", "go test -skip TestF ./..."),
  ],
  "vitest: all tests": ["none", vitest('include: ["**/*.{test,spec}.?(c|m)[jt]s?(x)"],')],
  "vitest: the folder of the tests": ["none", vitest('include: ["test/**/*.test.js"],')],
  "vitest: files of the coverage": ["none", vitest('coverage: {\n      include: ["src/**"],\n    },')],
  "vite: files of the build": [
    "none",
    { "vite.config.ts": 'export default {\n  include: ["src/a.js"],\n};\n' },
  ],
  "jest: all tests": ["none", jest('testMatch: ["**/test/**/*.test.js"],')],
  "jest: all tests by a regular expression": ["none", jest('testRegex: "(/test/.*|\\\\.test)\\\\.js$",')],
  "jest: all files": ["none", jest('roots: ["<rootDir>"],')],
  "mocha: all tests": ["none", { ".mocharc.json": '{\n  "spec": "test/**/*.test.js"\n}\n' }],
  "mocha: a time limit": ["none", script("mocha -t 5000")],
  "an option of another command": ["none", script("node --test && docker build -t app .")],
  "node: a reporter": ["none", script("node --test --test-reporter=spec")],
  "a script for one test": [
    "none",
    {
      "package.json": base["package.json"].replace(
        '"lint"',
        '"test:one": "node --test --test-name-pattern=one",\n    "lint"',
      ),
    },
  ],
  "a new target for one test": [
    "none",
    { Makefile: `${base.Makefile}\nquick:\n\tgo test -run TestG ./...\n` },
  ],
  "pytest: a name that all have": ["none", replaced("pytest.ini", "-q", "-k test")],
  "pytest: a verbose run": ["none", replaced("tox.ini", "pytest", "pytest -ra")],
  "go: the race detector": ["none", replaced("Makefile", "go test", "go test -race")],
  "go: every name": ["none", replaced("Makefile", "go test", "go test -run .")],
  "grep in a script": [
    "none",
    { "package.json": base["package.json"].replace("eslint .", "grep -r todo .") },
  ],
};

test("tests that a setting leaves out, by name or by file", async () => {
  expect(await outcomes(testEdits, { base }, cases)).toEqual(expectations(cases));
});
