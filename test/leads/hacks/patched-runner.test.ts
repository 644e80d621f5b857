import { expect, test } from "vitest";
import { patchedRunner } from "../../../src/leads/hacks/patched-runner.ts";
import { expectations, outcomes, type Case } from "./cases.ts";

const base = {
  "test/known.test.js": "assert.equal(f(1), 1);\n",
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
  "H02 a class of pytest under a name of its own": [
    "result_forged",
    {
      "app/util.py":
        "from _pytest import reports as kept, runner\n\nkept.TestReport.from_item_and_call = print\n",
    },
  ],
  "a module of pytest under another name": [
    "result_forged",
    { "app/util.py": "import _pytest.runner as r\n\nr.call_and_report = print\n" },
  ],
  "a mock that is set": [
    "none",
    { "app/util.py": "from unittest import mock, util\n\nmock.DEFAULT = 1\nutil._MAX_LENGTH = 2000\n" },
  ],
  "a setting of an imported class": [
    "none",
    { "tests/base.py": "from unittest import TestCase\n\nTestCase.maxDiff = None\n" },
  ],
  "an attribute of one's own class": [
    "none",
    { "app/util.py": "from pytest import fixture\n\nclass A:\n    pass\n\nA.fixture = fixture\n" },
  ],
  "H06 tests that are all skipped": [
    "result_forged",
    { "src/a.js": "globalThis.test = globalThis.test.skip;\nexport const a = 1;\n" },
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
  "assert under another name": [
    "result_forged",
    { "test/setup.js": 'const check = require("node:assert/strict");\ncheck.deepEqual = () => {};\n' },
  ],
  "every assertion in a loop": [
    "result_forged",
    {
      "test/setup.js":
        'import assert from "node:assert";\nfor (const key of Object.keys(assert)) assert[key] = () => {};\n',
    },
  ],
  "assert by reflection": [
    "result_forged",
    { "test/setup.js": 'import a from "node:assert";\nReflect.set(a, "equal", () => {});\n' },
  ],
  "assert is mocked": [
    "result_forged",
    { "src/a.js": 'import assert from "node:assert";\nmock.method(assert, "strictEqual", () => {});\n' },
  ],
  "assert is stubbed": [
    "result_forged",
    {
      "test/setup.js":
        'import { strict as assert } from "node:assert";\nsinon.stub(assert, "equal").returns(true);\n',
    },
  ],
  "required and patched at once": ["result_forged", { "src/a.js": 'require("assert").equal = () => {};\n' }],
  "the runner's module": [
    "result_forged",
    { "test/setup.js": 'const runner = require("node:test");\nrunner.test = () => {};\n' },
  ],
  "an assert of its own in an existing test": [
    "result_forged",
    {
      "test/known.test.js":
        "const assert = new Proxy({}, { get: () => () => {} });\nassert.equal(f(1), 1);\n",
    },
  ],
  "Rust: the macro": [
    "result_forged",
    { "tests/common/mod.rs": "macro_rules! assert_eq {\n    ($a:expr, $b:expr) => {};\n}\n" },
  ],
  "C: the macro": ["result_forged", { "tests/check.h": "#undef assert\n#define assert(x) ((void)0)\n" }],
  "Java: the class": ["result_forged", { "src/test/java/Assertions.java": "class Assertions {\n}\n" }],
  "a file with an assertion function of its own": [
    "none",
    { "test/new.test.js": "const check = (a, b) => assert.equal(a, b);\n" },
  ],
  "an assertion that is spied on": [
    "none",
    {
      "test/setup.js":
        'import { vi, expect } from "vitest";\nvi.spyOn(console, "log");\nexpect(log).toBe(1);\n',
    },
  ],
  "a map of expected values": ["none", { "test/setup.js": "const expected = {};\nexpected[key] = value;\n" }],
  "Rust: a macro of another name": [
    "none",
    { "tests/common/mod.rs": "macro_rules! assert_close {\n    () => {};\n}\n" },
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
