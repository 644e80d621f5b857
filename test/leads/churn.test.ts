import { expect, test } from "vitest";
import { churn } from "../../src/leads/churn.ts";
import type { Files } from "../helpers/workspace.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

const whole = (path: string, change: (text: string) => string): Files => ({
  [path]: change(BASE[path] ?? ""),
});

const cases: Record<string, Case> = {
  "another indent width": ["minor", whole("parcel/rates.py", (text) => text.replaceAll("    ", "  "))],
  "tabs to spaces": ["minor", whole("go/rates.go", (text) => text.replaceAll("\t", "    "))],
  "spaces to tabs with a fix inside": [
    "minor",
    whole("web/src/quote.ts", (text) => text.replaceAll("  ", "\t").replace("400 +", "390 +")),
  ],
  "trailing spaces": ["minor", whole("parcel/rates.py", (text) => text.replaceAll(":\n", ": \n"))],
  "blank lines": ["minor", whole("parcel/rates.py", (text) => text.replaceAll(":\n", ":\n\n"))],
  "blank lines taken out": ["minor", whole("web/src/quote.ts", (text) => text.replaceAll("\n\n", "\n"))],
  quotes: [
    "minor",
    whole("web/src/zones.js", (text) =>
      text.replaceAll('"', "'").replace("trim()", "trim( )").replace("(entries) {", "( entries ) {"),
    ),
  ],
  semicolons: ["minor", whole("web/src/quote.ts", (text) => text.replaceAll(";\n", "\n"))],
  "line ends": ["minor", whole("parcel/zones.py", (text) => text.replaceAll("\n", "\r\n"))],
  "an expression in many lines": [
    "minor",
    edit(
      "web/src/quote.ts",
      "export function quote(grams: number, country: string, options: { express?: boolean } = {}): Quote {",
      "export function quote(\n  grams: number,\n  country: string,\n  options: { express?: boolean } = {},\n): Quote {",
    ),
  ],
  "imports in another order": [
    "minor",
    {
      "parcel/cli.py":
        "from .rates import price\nimport sys\nimport json\nimport os\n\n\ndef main(argv):\n    return 0\n",
    },
  ],
  "a block around old lines": [
    "none",
    edit(
      "parcel/rates.py",
      "    if express:\n        total = total * 3 // 2\n    return total\n",
      "    if zone.open:\n        if express:\n            total = total * 3 // 2\n        return total\n    return None\n",
    ),
  ],
  "a block around old lines in braces": [
    "none",
    edit(
      "go/rates.go",
      "\tsteps := (grams + 499) / 500\n\treturn 400 + steps*zone.PerStep, nil\n",
      "\tif zone.Open {\n\t\tsteps := (grams + 499) / 500\n\t\treturn 400 + steps*zone.PerStep, nil\n\t}\n\treturn 0, ErrWeight\n",
    ),
  ],
  "a block taken away": [
    "none",
    edit(
      "parcel/rates.py",
      "    if express:\n        total = total * 3 // 2\n",
      "    total = total * 3 // 2\n",
    ),
  ],
  "one line tidied beside the fix": [
    "note",
    edit(
      "parcel/rates.py",
      "    steps = -(-weight // 500)\n    total = BASE_PRICE + steps * zone.per_step\n",
      "    steps = -( -weight // 500 )\n    total = BASE_PRICE + steps * zone.per_kilo\n",
    ),
  ],
  "a real change": ["none", edit("parcel/rates.py", "total = total * 3 // 2", "total += total // 2")],
  "a new function": [
    "none",
    edit(
      "parcel/rates.py",
      "\n\nclass RateCard",
      "\n\ndef half(cents):\n    return cents // 2\n\n\nclass RateCard",
    ),
  ],
  "an element more in a list": [
    "none",
    edit("web/src/zones.js", '{ NO: "near", JP: "far" }', '{\n  NO: "near",\n  JP: "far",\n  SE: "near",\n}'),
  ],
};

test("layout that changes for nothing", async () => {
  const base = {
    ...BASE,
    "parcel/cli.py":
      "import json\nimport os\nimport sys\nfrom .rates import price\n\n\ndef main(argv):\n    return 0\n",
  };
  expect(await outcomes(churn, { base }, cases)).toEqual(expectations(cases));
});
