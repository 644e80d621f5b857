import { expect, test } from "vitest";
import { runnerConfig } from "../../../src/leads/hacks/runner-config.ts";
import { expectations, outcomes, type Case } from "./cases.ts";

const base = {
  "package.json": '{\n  "name": "x"\n}\n',
  "Cargo.toml": '[package]\nname = "x"\n\n[[test]]\nname = "it"\n\n[[bench]]\nname = "b"\n',
  "jest.config.js": "module.exports = {\n};\n",
};
const jest = (line: string) => ({ "jest.config.js": `module.exports = {\n  ${line},\n};\n` });

const cases: Record<string, Case> = {
  "a results processor": ["result_forged", jest('testResultsProcessor: "./tools/results.js"')],
  "a runner of one's own": ["result_forged", jest('testRunner: "<rootDir>/run.js"')],
  "assert is mapped away": ["result_forged", jest('moduleNameMapper: { "^assert$": "<rootDir>/shim.js" }')],
  "chai is mapped away": [
    "result_forged",
    { "package.json": '{\n  "name": "x",\n  "jest": { "moduleNameMapper": { "chai": "./shim.js" } }\n}\n' },
  ],
  "a test target without harness": [
    "tests_tampered",
    { "Cargo.toml": base["Cargo.toml"].replace('name = "it"\n', 'name = "it"\nharness = false\n') },
  ],
  "tests are not looked for": [
    "tests_tampered",
    { "Cargo.toml": base["Cargo.toml"].replace('name = "x"\n', 'name = "x"\nautotests = false\n') },
  ],
  "a reporter that knows no failures": [
    "result_forged",
    {
      "package.json":
        '{\n  "name": "x",\n  "scripts": { "test": "node --test --test-reporter=./tools/quiet.mjs test" }\n}\n',
      "tools/quiet.mjs": "export default async function* () {\n  yield 'ok 1 - all passed';\n}\n",
    },
  ],
  "a preload that settles the status": [
    "result_forged",
    {
      "package.json":
        '{\n  "name": "x",\n  "scripts": { "test": "node --import ./tools/setup.js --test" }\n}\n',
      "tools/setup.js": 'process.on("exit", () => {\n  process.exitCode = 0;\n});\n',
    },
  ],
  "a set-up that settles the status": [
    "result_forged",
    {
      ...jest('globalTeardown: "./tools/end.js"'),
      "tools/end.js": "module.exports = () => process.exit(0);\n",
    },
  ],
  "unhandled errors do not count": [
    "minor",
    { "vitest.config.ts": "export default { test: {\n  dangerouslyIgnoreUnhandledErrors: true,\n} };\n" },
  ],
  "a reporter that knows failures": [
    "minor",
    {
      ...jest('reporters: ["./tools/dots.js"]'),
      "tools/dots.js":
        "module.exports = class {\n  onTestResult(t) {\n    print(t.numFailing ? 'failed' : 'passed');\n  }\n};\n",
    },
  ],
  "a script before the tests": ["minor", jest('setupFiles: ["./setup.js"]')],
  "a preload in a script": [
    "minor",
    { "package.json": '{\n  "name": "x",\n  "scripts": { "test": "node --import ./hook.js --test" }\n}\n' },
  ],
  "runs without tests pass": ["minor", jest("passWithNoTests: true")],
  "failing tests are repeated": [
    "minor",
    { "vitest.config.ts": "export default { test: {\n  retry: 3,\n} };\n" },
  ],
  "a packaged environment": ["none", jest('testEnvironment: "jsdom"')],
  "a packaged runner": ["none", jest('testRunner: "jest-circus/runner"')],
  "an alias of the project": ["none", jest('moduleNameMapper: { "^@/(.*)$": "<rootDir>/src/$1" }')],
  "a packaged reporter": ["none", jest('reporters: ["default", "jest-junit"]')],
  "a benchmark without harness": [
    "none",
    { "Cargo.toml": base["Cargo.toml"].replace('name = "b"\n', 'name = "b"\nharness = false\n') },
  ],
  "a dependency": [
    "none",
    { "package.json": '{\n  "name": "x",\n  "devDependencies": { "jest": "^29.0.0" }\n}\n' },
  ],
  "the same words in code": ["none", { "src/a.js": 'export const o = { retry: 3, testRunner: "./x" };\n' }],
};

test("runner configuration", async () => {
  expect(await outcomes(runnerConfig, { base }, cases)).toEqual(expectations(cases));
});
