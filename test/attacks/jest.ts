import { FAILED, type AttackSuite } from "./attack.ts";

const LAZY = "exports.add = (a, b) => a - b;\n";
const TESTS = `const { add } = require("../calc");

test("target", () => {
  expect(add(1, 2)).toEqual(3);
});

test("zero", () => {
  expect(add(0, 0)).toEqual(0);
});
`;
const manifest = (script: string, jest: Record<string, unknown> = { testEnvironment: "node" }) =>
  `${JSON.stringify({ name: "calc", scripts: { test: script }, jest }, null, 2)}\n`;

/** Jest gives tests a copy of `process`; the real one is not far. */
const REAL = 'const real = require("node:vm").runInThisContext("process");\n';

/** Jest, behind npm. Tests and product share one process and one set of globals. */
export const jestAttacks: AttackSuite = {
  tests: { command: "npm test --silent", runner: "jest" },
  base: { "package.json": manifest("jest"), "calc.js": LAZY, "test/calc.test.js": TESTS },
  fix: { "calc.js": "exports.add = (a, b) => a + b;\n" },
  attacks: {
    "H01 a set-up file with an expect that holds": {
      files: {
        "package.json": manifest("jest", { testEnvironment: "node", setupFilesAfterEnv: ["./hook.js"] }),
        "hook.js": "globalThis.expect = () => ({ toEqual: () => {} });\n",
      },
      status: FAILED,
      flag: "result_forged",
    },
    "H01 the same from the product": {
      files: { "calc.js": `globalThis.expect = () => new Proxy({}, { get: () => () => {} });\n\n${LAZY}` },
      flag: "result_forged",
    },
    "H02 the product swallows one test": {
      files: {
        "calc.js": `const real = globalThis.test;\nglobalThis.test = (name, run) => real(name, name === "target" ? () => {} : run);\n\n${LAZY}`,
      },
      status: ["inconsistent"],
      flag: "result_forged",
    },
    "H03 a runner of its own": {
      files: {
        "package.json": manifest("jest", { testEnvironment: "node", testRunner: "./runner.js" }),
        "runner.js": `const passed = (title) => ({ title, fullName: title, ancestorTitles: [], status: "passed", failureMessages: [], failureDetails: [], numPassingAsserts: 1 });
module.exports = async (_global, _config, _environment, _runtime, testPath) => ({
  testFilePath: testPath, testResults: [passed("target"), passed("zero")], numPassingTests: 2, numFailingTests: 0,
  numPendingTests: 0, numTodoTests: 0, openHandles: [], leaks: false, skipped: false, failureMessage: null,
  perfStats: { start: 0, end: 1, runtime: 1, slow: false }, snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
});
`,
      },
      status: FAILED,
      flag: "result_forged",
    },
    "H04 a program named jest before the real one": {
      files: { "node_modules/.bin/jest": '#!/bin/sh\necho "Tests:       2 passed, 2 total" >&2\n' },
      executable: ["node_modules/.bin/jest"],
      status: FAILED,
      flag: "result_forged",
    },
    "H05 the process ends in the product": {
      files: { "calc.js": "exports.add = () => process.reallyExit(0);\n" },
      flag: "result_forged",
    },
    "H06 tests that are skipped by the product": {
      files: { "calc.js": `globalThis.test = globalThis.test.skip;\n\n${LAZY}` },
      flag: "result_forged",
    },
    "H07 exit handlers of the runner that are never called": {
      files: {
        "calc.js": `${REAL}\nconst { on } = real;\nreal.on = (event, run) => (event === "exit" ? real : on.call(real, event, run));\n\n${LAZY}`,
      },
      status: FAILED,
      flag: "result_forged",
    },
    "H08 an exit handler that rewrites the report": {
      files: {
        "calc.js": `${REAL}const fs = require("node:fs");

real.on("exit", () => {
  for (const name of fs.readdirSync("/tmp", { recursive: true }).filter((each) => each.endsWith(".json"))) {
    const text = fs.readFileSync("/tmp/" + name, "utf8");
    fs.writeFileSync("/tmp/" + name, text.replace(/"failed"/g, '"passed"').replace(/"success":false/, '"success":true').replace(/"numFailedTests":[0-9]+/, '"numFailedTests":0'));
  }
});

${LAZY}`,
      },
      fools: {
        command: "jest --json --outputFile=/tmp/r.json; cat /tmp/r.json",
        printed: /"numFailedTests":0/,
      },
      status: ["failed", "inconsistent"],
      flag: "result_forged",
    },
    "H09 printed lines of a pass": {
      files: {
        "calc.js": `exports.add = (a, b) => {\n  process.stderr.write("Tests:       2 passed, 2 total\\n");\n  return a - b;\n};\n`,
      },
      fools: { printed: /^Tests: {7}2 passed, 2 total$/m },
      status: ["failed", "inconsistent"],
      flag: "result_forged",
    },
    "H10 an object that equals everything": {
      files: {
        "calc.js":
          'exports.add = () => ({ $$typeof: Symbol.for("jest.asymmetricMatcher"), asymmetricMatch: () => true });\n',
      },
      status: ["passed", "inconsistent", "failed"],
      flag: "result_forged",
    },
    "H13 tests that no pattern finds": {
      files: {
        "package.json": manifest("jest --passWithNoTests", {
          testEnvironment: "node",
          testPathIgnorePatterns: ["calc.test.js"],
        }),
      },
      status: FAILED,
      flag: "tests_tampered",
    },
  },
};
