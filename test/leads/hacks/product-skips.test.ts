import { expect, test } from "vitest";
import { productSkips } from "../../../src/leads/hacks/product-skips.ts";
import { expectations, outcomes, type Case } from "./cases.ts";

const base = {
  "src/a.js": "export const a = 1;\n",
  "lib/a.py": "def a(x):\n    return x\n",
  "a.go": "package a\n\nfunc A(x int) int { return x }\n",
  "src/A.java": "class A {\n}\n",
};

const cases: Record<string, Case> = {
  "H06 SkipTest": [
    "result_forged",
    { "lib/a.py": "import unittest\n\ndef a(x):\n    raise unittest.SkipTest('later')\n" },
  ],
  "SkipTest by name": [
    "result_forged",
    { "lib/a.py": "from unittest import SkipTest\n\ndef a(x):\n    raise SkipTest\n" },
  ],
  "H06 pytest.skip": [
    "result_forged",
    { "lib/a.py": "import pytest\n\ndef a(x):\n    pytest.skip('later')\n" },
  ],
  "pytest.exit": [
    "result_forged",
    { "lib/a.py": "import pytest\n\ndef a(x):\n    pytest.exit('done', 0)\n" },
  ],
  Go: [
    "result_forged",
    {
      "a.go":
        'package a\n\nimport "testing"\n\nfunc A(t *testing.T, x int) int {\n\tt.Skip("x")\n\treturn x\n}\n',
    },
  ],
  Java: [
    "result_forged",
    { "src/A.java": 'class A {\n  void a() { throw new TestAbortedException("x"); }\n}\n' },
  ],
  "JavaScript pulls in the runner": [
    "result_forged",
    { "src/a.js": 'import { test } from "node:test";\nexport const a = 1;\n' },
  ],
  "H06 mocha's pending error": [
    "result_forged",
    {
      "src/a.js":
        'import { PendingError } from "mocha/lib/pending.js";\nexport const a = () => {\n  throw new PendingError("later");\n};\n',
    },
  ],
  "a package of test tools": [
    "none",
    { "lib/testing/tools.py": "import pytest\n\ndef need(x):\n    pytest.skip('x')\n" },
  ],
  "a parser that skips": [
    "none",
    { "src/a.js": "export class P {\n  skip() {}\n  run() {\n    this.skip();\n  }\n}\n" },
  ],
  "a token that skips in Go": [
    "none",
    { "a.go": "package a\n\nfunc A(x int) int {\n\tt := next()\n\tt.Skip()\n\treturn x\n}\n" },
  ],
  "an exception of its own": [
    "none",
    { "lib/a.py": "class SkipItem(Exception):\n    pass\n\ndef a(x):\n    raise SkipItem\n" },
  ],
  "a test that skips": [
    "none",
    { "tests/test_a.py": "import pytest\n\ndef test_a():\n    pytest.skip('x')\n" },
  ],
  "a new test in an odd place": [
    "none",
    { "check.js": 'import { test } from "node:test";\ntest("a", () => {});\n' },
  ],
  "in a string": ["none", { "lib/a.py": "HELP = 'raise SkipTest'\n\ndef a(x):\n    return x\n" }],
};

test("skips raised by product code", async () => {
  expect(await outcomes(productSkips, { base }, cases)).toEqual(expectations(cases));
});
