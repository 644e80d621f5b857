import { expect, test } from "vitest";
import { noEffect } from "../../src/leads/no-effect.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

const STEPS = "    steps = -(-weight // 500)\n";
const TS = "  const steps = Math.ceil(grams / 500);\n";

const cases: Record<string, Case> = {
  "a self-assignment": ["minor", edit("parcel/rates.py", STEPS, `${STEPS}    weight = weight\n`)],
  "a self-assignment of a member": [
    "minor",
    edit(
      "web/src/zones.js",
      "this.#entries.set(code, zone);\n",
      "this.#entries.set(code, zone);\n    this.map = this.map;\n",
    ),
  ],
  "behind return": [
    "minor",
    edit("parcel/rates.py", "    return total\n", "    return total\n    total = 0\n"),
  ],
  "behind raise": [
    "minor",
    edit(
      "parcel/rates.py",
      '        raise ValueError("weight must be positive")\n',
      '        raise ValueError("weight must be positive")\n        weight = 1\n',
    ),
  ],
  "a return before old code": [
    "minor",
    edit("parcel/rates.py", "    if express:\n", "    return total\n    if express:\n"),
  ],
  "behind throw": [
    "minor",
    edit(
      "web/src/quote.ts",
      '  if (match === null) throw new TypeError("not a weight: " + text);\n',
      '  if (match === null) {\n    throw new TypeError("not a weight: " + text);\n    return 0;\n  }\n',
    ),
  ],
  "behind return in Go": [
    "minor",
    edit("go/rates.go", "\t\treturn 0, ErrWeight\n", "\t\treturn 0, ErrWeight\n\t\tgrams = 1\n"),
  ],
  "behind return in Java": [
    "minor",
    edit(
      "java/src/Rates.java",
      "        return code.trim().toUpperCase();\n",
      "        return code.trim().toUpperCase();\n        code = null;\n",
    ),
  ],
  "if false": ["minor", edit("parcel/rates.py", STEPS, `${STEPS}    if False:\n        steps += 1\n`)],
  "if true": ["minor", edit("web/src/quote.ts", TS, `${TS}  if (true) {\n    log(steps);\n  }\n`)],
  "or true": ["minor", edit("parcel/rates.py", "    if express:\n", "    if express or True:\n")],
  "and false": ["minor", edit("web/src/quote.ts", "options.express ?", "options.express && false ?")],
  "a chain that begins with itself": [
    "none",
    edit("parcel/rates.py", STEPS, `${STEPS}    zone = zone\n    .copy()\n`),
  ],
  "an infinite loop": [
    "none",
    edit("parcel/rates.py", STEPS, `${STEPS}    while True:\n        steps += 1\n        break\n`),
  ],
  "a keyword argument": [
    "none",
    edit("parcel/rates.py", STEPS, "    steps = count(\n        weight=weight\n    )\n"),
  ],
  "a class attribute of a name outside": [
    "none",
    edit("parcel/rates.py", "class RateCard:\n", "class RateCard:\n    price = price\n\n"),
  ],
  "an early return": [
    "none",
    edit("parcel/rates.py", STEPS, `    if weight == 1:\n        return 0\n${STEPS}`),
  ],
  "a conditional return without braces": [
    "none",
    edit("web/src/quote.ts", TS, `  if (grams === 0)\n    return { cents: 0, zone };\n    log(zone);\n${TS}`),
  ],
  "a return over several lines": [
    "none",
    edit(
      "web/src/quote.ts",
      "  return { cents: options.express ? Math.round(cents * 1.5) : cents, zone };\n",
      "  return {\n    cents: options.express ? Math.round(cents * 1.5) : cents,\n    zone,\n  };\n",
    ),
  ],
  "the next case": [
    "none",
    edit(
      "web/src/quote.ts",
      '  return zone === "near" ? 90 : 240;\n',
      '  switch (zone) {\n    case "near":\n      return 90;\n    default:\n      return 240;\n  }\n',
    ),
  ],
  "a function behind return": [
    "none",
    edit(
      "web/src/quote.ts",
      '  return zone === "near" ? 90 : 240;\n',
      '  return pick(zone);\n\n  function pick(name: string) {\n    return name === "near" ? 90 : 240;\n  }\n',
    ),
  ],
  "a generator's mark": ["none", edit("parcel/rates.py", "    return total\n", "    return\n    yield\n")],
  "a method chain behind return": [
    "none",
    edit(
      "web/src/zones.js",
      "    return this.#entries.get(code.trim().toUpperCase());\n",
      "    return this.#entries\n    .get(code.trim().toUpperCase());\n",
    ),
  ],
};

test("statements that do nothing or never run", async () => {
  expect(await outcomes(noEffect, { base: BASE }, cases)).toEqual(expectations(cases));
});
