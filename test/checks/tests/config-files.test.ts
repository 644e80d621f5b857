import { expect, test } from "vitest";
import { runnerPart, withRunnerSections, type RunnerPart } from "../../../src/checks/tests/config-files.ts";

test.each<[RunnerPart | undefined, string[]]>([
  [
    "config",
    [
      "conftest.py",
      "a/b/conftest.py",
      "pytest.ini",
      ".pytest.ini",
      "jest.config.ts",
      "vitest.setup.mjs",
      ".mocharc.json",
      "test/mocha.opts",
      ".npmrc",
      ".cargo/config.toml",
      "src/setupTests.js",
    ],
  ],
  [
    "loaded",
    [
      "evil-1.0.dist-info/entry_points.txt",
      "x.egg-info/entry_points.txt",
      "a.pth",
      "lib/sitecustomize.py",
      "pytest.py",
      "_pytest/runner.py",
      "unittest/__init__.py",
      "src/pluggy.py",
      "node_modules/.bin/node",
      "node_modules/jest-circus/runner.js",
      "packages/a/node_modules/mocha/index.js",
    ],
  ],
  ["sections", ["pyproject.toml", "setup.cfg", "tox.ini", "package.json", "packages/a/package.json"]],
  [
    "module",
    ["tests/test_a.py", "a_test.go", "src/a.test.tsx", "__tests__/a.js", "test/a.mjs", "tests/a.rs"],
  ],
  [
    undefined,
    [
      "src/a.py",
      "src/contest.py",
      "my_unittest.py",
      "pytest_plugin/docs.md",
      "lib/pytest.md",
      "node_modules/left-pad/index.js",
      "tests/data.json",
      "src/config.ts",
      "tests/__init__.py",
      "Makefile",
    ],
  ],
])("%s", (part, paths) => {
  expect(paths.map((path) => [path, runnerPart(path, "python3 -m pytest", () => false)])).toEqual(
    paths.map((path) => [path, part]),
  );
});

test.each<[string, string, RunnerPart | undefined]>([
  ["Makefile", "make test", "config"],
  ["Makefile", "cd a && make", "config"],
  ["vite.config.ts", "npx vitest run", "config"],
  ["vite.config.ts", "npx jest", undefined],
  ["bin/test", "bin/test -C sympy", "config"],
  ["bin/tool", "bin/tool test", undefined],
  ["tests/test_new.py", "pytest tests/test_new.py", undefined],
])("%s under %s", (path, command, part) => {
  expect(runnerPart(path, command, () => false)).toBe(part);
});

test.each<[string, string, string, string | undefined, string | undefined]>([
  [
    "equal sections",
    "setup.cfg",
    "[metadata]\nname = b\n[tool:pytest]\nx = 1\n",
    "[tool:pytest]\nx = 1\n\n[metadata]\nname = a\n",
    undefined,
  ],
  [
    "another option",
    "setup.cfg",
    "[metadata]\nname = b\n[tool:pytest]\naddopts = --co\n",
    "[tool:pytest]\nx = 1\n",
    "[metadata]\nname = b\n[tool:pytest]\nx = 1\n",
  ],
  [
    "a new section",
    "tox.ini",
    "[flake8]\nx = 1\n[pytest]\naddopts = -k no\n",
    undefined,
    "[flake8]\nx = 1\n",
  ],
  [
    "a section that is gone",
    "pyproject.toml",
    "[project]\nname = 'a'\n",
    "[tool.pytest.ini_options]\ntestpaths = ['t']\n",
    "[project]\nname = 'a'\n[tool.pytest.ini_options]\ntestpaths = ['t']\n",
  ],
  [
    "a list over several lines",
    "pyproject.toml",
    "[tool.pytest.ini_options]\naddopts = [\n  '--co',\n]\n[tool.x]\ny = 1\n",
    "[tool.x]\ny = 0\n",
    "[tool.x]\ny = 1\n",
  ],
  [
    "scripts",
    "package.json",
    '{"name":"b","scripts":{"test":"true"},"jest":{}}',
    '{"name":"a","scripts":{"test":"jest"}}',
    '{\n  "name": "b",\n  "scripts": {\n    "test": "jest"\n  }\n}\n',
  ],
  [
    "other keys",
    "package.json",
    '{"name":"b","scripts":{"test":"jest"}}',
    '{"name":"a","scripts":{"test":"jest"}}',
    undefined,
  ],
  ["a package of its own", "a/package.json", '{"scripts":{"test":"true"}}', undefined, undefined],
  ["what is no JSON", "package.json", "{", '{"scripts":{}}', undefined],
])("the runner's part of a shared file: %s", (_what, path, text, trusted, expected) => {
  expect(withRunnerSections(path, text, trusted)).toBe(expected);
});

test("a project that is a test runner changes its own modules", () => {
  const known = (start: string) => "src/_pytest/runner.py".startsWith(start);
  expect(runnerPart("src/_pytest/new.py", "pytest", known)).toBeUndefined();
  expect(runnerPart("src/pytest.py", "pytest", known)).toBe("loaded");
});

test.each<[path: string, command: string, base: string[], expected: RunnerPart | undefined]>([
  ["run_tests.py", "python3 run_tests.py --all", ["run_tests.py"], "config"],
  ["run_tests.py", "python3 ./run_tests.py", ["run_tests.py"], "config"],
  ["ci/check.sh", "./ci/check.sh", ["ci/check.sh"], "config"],
  ["run_tests.py", "python3 other.py", ["run_tests.py"], "module"],
  ["tests/test_new.py", "pytest tests/test_new.py", [], undefined],
  ["src/main.py", "python3 src/main.py", ["src/main.py"], undefined],
])("H12 %s under %j is the script that runs the tests, or not", (path, command, base, expected) => {
  expect(runnerPart(path, command, (start) => base.some((each) => each.startsWith(start)))).toBe(expected);
});
