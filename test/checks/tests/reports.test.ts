import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readGoJson, readJestJson, readMochaJson } from "../../../src/checks/tests/json-reports.ts";
import { readJunit } from "../../../src/checks/tests/junit.ts";
import { readCargo, readUnittest } from "../../../src/checks/tests/output.ts";
import { accountOf, reportPlan } from "../../../src/checks/tests/reports.ts";
import { merged, type TestResult } from "../../../src/checks/tests/results.ts";
import type { Tests } from "../../../src/schema/group.ts";

const short = (results: TestResult[] | undefined) =>
  results?.map(({ id, status, load, setup }) =>
    [id, status, ...(load === true ? ["load"] : []), ...(setup === true ? ["setup"] : [])].join(" | "),
  );

const PYTEST = `<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="1" tests="6">
<testcase classname="tests.test_a" name="test_one" file="tests/test_a.py" line="1" time="0.1" />
<testcase classname="tests.test_a.TestK.TestIn" name="test_n[a &lt;b&gt;]" file="tests/test_a.py"><skipped type="pytest.skip" message="no">x</skipped></testcase>
<testcase classname="tests.test_a" name="test_two" file="tests/test_a.py"><failure message="assert 1 == 2">&lt;/testcase&gt;</failure></testcase>
<testcase classname="tests.test_a" name="test_fix" file="tests/test_a.py"><error message="failed on setup with &quot;fixture 'x' not found&quot;">f</error></testcase>
<testcase classname="" name="tests.test_b" file="tests/test_b.py"><error message="collection failure">E</error></testcase>
</testsuite></testsuites>`;

const NODE = `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
	<testcase name="adds" time="0.001" classname="test"/>
	<testcase name="fails &lt;x>" classname="test" failure="boo">
		<failure type="testCodeFailure" message="boo">Error: boo</failure>
	</testcase>
	<testsuite name="group" tests="2"><testcase name="in" classname="test"/>
		<testsuite name="deep"><testcase name="dd" classname="test"><skipped type="todo" message="true"/></testcase></testsuite>
	</testsuite>
	<testcase name="/work/test/b.test.mjs" classname="test" failure="test failed"><failure type="testCodeFailure" message="x"/></testcase>
	<!-- pass 6 -->
</testsuites>`;

describe("JUnit XML", () => {
  test.each<[string, string, string[] | undefined]>([
    [
      "pytest, with its own ids",
      PYTEST,
      [
        "tests/test_a.py::test_one | passed",
        "tests/test_a.py::TestK::TestIn::test_n[a <b>] | skipped",
        "tests/test_a.py::test_two | failed",
        "tests/test_a.py::test_fix | failed | setup",
        "tests/test_b.py | failed | load",
      ],
    ],
    [
      "node:test, by suites",
      NODE,
      [
        "adds | passed",
        "fails <x> | failed",
        "group > in | passed",
        "group > deep > dd | skipped",
        "test/b.test.mjs | failed | load",
      ],
    ],
    [
      "any other, by class",
      `<testsuite name="s"><testcase classname="a.B" name="c"/></testsuite>`,
      ["a.B > c | passed"],
    ],
    ["no tests", "<testsuites></testsuites>", []],
    [
      "the worst of two with one name",
      `<testsuite name="s"><testcase name="a"/><testcase name="a"><failure/></testcase></testsuite>`,
      ["s > a | failed"],
    ],
    ["cut off", PYTEST.slice(0, -30), undefined],
    [
      "a case inside a case",
      `<testsuite><testcase name="a"><testcase name="b"/></testcase></testsuite>`,
      undefined,
    ],
    ["another document", "<html><testcase name='a'/></html>", undefined],
    ["no XML", "1 passed", undefined],
  ])("%s", (_what, text, expected) => {
    expect(short(readJunit(text))).toEqual(expected);
  });

  test("a report that is cut anywhere is none, or the whole", () => {
    const whole = readJunit(PYTEST);
    fc.assert(
      fc.property(fc.nat(PYTEST.length), (at) => {
        expect([undefined, whole]).toContainEqual(readJunit(PYTEST.slice(0, at)));
      }),
    );
  });
});

describe("JSON", () => {
  test("jest and vitest: a file that cannot be loaded is one failure", () => {
    const report = {
      testResults: [
        {
          name: "/work/a.test.js",
          status: "failed",
          assertionResults: [
            { title: "one", ancestorTitles: ["", "g"], status: "passed" },
            { title: "two", ancestorTitles: ["g"], status: "failed" },
            { title: "three", ancestorTitles: [], status: "todo" },
          ],
        },
        { name: "/work/b.test.js", status: "failed", message: "no module", assertionResults: [] },
      ],
    };
    expect(short(readJestJson(JSON.stringify(report)))).toEqual([
      "a.test.js > g > one | passed",
      "a.test.js > g > two | failed",
      "a.test.js > three | skipped",
      "b.test.js | failed | load",
    ]);
  });

  test("mocha: a hook that failed is no test", () => {
    const one = (fullTitle: string) => ({ fullTitle, file: "/work/test/a.js" });
    const report = {
      passes: [one("g a")],
      failures: [one('g "before each" hook for "b"')],
      pending: [one("g c")],
    };
    expect(short(readMochaJson(JSON.stringify(report)))).toEqual([
      "test/a.js > g a | passed",
      'test/a.js > g "before each" hook for "b" | failed | load',
      "test/a.js > g c | skipped",
    ]);
  });

  test("go: events of tests, and of packages that could not be built; printed lines are none", () => {
    const lines = [
      { Action: "start", Package: "m/p" },
      {
        Action: "output",
        Package: "m/p",
        Test: "TestA",
        Output: '{"Action":"pass","Package":"m/p","Test":"TestC"}\n',
      },
      { Action: "pass", Package: "m/p", Test: "TestA" },
      { Action: "fail", Package: "m/p", Test: "TestB" },
      { Action: "fail", Package: "m/p" },
      { Action: "fail", Package: "m/q" },
    ];
    expect(
      short(readGoJson(`go: downloading\n${lines.map((line) => JSON.stringify(line)).join("\n")}\n`)),
    ).toEqual(["m/p TestA | passed", "m/p TestB | failed", "m/q | failed | load"]);
    expect(readGoJson("ok m/p 0.1s\n")).toBeUndefined();
  });

  test.each([readJestJson, readMochaJson, readGoJson])("anything else is no report: %o", (read) => {
    for (const text of ["", "{", "null", "[]", '{"testResults": 1}', '{"passes": {}}'])
      expect(read(text)).toBeUndefined();
  });
});

const UNITTEST = `tests.test_b (unittest.loader._FailedTest.tests.test_b) ... ERROR
test_k (tests.test_u.K.test_k) ... skipped 'all'
setUpClass (tests.test_u.S) ... ERROR
test_a (tests.test_u.T.test_a)
Doc line here. ... ok
test_b (tests.test_u.T.test_b) ... hello
ok
test_c (tests.test_u.T.test_c) ...${" "}
  test_c (tests.test_u.T.test_c) (i=1) ... FAIL
test_e (tests.test_u.T.test_e) ... expected failure
test_f (tests.test_u.T.test_f) ... unexpected success
test_g (test_u.T) ... ERROR

======================================================================
FAIL: test_c (tests.test_u.T.test_c) (i=1)
----------------------------------------------------------------------
Ran 9 tests in 0.001s

FAILED (failures=2, errors=3)
`;

describe("output", () => {
  test("unittest -v: subtests, documentation and printed lines", () => {
    expect(short(readUnittest(UNITTEST))).toEqual([
      "unittest.loader._FailedTest.tests.test_b | failed | load",
      "tests.test_u.K.test_k | skipped",
      "tests.test_u.S.setUpClass | failed | load",
      "tests.test_u.T.test_a | passed",
      "tests.test_u.T.test_b | passed",
      "tests.test_u.T.test_c | failed",
      "tests.test_u.T.test_e | skipped",
      "tests.test_u.T.test_f | failed",
      "test_u.T.test_g | failed",
    ]);
    expect(readUnittest("test_a (m.T.test_a) ... ok\n")).toBeUndefined();
    expect(readUnittest("..\nRan 2 tests in 0.1s\n\nOK\n")).toBeUndefined();
    expect(readUnittest("\nRan 0 tests in 0.0s\n\nOK\n")).toEqual([]);
  });

  test("cargo: tests by name, or a build that failed", () => {
    expect(
      short(
        readCargo("test a::adds ... ok\ntest b ... FAILED\ntest c ... ignored\ntest result: FAILED.\n", ""),
      ),
    ).toEqual(["a::adds | passed", "b | failed", "c | skipped"]);
    expect(short(readCargo("", "error[E0425]: x\n"))).toEqual(["build | failed | load"]);
    expect(readCargo("", "")).toBeUndefined();
  });
});

test.each<[string, Tests, string, Record<string, string>, string | undefined]>([
  [
    "pytest",
    { command: "pytest -q", runner: "pytest" },
    "pytest -q",
    { PYTEST_ADDOPTS: "-rA --junit-xml=/tmp/gagar-report.xml -o junit_family=xunit1" },
    "/tmp/gagar-report.xml",
  ],
  [
    "unittest",
    { command: "python3 -m unittest discover -s t && ls", runner: "unittest" },
    "python3 -m unittest discover -v -s t && ls",
    {},
    undefined,
  ],
  [
    "unittest that tells all",
    { command: "python3 -m unittest -v", runner: "unittest" },
    "python3 -m unittest -v",
    {},
    undefined,
  ],
  [
    "jest behind npm",
    { command: "npm test", runner: "jest" },
    "npm test -- --json --outputFile=/tmp/gagar-report.json",
    {},
    "/tmp/gagar-report.json",
  ],
  ["go", { command: "go test ./...", runner: "go" }, "go test ./...", { GOFLAGS: "-json" }, undefined],
  [
    "a declared report",
    { command: "make check", runner: "custom", report_path: "out/r.xml" },
    "make check",
    {},
    "out/r.xml",
  ],
])("how a report is asked for: %s", (_what, tests, command, env, path) => {
  const before = tests.runner === "pytest" ? { PYTEST_ADDOPTS: "-rA" } : {};
  const plan = reportPlan(tests, { command: tests.command, env: before });
  expect([plan?.command, plan?.env, plan?.path]).toEqual([command, env, path]);
});

test.each<Tests>([
  { command: "make check" },
  { command: "make check", runner: "custom" },
  { command: "node --test --test-reporter=dot", runner: "node" },
])("no report can be asked for: %o", (tests) => {
  expect(reportPlan(tests, { command: tests.command, env: {} })).toBeUndefined();
});

test("what is no readable file is no report", () => {
  const plan = reportPlan({ command: "x", report_path: "r.xml" }, { command: "x", env: {} });
  if (plan === undefined) throw new Error("a plan was expected");
  const printed = { stdout: "", stderr: "" };
  const xml = Buffer.from(`<testsuite name="s"><testcase name="a"/></testsuite>`);
  expect(short(accountOf(plan, { outcome: "read", bytes: xml }, printed, "/work"))).toEqual([
    "s > a | passed",
  ]);
  for (const outcome of ["missing", "not_a_file", "too_large", "directory", "denied"] as const)
    expect(accountOf(plan, { outcome }, printed, "/work")).toBeUndefined();
});

test("an id is one line of bounded length", () => {
  const [result] = merged([{ id: `a\n| b\u0000${"x".repeat(9999)}`, status: "passed" }]);
  expect(result?.id).toMatch(/^a \| b x+$/);
  expect(result?.id).toHaveLength(500);
});

test.each(["/work", "/testbed"])("the folder that tests ran in is not part of their ids: %s", (folder) => {
  const plan = reportPlan({ command: "jest", runner: "jest" }, { command: "jest", env: {} });
  if (plan === undefined) throw new Error("jest has a report");
  const assertionResults = [{ ancestorTitles: ["s"], title: "a", status: "passed" }];
  const report = { testResults: [{ name: `${folder}/test/f.test.js`, status: "passed", assertionResults }] };
  const bytes = Buffer.from(JSON.stringify(report));
  const told = accountOf(plan, { outcome: "read", bytes }, { stdout: "", stderr: "" }, folder);
  expect(told).toEqual([{ id: "test/f.test.js > s > a", file: "test/f.test.js", status: "passed" }]);
});
