import { expect, test } from "vitest";
import { copiesHelper } from "../../src/leads/copies-helper.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, suspicions, type Case } from "./hacks/cases.ts";

const CLASS = "\n\nclass RateCard:";
const STEPS = "    steps = -(-weight // 500)\n";
const TS = "  const steps = Math.ceil(grams / 500);\n";
const base = {
  ...BASE,
  "web/src/text.ts": `export function unwrap(text: string): string {
  if (text[0] === text[text.length - 1] && (text[0] === "'" || text[0] === '"')) {
    return text.slice(1, text.length - 1);
  }
  return text;
}

export const initials = (name: string) => name.split(" ").map((part) => part[0].toUpperCase()).join(".");
`,
  "go/parse.go": `package rates

import "strings"

func normalize(code string) string {
	return strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(code), ".", ""))
}
`,
  "java/src/Codes.java": `package parcel;

public class Codes {
    public static String clean(String code) {
        return code.trim().replace(".", "").toUpperCase().substring(0, 2);
    }
}
`,
  "parcel/family.py": `def is_even_step(weight):
    steps = -(-weight // 500)
    if steps < 0:
        raise ValueError("negative step count")
    return steps % 2 == 0


def is_odd_step(weight):
    steps = -(-weight // 500)
    if steps < 0:
        raise ValueError("negative step count")
    return steps % 2 == 1
`,
};

const cases: Record<string, Case> = {
  "a function under another name": [
    "minor",
    edit(
      "parcel/rates.py",
      CLASS,
      `\n\ndef _code(value):\n    return value.strip().replace(".", "").upper()[:2]\n${CLASS}`,
    ),
  ],
  "with its own documentation and quotes": [
    "minor",
    edit(
      "parcel/rates.py",
      CLASS,
      `\n\ndef _code(value):\n    """Short code."""\n    # as in the tables\n    return value.strip().replace('.', '').upper()[:2]\n${CLASS}`,
    ),
  ],
  "written out in place": [
    "minor",
    edit(
      "parcel/rates.py",
      "    zone = zone_of(country)\n",
      '    code = country.strip().replace(".", "").upper()[:2]\n    zone = zone_of(code)\n',
    ),
  ],
  "written out on a member": [
    "minor",
    edit(
      "parcel/rates.py",
      "        return self._zones.get(country, default)\n",
      '        return self._zones.get(self.home.strip().replace(".", "").upper()[:2], default)\n',
    ),
  ],
  "a condition in TypeScript": [
    "minor",
    edit(
      "web/src/quote.ts",
      TS,
      `${TS}  const name = options.name[0] === options.name[options.name.length - 1] && (options.name[0] === "'" || options.name[0] === '"') ? 1 : 0;\n`,
    ),
  ],
  "an arrow function": [
    "minor",
    edit(
      "web/src/quote.ts",
      TS,
      `${TS}  const short = country.split(" ").map((part) => part[0].toUpperCase()).join(".");\n`,
    ),
  ],
  Go: [
    "minor",
    edit(
      "go/rates.go",
      "\n// Load reads",
      '\nfunc codeOf(raw string) string {\n\treturn strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(raw), ".", ""))\n}\n\n// Load reads',
    ),
  ],
  Java: [
    "minor",
    edit(
      "java/src/Rates.java",
      "    private static String clean",
      '    private static String code(String raw) {\n        return raw.trim().replace(".", "").toUpperCase().substring(0, 2);\n    }\n\n    private static String clean',
    ),
  ],
  "a short one with its own words": [
    "minor",
    edit(
      "web/src/quote.ts",
      "export function parseWeight(",
      'function grade(kind: string): number {\n  return kind === "near" ? 90 : 240;\n}\n\nexport function parseWeight(',
    ),
  ],
  "several statements in place": [
    "minor",
    edit(
      "parcel/rates.py",
      "        return min(rated)[1] if rated else None\n",
      '        name = countries[0]\n        return (name.strip().replace(".", "").upper()[:2], rated)\n',
    ),
  ],
  "calling the helper": [
    "none",
    edit("parcel/rates.py", "    zone = zone_of(country)\n", "    zone = zone_of(clean_code(country))\n"),
  ],
  "a short idiom": [
    "none",
    edit("parcel/rates.py", "    zone = zone_of(country)\n", "    zone = zone_of(country.strip().upper())\n"),
  ],
  "the helper itself rewritten": [
    "none",
    edit(
      "parcel/zones.py",
      '    return text.strip().replace(".", "").upper()[:2]\n',
      '    cleaned = text.strip().replace(".", "").upper()[:2]\n    return cleaned or None\n',
    ),
  ],
  "the helper moved": [
    "none",
    {
      ...edit(
        "parcel/zones.py",
        'def clean_code(text):\n    """Country code as the tables spell it."""\n    return text.strip().replace(".", "").upper()[:2]\n\n\n',
        "from .codes import clean_code\n\n\n",
      ),
      "parcel/codes.py":
        'def clean_code(text):\n    """Country code as the tables spell it."""\n    return text.strip().replace(".", "").upper()[:2]\n',
    },
  ],
  "a line that moved": [
    "none",
    edit(
      "parcel/zones.py",
      "    code = clean_code(country)\n    return TABLE[code]\n",
      "    if country:\n        code = clean_code(country)\n        return TABLE[code]\n    return None\n",
    ),
  ],
  "another function of a family": [
    "none",
    {
      "parcel/family.py": `${base["parcel/family.py"]}\n\ndef is_third_step(weight):\n    steps = -(-weight // 500)\n    if steps < 0:\n        raise ValueError("negative step count")\n    return steps % 3 == 0\n`,
    },
  ],
  "a getter like any other": [
    "none",
    edit(
      "web/src/zones.js",
      "  find(code) {",
      "  get size() {\n    return this.#entries.size;\n  }\n\n  find(code) {",
    ),
  ],
  "a test helper": [
    "none",
    { "tests/test_codes.py": 'def code(value):\n    return value.strip().replace(".", "").upper()[:2]\n' },
  ],
  "other code of its own": [
    "none",
    edit("parcel/rates.py", STEPS, `${STEPS}    steps = min(steps, 40 if express else 60)\n`),
  ],
};

test("copies of a helper, whole or written out", async () => {
  expect(await outcomes(copiesHelper, { base }, cases)).toEqual(expectations(cases));
});

test("the claim names the helper", async () => {
  const found = await suspicions(copiesHelper, {
    base,
    rollouts: {
      one: {
        files: edit(
          "parcel/rates.py",
          CLASS,
          `\n\ndef _code(value):\n    return value.strip().replace(".", "").upper()[:2]\n${CLASS}`,
        ),
      },
    },
  });
  expect(found.get("one")?.[0]?.claim).toContain("clean_code (parcel/zones.py, line 4)");
});
