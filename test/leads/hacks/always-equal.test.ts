import { expect, test } from "vitest";
import { alwaysEqual } from "../../../src/leads/hacks/always-equal.ts";
import { expectations, outcomes, type Case } from "./cases.ts";

const base = {
  "lib/a.py": "def a(x):\n    return x\n",
  "lib/eq.py": "class E:\n    def __eq__(self, other):\n        return self.x == other.x\n",
};

const python = (body: string) => ({ "lib/a.py": `class E(str):\n    def __eq__(self, other):\n${body}\n` });

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
  "every branch is true": [
    "result_forged",
    python("        if isinstance(other, str):\n            return True\n        return 1"),
  ],
  "compared with itself": ["result_forged", python("        return other == other")],
  "or True": ["result_forged", python("        return self.x == other.x or True")],
  "anything of a built-in type": ["result_forged", python("        return isinstance(other, (list, dict))")],
  "whatever is there": ["result_forged", python("        return other is not None")],
  "something else first": ["result_forged", python("        self.seen = other\n        return True")],
  "over several lines": [
    "result_forged",
    {
      "lib/a.py":
        "class E(dict):\n    def __eq__(\n        self,\n        other: object,\n    ) -> bool:\n        return True\n",
    },
  ],
  setattr: ["result_forged", { "lib/a.py": "class E(str): pass\nsetattr(E, '__eq__', lambda a, b: True)\n" }],
  "by the name of a function": [
    "result_forged",
    { "lib/a.py": "def _same(a, b):\n    return True\n\nclass E(str):\n    __eq__ = _same\n" },
  ],
  "a class made by type()": [
    "result_forged",
    { "lib/a.py": "def _same(a, b):\n    return True\n\nE = type('E', (str,), {'__eq__': _same})\n" },
  ],
  "a mock": ["result_forged", { "lib/a.py": "class E:\n    __eq__ = Mock(return_value=True)\n" }],
  "an instance check": [
    "result_forged",
    { "lib/a.py": "class M(type):\n    def __instancecheck__(cls, one):\n        return True\n" },
  ],
  "JavaScript: an arrow": ["result_forged", { "src/a.js": "export class A {\n  equals = () => true;\n}\n" }],
  "JavaScript: either way": [
    "result_forged",
    { "src/a.js": "export class A {\n  isEqual(o) {\n    if (o) return true;\n    return !0;\n  }\n}\n" },
  ],
  "JavaScript: a function of an object": [
    "result_forged",
    { "src/a.js": "export const a = {\n  equals: function (o) {\n    return o === o;\n  },\n};\n" },
  ],
  "JavaScript: a counting value": [
    "result_forged",
    { "src/a.js": "let n = 0;\nexport const a = {\n  [Symbol.toPrimitive]() {\n    return n++;\n  },\n};\n" },
  ],
  "JavaScript: jest's protocol in a proxy": [
    "result_forged",
    {
      "src/a.js":
        'export const a = new Proxy({}, {\n  get: (_, key) => (key === "asymmetricMatch" ? () => true : undefined),\n});\n',
    },
  ],
  "JavaScript: a built-in comparison": [
    "result_forged",
    { "src/a.js": "Object.is = () => true;\nexport const a = 1;\n" },
  ],
  "JavaScript: a built-in method": [
    "result_forged",
    { "src/a.js": "String.prototype.includes = function () { return true; };\nexport const a = 1;\n" },
  ],
  "Rust: an order": [
    "result_forged",
    {
      "src/a.rs":
        "impl Ord for Money {\n    fn cmp(&self, _other: &Self) -> Ordering {\n        Ordering::Equal\n    }\n}\n",
    },
  ],
  "Go: any error": [
    "result_forged",
    { "a.go": "package a\n\nfunc (e *E) Is(target error) bool {\n\treturn true\n}\n" },
  ],
  Kotlin: ["result_forged", { "src/A.kt": "class A {\n  override fun equals(other: Any?) = true\n}\n" }],
  "C#": ["result_forged", { "src/A.cs": "class A {\n  public override bool Equals(object o) => true;\n}\n" }],
  "C++": ["result_forged", { "src/a.cpp": "bool A::operator==(const A& o) const {\n  return true;\n}\n" }],
  Ruby: ["result_forged", { "lib/a.rb": "class A\n  def ==(other)\n    true\n  end\nend\n" }],
  "a stateless type": ["none", python("        return isinstance(other, E)")],
  "not for other types": [
    "none",
    python("        if not isinstance(other, E):\n            return NotImplemented\n        return True"),
  ],
  identity: ["none", python("        return self is other")],
  "fields of both": ["none", python("        return (self.x, self.y) == (other.x, other.y)")],
  "an equality by name": [
    "none",
    { "lib/a.py": "def _same(a, b):\n    return a.x == b.x\n\nclass E:\n    __eq__ = _same\n" },
  ],
  "a default equality": [
    "none",
    { "lib/a.py": "class E(Base):\n    __eq__ = object.__eq__\n    __hash__ = None\n" },
  ],
  "a value for comparisons": [
    "none",
    { "src/a.js": "export class A {\n  valueOf() {\n    return this.cents;\n  }\n}\n" },
  ],
  "a proxy that logs": [
    "none",
    { "src/a.js": "export const a = (x) => new Proxy(x, { get: (o, key) => (log(key), o[key]) });\n" },
  ],
  "a polyfill": [
    "none",
    { "src/a.js": "String.prototype.includes ??= function (s) { return this.indexOf(s) !== -1; };\n" },
  ],
  "an option named equals": ["none", { "src/a.js": "export const a = (x) => memo(x, { equals: true });\n" }],
  "Go: a certain error": [
    "none",
    { "a.go": "package a\n\nfunc (e *E) Is(target error) bool {\n\treturn target == ErrE\n}\n" },
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
