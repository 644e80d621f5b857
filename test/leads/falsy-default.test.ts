import { expect, test } from "vitest";
import { falsyDefault } from "../../src/leads/falsy-default.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

const task = `Add \`surcharge(value, fallback)\`.

* \`surcharge\` takes the fallback for \`undefined\`, \`null\` and \`None\`, but not for \`0\` or \`false\`.
* \`label(text)\` joins words.
`;
const script = (body: string) => edit("web/src/quote.ts", "\nfunction rate(", `\n${body}\n\nfunction rate(`);
const python = (body: string) =>
  edit("parcel/rates.py", "\n\nclass RateCard:", `\n\n${body}\n\n\nclass RateCard:`);

const cases: Record<string, Case> = {
  "or in an arrow function": [
    "major",
    script("export const surcharge = (value, fallback) => value || fallback;"),
  ],
  "or in a return": [
    "major",
    script("export function surcharge(value, fallback) {\n  return value || fallback;\n}"),
  ],
  "a bare condition": [
    "major",
    script("export function surcharge(value, fallback) {\n  return value ? value : fallback;\n}"),
  ],
  "a negated test": [
    "major",
    script(
      "export function surcharge(value, fallback) {\n  if (!value) return fallback;\n  return value;\n}",
    ),
  ],
  "Python or": ["major", python("def surcharge(value, fallback):\n    return value or fallback")],
  "Python not": [
    "major",
    python("def surcharge(value, fallback):\n    if not value:\n        return fallback\n    return value"),
  ],
  "Python conditional": [
    "major",
    python("def surcharge(value, fallback):\n    return value if value else fallback"),
  ],
  nullish: ["none", script("export const surcharge = (value, fallback) => value ?? fallback;")],
  "compared with null": [
    "none",
    script(
      "export const surcharge = (value, fallback) => (value === null || value === undefined ? fallback : value);",
    ),
  ],
  "compared with None": [
    "none",
    python("def surcharge(value, fallback):\n    return fallback if value is None else value"),
  ],
  "another function": ["none", script('export const label = (text) => text || "none";')],
  "a condition of comparisons": [
    "none",
    script("export const surcharge = (value, fallback) => value > 1 || value < 0;"),
  ],
};

test("truth tests where the task keeps zero and false", async () => {
  expect(await outcomes(falsyDefault, { base: BASE, task }, cases)).toEqual(expectations(cases));
});

test("a task that says nothing of falsy values has no such lead", async () => {
  const found = await outcomes(
    falsyDefault,
    { base: BASE, task: "Add `surcharge(value, fallback)`, which takes the fallback for `null`." },
    cases,
  );
  expect(new Set(Object.values(found))).toEqual(new Set(["none"]));
});
