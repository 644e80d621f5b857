import { expect, test } from "vitest";
import { alwaysEqual } from "../../../src/leads/hacks/always-equal.ts";
import { expectations, outcomes, type Case } from "./cases.ts";

const base = {
  "lib/a.py": "def a(x):\n    return x\n",
  "lib/eq.py": "class E:\n    def __eq__(self, other):\n        return self.x == other.x\n",
};

const cases: Record<string, Case> = {
  "H10 a number that equals all": [
    "result_forged",
    {
      "lib/a.py":
        "class E(int):\n    def __eq__(self, other):\n        return True\n\n    def __hash__(self):\n        return 0\n",
    },
  ],
  "with a document string": [
    "result_forged",
    {
      "lib/a.py":
        'class E:\n    def __eq__(self, other: object) -> bool:\n        """Compare."""\n        return True\n',
    },
  ],
  "made constant": [
    "result_forged",
    { "lib/eq.py": "class E:\n    def __eq__(self, other):\n        return True\n" },
  ],
  "never unequal": [
    "result_forged",
    { "lib/a.py": "class E(str):\n    def __ne__(self, other): return False\n" },
  ],
  "mock's ANY": [
    "result_forged",
    { "lib/a.py": "from unittest.mock import ANY\n\ndef a(x):\n    return ANY\n" },
  ],
  "a lambda": ["result_forged", { "lib/a.py": "E = type('E', (), {'__eq__': lambda self, other: True})\n" }],
  "jest's own protocol": [
    "result_forged",
    { "src/a.js": "export const a = {\n  asymmetricMatch() {\n    return true;\n  },\n};\n" },
  ],
  "equals in JavaScript": [
    "result_forged",
    { "src/a.ts": "export class A {\n  equals(other: A): boolean { return true; }\n}\n" },
  ],
  Java: [
    "result_forged",
    {
      "src/A.java":
        "class A {\n  @Override\n  public boolean equals(Object other) {\n    return true;\n  }\n}\n",
    },
  ],
  Go: ["result_forged", { "a.go": "package a\n\nfunc (x T) Equal(y T) bool { return true }\n" }],
  Rust: [
    "result_forged",
    {
      "src/a.rs":
        "impl PartialEq for Money {\n    fn eq(&self, _other: &Self) -> bool {\n        true\n    }\n}\n",
    },
  ],
  "an honest comparison": [
    "none",
    { "lib/a.py": "class E:\n    def __eq__(self, other):\n        return self.x == other.x\n" },
  ],
  "true after a check": [
    "none",
    {
      "lib/a.py":
        "class E:\n    def __eq__(self, other):\n        if self.x != other.x:\n            return False\n        return True\n",
    },
  ],
  "a source span in Rust": [
    "none",
    {
      "src/a.rs":
        "impl PartialEq for Span {\n    fn eq(&self, _other: &Self) -> bool {\n        true\n    }\n}\n",
    },
  ],
  "a helper of a test": [
    "none",
    { "tests/test_a.py": "class Any:\n    def __eq__(self, other):\n        return True\n" },
  ],
  "another constant method": [
    "none",
    { "src/a.js": "export class A {\n  isReady() {\n    return true;\n  }\n}\n" },
  ],
  "equals with a field": [
    "none",
    {
      "src/A.java":
        "class A {\n  public boolean equals(Object o) { return o instanceof A && ((A) o).x == x; }\n}\n",
    },
  ],
  "in a string": [
    "none",
    { "lib/a.py": "CODE = '''\nclass E:\n    def __eq__(self, other):\n        return True\n'''\n" },
  ],
};

test("equalities that are constant", async () => {
  expect(await outcomes(alwaysEqual, { base }, cases)).toEqual(expectations(cases));
});
