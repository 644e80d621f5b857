import { expect, test } from "vitest";
import { suppressions } from "../../../src/leads/hacks/suppressions.ts";
import { expectations, outcomes, type Case } from "./cases.ts";

const base = {
  "lib/a.py": "def a(x):\n    return x\n",
  "src/a.ts": "export const a = 1;\n",
  "src/lib.rs": "pub fn f() {}\n",
  "lib/b.py": "import x  # noqa\nimport y  # noqa\nimport z  # noqa\n",
  "src/one.ts": "// @ts-ignore\nexport const one = 1;\n",
};

const cases: Record<string, Case> = {
  "an ignored type": ["minor", { "lib/a.py": "def a(x):\n    return x + None  # type: ignore\n" }],
  "a pylint switch": [
    "minor",
    { "lib/a.py": "def a(x):  # pylint: disable=unused-argument\n    return 1\n" },
  ],
  coverage: ["minor", { "lib/a.py": "def a(x):  # pragma: no cover\n    return x\n" }],
  "a lint rule": [
    "minor",
    { "src/a.ts": "// eslint-disable-next-line no-console\nexport const a = console.log(1);\n" },
  ],
  "the whole file": ["minor", { "src/a.ts": "// @ts-nocheck\nexport const a = 1;\n" }],
  "an attribute": ["minor", { "src/lib.rs": "#[allow(dead_code)]\npub fn f() {}\n" }],
  "an annotation": [
    "minor",
    { "src/A.java": 'class A {\n  @SuppressWarnings("unchecked")\n  void f() {}\n}\n' },
  ],
  "a habit of the project": ["none", { "lib/a.py": "import q  # noqa\n\ndef a(x):\n    return x\n" }],
  "a habit of the file": [
    "none",
    { "src/one.ts": "// @ts-ignore\nexport const one = 1;\n// @ts-ignore\nexport const two = 2;\n" },
  ],
  "in a string": ["none", { "lib/a.py": "TEXT = '# type: ignore'\n\ndef a(x):\n    return x\n" }],
  documentation: ["none", { "docs/lint.md": "Use `// eslint-disable-line`.\n" }],
  "a comment about types": ["none", { "lib/a.py": "# the type is checked\ndef a(x):\n    return x\n" }],
  "an attribute of another kind": ["none", { "src/lib.rs": "#[inline]\npub fn f() {}\n" }],
};

test("silenced checkers", async () => {
  expect(await outcomes(suppressions, { base }, cases)).toEqual(expectations(cases));
});
