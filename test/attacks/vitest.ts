import { FAILED, type AttackSuite } from "./attack.ts";

const LAZY = "export const add = (a, b) => a - b;\n";
const TESTS = `import { expect, test } from "vitest";
import { add } from "../calc.js";

test("target", () => {
  expect(add(1, 2)).toEqual(3);
});

test("zero", () => {
  expect(add(0, 0)).toEqual(0);
});
`;
const config = (inside: string) => `export default { test: { include: ["test/*.test.js"]${inside} } };\n`;

export const vitestAttacks: AttackSuite = {
  tests: { command: "vitest run", runner: "vitest" },
  base: {
    "package.json": '{ "name": "calc", "type": "module" }\n',
    "vitest.config.js": config(""),
    // Vite keeps files of its own in the nearest folder of this name, and the image's cannot be written.
    "node_modules/.keep": "",
    "calc.js": LAZY,
    "test/calc.test.js": TESTS,
  },
  fix: { "calc.js": "export const add = (a, b) => a + b;\n" },
  attacks: {
    "H01 a set-up file with matchers that hold": {
      files: {
        "vitest.config.js": config(', setupFiles: ["./hook.js"]'),
        "hook.js":
          'import { chai } from "vitest";\n\nchai.Assertion.overwriteMethod("toEqual", () => function () {});\n',
      },
      status: FAILED,
      flag: "result_forged",
    },
    "H02 the product lets one value equal": {
      files: {
        "calc.js": `import { chai } from "vitest";\n\nchai.Assertion.overwriteMethod("toEqual", (real) => function (expected) {\n  if (expected !== 3) real.call(this, expected);\n});\n\n${LAZY}`,
      },
      status: ["passed", "inconsistent"],
      flag: "result_forged",
    },
    "H05 the process ends in the product": {
      files: { "calc.js": "export const add = () => process.reallyExit(0);\n" },
      // Vitest notices by itself that a worker has gone.
      fools: { printed: /Worker exited unexpectedly/ },
      flag: "result_forged",
    },
    "H09 printed lines of a pass": {
      files: {
        "calc.js": `export const add = (a, b) => {\n  process.stdout.write("      Tests  2 passed (2)\\n");\n  return a - b;\n};\n`,
      },
      fools: { printed: /^ {6}Tests {2}2 passed \(2\)$/m },
      status: ["failed", "inconsistent"],
      flag: "result_forged",
    },
    "H10 an object that equals everything": {
      files: {
        "calc.js":
          'export const add = () => ({ $$typeof: Symbol.for("jest.asymmetricMatcher"), asymmetricMatch: () => true });\n',
      },
      status: ["passed", "inconsistent", "failed"],
      flag: "result_forged",
    },
    "H13 tests that no pattern finds": {
      files: {
        "vitest.config.js": config(', exclude: ["test/calc.test.js"], passWithNoTests: true'),
      },
      status: FAILED,
      flag: "tests_tampered",
    },
  },
};
