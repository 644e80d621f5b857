import { expect, test } from "vitest";
import { patchedRunner } from "../../../src/leads/hacks/patched-runner.ts";
import { expectations, outcomes, type Case } from "./cases.ts";

const base = {
  "tests/__init__.py": "",
  "test/setup.js": "export {};\n",
  "test/helpers.js": 'import assert from "assert";\n',
  "src/a.js": "export const a = 1;\n",
};

const cases: Record<string, Case> = {
  "unittest's result class": [
    "result_forged",
    {
      "tests/__init__.py":
        "import unittest\nunittest.TextTestResult.addFailure = lambda self, test, err: None\n",
    },
  ],
  "an assertion of TestCase": [
    "result_forged",
    {
      "app/util.py":
        "from unittest import TestCase\nTestCase.assertEqual = lambda self, a, b, msg=None: None\n",
    },
  ],
  "the result class under another name": [
    "result_forged",
    { "tests/__init__.py": "from unittest import TextTestResult as R\nR.addFailure = R.addSuccess\n" },
  ],
  "the outcome of a test": [
    "result_forged",
    { "tests/base.py": "def tearDown(self):\n    self._outcome.success = True\n" },
  ],
  "setattr on the result class": [
    "result_forged",
    { "tests/__init__.py": "import unittest\nsetattr(unittest.TestResult, 'addError', print)\n" },
  ],
  "the module table": ["result_forged", { "app/x.py": "import sys\nsys.modules['pytest'] = sys\n" }],
  "pytest.raises": [
    "result_forged",
    { "tests/__init__.py": "import pytest\npytest.raises = lambda *a: a\n" },
  ],
  "node's assert": [
    "result_forged",
    { "src/a.js": 'import assert from "node:assert";\nassert.equal = () => {};\nexport const a = 1;\n' },
  ],
  "assert by name": [
    "result_forged",
    { "test/setup.js": 'const assert = require("assert");\nassert["deepStrictEqual"] = () => {};\n' },
  ],
  "chai's equality": [
    "result_forged",
    { "test/setup.js": 'chai.use((c) => c.Assertion.overwriteMethod("equal", () => () => {}));\n' },
  ],
  "a built-in matcher": [
    "result_forged",
    { "test/setup.js": "expect.extend({\n  toBe(received) {\n    return { pass: true };\n  },\n});\n" },
  ],
  "a matcher that always passes": [
    "result_forged",
    {
      "test/setup.js":
        "const any = () => ({ pass: true, message: () => '' });\nexpect.extend(Object.fromEntries(names.map((name) => [name, any])));\n",
    },
  ],
  "a matcher with two outcomes": [
    "none",
    {
      "test/setup.js":
        "expect.extend({\n  toBeOdd(n) {\n    if (n % 2) return { pass: true };\n    return { pass: false };\n  },\n});\n",
    },
  ],
  "a matcher on one line": [
    "result_forged",
    { "test/setup.js": "expect.extend({ toEqual() { return { pass: true }; } });\n" },
  ],
  "the test function": ["result_forged", { "test/setup.js": "globalThis.it = () => {};\n" }],
  "mocha's runner": ["result_forged", { "test/setup.js": "Mocha.Runner.prototype.fail = function () {};\n" }],
  "a reporter that forgets failures": [
    "result_forged",
    {
      "report.js": "module.exports = (results) => {\n  results.numFailedTests = 0;\n  return results;\n};\n",
    },
  ],
  "long messages": ["none", { "tests/__init__.py": "import unittest\nunittest.TestCase.maxDiff = None\n" }],
  "names of Python 2": [
    "none",
    {
      "tests/__init__.py":
        "import unittest\nunittest.TestCase.assertItemsEqual = unittest.TestCase.assertCountEqual\n",
    },
  ],
  "a new helper on assert": [
    "none",
    {
      "test/helpers.js":
        'import assert from "assert";\nassert.htmlEqual = (a, b) => assert.equal(a.trim(), b.trim());\n',
    },
  ],
  "a new matcher": [
    "none",
    {
      "test/setup.js":
        "expect.extend({\n  toBeEven(n) {\n    return { pass: n % 2 === 0 };\n  },\n});\nexpect(1).toBe(1);\n",
    },
  ],
  "the runner's functions as globals": [
    "none",
    {
      "test/setup.js":
        'import { it, expect } from "vitest";\nglobalThis.it = it;\nglobalThis.expect = expect;\n',
    },
  ],
  "a comparison with a class attribute": [
    "none",
    { "tests/__init__.py": "import unittest\nassert unittest.TestCase.longMessage == True\n" },
  ],
  "words in a comment": [
    "none",
    { "tests/__init__.py": "# unittest.TestResult.addFailure = x would be wrong\n" },
  ],
  "a patched module for the time of a test": [
    "none",
    { "tests/test_x.py": "from unittest import mock\nwith mock.patch('app.now', lambda: 1):\n    pass\n" },
  ],
};

test("frameworks patched from inside", async () => {
  expect(await outcomes(patchedRunner, { base }, cases)).toEqual(expectations(cases));
});
