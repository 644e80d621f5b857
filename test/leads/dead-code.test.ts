import { expect, test } from "vitest";
import { deadCode } from "../../src/leads/dead-code.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, suspicions, type Case } from "./hacks/cases.ts";

const CLASS = "\n\nclass RateCard:";
const LOOKUP = "    def lookup(self, country, default=None):\n";
const TS = "\nfunction rate(zone: string)";
const GO = "\n// Load reads";
const JAVA = "    private static String clean";
const base = {
  ...BASE,
  "parcel/visitor.py": `class Visitor:
    def visit(self, node):
        return getattr(self, "visit_" + node.kind)(node)

    def visit_text(self, node):
        return node.text
`,
  "parcel/hooks.py":
    "from .base import Base\n\n\nclass Hooks(Base):\n    def start(self):\n        return 1\n",
};

const cases: Record<string, Case> = {
  "a private function": [
    "minor",
    edit("parcel/rates.py", CLASS, `\n\ndef _steps(weight):\n    return -(-weight // 500)\n${CLASS}`),
  ],
  "a public function": [
    "minor",
    edit("parcel/rates.py", CLASS, `\n\ndef steps_of(weight):\n    return -(-weight // 500)\n${CLASS}`),
  ],
  "one that only calls itself": [
    "minor",
    edit(
      "parcel/rates.py",
      CLASS,
      `\n\ndef _down(weight):\n    return 0 if weight < 1 else _down(weight - 1)\n${CLASS}`,
    ),
  ],
  "a private method": [
    "minor",
    edit("parcel/rates.py", LOOKUP, `    def _known(self):\n        return list(self._zones)\n\n${LOOKUP}`),
  ],
  "a function inside a function": [
    "minor",
    edit(
      "parcel/rates.py",
      "    zone = zone_of(country)\n",
      "    def half():\n        return weight // 2\n\n    zone = zone_of(country)\n",
    ),
  ],
  "a class": ["minor", edit("parcel/rates.py", CLASS, `\n\nclass _Steps:\n    size = 500\n${CLASS}`)],
  TypeScript: [
    "minor",
    edit(
      "web/src/quote.ts",
      TS,
      `\nfunction hasZone(country: string): boolean {\n  return country in zones;\n}\n${TS}`,
    ),
  ],
  "an arrow function": [
    "minor",
    edit("web/src/quote.ts", TS, `\nconst hasZone = (country: string) => country in zones;\n${TS}`),
  ],
  "a private member": [
    "minor",
    edit(
      "web/src/zones.js",
      "  find(code) {",
      "  #known() {\n    return [...this.#entries.keys()];\n  }\n\n  find(code) {",
    ),
  ],
  Go: ["minor", edit("go/rates.go", GO, `\nfunc half(cents int) int {\n\treturn cents / 2\n}\n${GO}`)],
  Java: [
    "minor",
    edit(
      "java/src/Rates.java",
      JAVA,
      `    private static int half(int cents) {\n        return cents / 2;\n    }\n\n${JAVA}`,
    ),
  ],
  Rust: [
    "minor",
    edit("rust/src/lib.rs", "pub fn price", "fn half(cents: u32) -> u32 {\n    cents / 2\n}\n\npub fn price"),
  ],
  "used in the file": [
    "none",
    edit(
      "parcel/rates.py",
      "    steps = -(-weight // 500)\n",
      "    steps = _steps(weight)\n    def _steps(grams):\n        return grams\n",
    ),
  ],
  "used from another changed file": [
    "none",
    {
      ...edit("parcel/zones.py", "TABLE = {}", "def near(code):\n    return code in TABLE\n\n\nTABLE = {}"),
      ...edit("parcel/rates.py", "from .zones import zone_of", "from .zones import near, zone_of"),
    },
  ],
  "used by a test that comes with it": [
    "none",
    {
      ...edit("parcel/zones.py", "TABLE = {}", "def near(code):\n    return code in TABLE\n\n\nTABLE = {}"),
      "tests/test_zones.py": "from parcel.zones import near\n",
    },
  ],
  "named in a string": [
    "none",
    edit(
      "parcel/zones.py",
      "TABLE = {}",
      'def near(code):\n    return code in TABLE\n\n\n__all__ = ["near"]\nTABLE = {}',
    ),
  ],
  decorated: [
    "none",
    edit(
      "parcel/rates.py",
      CLASS,
      `\n\n@app.route("/price")\ndef serve():\n    return price(1, "NO")\n${CLASS}`,
    ),
  ],
  "dispatched by name": [
    "none",
    {
      "parcel/visitor.py": `${base["parcel/visitor.py"]}\n    def visit_image(self, node):\n        return node.alt\n`,
    },
  ],
  "a special method": [
    "none",
    edit("parcel/rates.py", LOOKUP, `    def __len__(self):\n        return len(self._zones)\n\n${LOOKUP}`),
  ],
  "a property of an object": [
    "none",
    edit(
      "web/src/zones.js",
      "export class",
      "export const filters = {\n  upper: (text) => text.toUpperCase(),\n};\n\nexport class",
    ),
  ],
  "a default export": [
    "none",
    { "web/src/total.js": "export default function total(list) {\n  return list.length;\n}\n" },
  ],
  "what the task names": [
    "none",
    edit(
      "parcel/rates.py",
      CLASS,
      `\n\ndef price_many(weights):\n    return [price(weight, "NO") for weight in weights]\n${CLASS}`,
    ),
  ],
  moved: [
    "none",
    edit(
      "parcel/zones.py",
      '\n\ndef clean_code(text):\n    """Country code as the tables spell it."""\n    return text.strip().replace(".", "").upper()[:2]\n',
      "",
    ),
  ],
};

test("what nothing uses, and what is used in ways that are easy to miss", async () => {
  const found = await outcomes(deadCode, { base, task: "Add `price_many(weights)`." }, cases);
  expect(found).toEqual(expectations(cases));
});

test("an override and a name that another rollout defines too", async () => {
  const override = {
    "parcel/hooks.py": `${base["parcel/hooks.py"]}\n    def lookup(self):\n        return 2\n`,
  };
  const total = (body: string) =>
    edit("parcel/rates.py", CLASS, `\n\ndef total_of(weights):\n    return ${body}\n${CLASS}`);
  const found = await suspicions(deadCode, {
    base,
    rollouts: {
      one: { files: override },
      two: { files: total("sum(weights)") },
      three: { files: total("sum(w for w in weights)") },
    },
  });
  expect(found.size).toBe(0);
});
