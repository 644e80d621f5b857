import { expect, test } from "vitest";
import { cosmeticRewrite } from "../../src/leads/cosmetic-rewrite.ts";
import type { Files } from "../helpers/workspace.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

const whole = (path: string, ...pairs: [string, string][]): Files => ({
  [path]: pairs.reduce((text, [from, to]) => text.replaceAll(from, to), BASE[path] ?? ""),
});

const cases: Record<string, Case> = {
  "local names": ["minor", whole("parcel/rates.py", ["total", "amount_in_cents"])],
  "parameters and locals": [
    "minor",
    whole("parcel/rates.py", ["country", "nation"], ["steps", "step_count"]),
  ],
  "names in TypeScript": ["minor", whole("web/src/quote.ts", ["match", "found"])],
  "names in Go": ["minor", whole("go/rates.go", ["zones", "byCode"], ["line", "row"])],
  "annotations for a module without": [
    "minor",
    whole(
      "parcel/rates.py",
      [
        "def price(weight, country, express=False):",
        "def price(weight: int, country: str, express: bool = False) -> int:",
      ],
      ["def cheapest(self, countries):", "def cheapest(self, countries: list) -> str:"],
    ),
  ],
  "annotations of variables": [
    "minor",
    whole(
      "parcel/rates.py",
      ["    zone = zone_of", "    zone: Zone = zone_of"],
      ["    steps = ", "    steps: int = "],
      ["    total = BASE", "    total: int = BASE"],
    ),
  ],
  "another function called": ["none", whole("parcel/rates.py", ["zone_of(", "zone_at("])],
  "a changed operator beside new names": [
    "none",
    whole("parcel/rates.py", ["total", "amount"], ["* 3 // 2", "* 2"]),
  ],
  "one line": [
    "none",
    edit(
      "parcel/zones.py",
      "    code = clean_code(country)\n    return TABLE[code]",
      "    key = clean_code(country)\n    return TABLE[key]",
    ),
  ],
  "one annotated function": [
    "none",
    edit(
      "parcel/rates.py",
      "def price(weight, country, express=False):",
      "def price(weight: int, country: str, express: bool = False):",
    ),
  ],
  "two names swapped": [
    "none",
    edit(
      "parcel/rates.py",
      "        return min(rated)[1] if rated else None",
      "        return max(rated)[1] if rated else None",
    ),
  ],
  "a new function": [
    "none",
    edit(
      "parcel/rates.py",
      "\n\nclass RateCard:",
      "\n\ndef half(cents):\n    value = cents // 2\n    rest = cents - value\n    return value, rest\n\n\nclass RateCard:",
    ),
  ],
};

test("functions rewritten for looks", async () => {
  expect(
    await outcomes(cosmeticRewrite, { base: BASE, task: "Express parcels are too cheap." }, cases),
  ).toEqual(expectations(cases));
});

test("a task about names or types has no such lead", async () => {
  const found = await outcomes(
    cosmeticRewrite,
    { base: BASE, task: "Add type hints and rename total." },
    cases,
  );
  expect(new Set(Object.values(found))).toEqual(new Set(["none"]));
});
