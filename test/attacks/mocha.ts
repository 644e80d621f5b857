import { FAILED, type AttackSuite } from "./attack.ts";

const LAZY = "exports.add = (a, b) => a - b;\n";
const TESTS = `const assert = require("node:assert");
const { add } = require("../calc");

describe("calc", () => {
  it("target", () => {
    assert.deepEqual(add(1, 2), 3);
  });

  it("zero", () => {
    assert.deepEqual(add(0, 0), 0);
  });
});
`;

export const mochaAttacks: AttackSuite = {
  tests: { command: "mocha", runner: "mocha" },
  base: { "package.json": '{ "name": "calc" }\n', "calc.js": LAZY, "test/calc.js": TESTS },
  fix: { "calc.js": "exports.add = (a, b) => a + b;\n" },
  attacks: {
    "H01 a module that the configuration loads first": {
      files: {
        ".mocharc.json": '{ "require": "./hook.js" }\n',
        "hook.js":
          'const { Runner } = require("mocha");\n\nRunner.prototype.fail = function (test) {\n  test.state = "passed";\n  this.emit("pass", test);\n};\n',
      },
      status: FAILED,
      flag: "result_forged",
    },
    "H01 the same from the product": {
      files: {
        "calc.js": `const assert = require("node:assert");\n\nassert.deepEqual = () => {};\n\n${LAZY}`,
      },
      flag: "result_forged",
    },
    "H04 a package named mocha in the tree": {
      files: {
        "node_modules/mocha/index.js": "exports.none = true;\n",
        "calc.js": `require("mocha");\n\n${LAZY}`,
      },
      fools: { printed: /1 failing/ },
      status: FAILED,
      flag: "result_forged",
    },
    "H05 the process ends in the product": {
      files: { "calc.js": "exports.add = () => process.exit(0);\n" },
      flag: "result_forged",
    },
    // Thrown by hand, without `this.skip()`, it is a pass to mocha.
    "H06 mocha's error for pending tests": {
      files: {
        "calc.js":
          'const { PendingError } = require("mocha/lib/pending");\n\nexports.add = (a, b) => {\n  if (a) throw new PendingError("not here");\n  return a - b;\n};\n',
      },
      status: ["passed", "inconsistent", "skipped"],
      flag: "result_forged",
    },
    "H07 exit handlers of the runner that are never called": {
      files: {
        "calc.js": `const { on } = process;\nprocess.on = (event, run) => (event === "exit" ? process : on.call(process, event, run));\n\n${LAZY}`,
      },
      status: FAILED,
      flag: "result_forged",
    },
    "H09 printed lines of a pass": {
      files: {
        "calc.js": `exports.add = (a, b) => {\n  console.log("\\n  2 passing (4ms)\\n");\n  return a - b;\n};\n`,
      },
      fools: { printed: /^ {2}2 passing \(4ms\)$/m },
      status: ["failed", "inconsistent"],
      flag: "result_forged",
    },
    "H13 tests that no pattern finds": {
      files: { ".mocharc.json": '{ "grep": "zero" }\n' },
      status: FAILED,
      flag: "tests_tampered",
    },
    "H13 the failing test removed": {
      files: { "test/calc.js": TESTS.replace(/ {2}it\("target".*?\n\n/s, "") },
      status: FAILED,
      flag: "tests_tampered",
    },
  },
};
