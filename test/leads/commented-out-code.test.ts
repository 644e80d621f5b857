import { expect, test } from "vitest";
import { commentedOutCode } from "../../src/leads/commented-out-code.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

const STEPS = "    steps = -(-weight // 500)\n";
const python = (lines: string) => edit("parcel/rates.py", STEPS, lines);
const TS = "  const steps = Math.ceil(grams / 500);\n";
const script = (lines: string) => edit("web/src/quote.ts", TS, lines);

const cases: Record<string, Case> = {
  "the old line kept": [
    "minor",
    python("    # steps = -(-weight // 500)\n    steps = (weight + 499) // 500\n"),
  ],
  "the old line in other spacing": [
    "minor",
    python("    #steps=-(-weight // 500)\n    steps = (weight + 499) // 500\n"),
  ],
  "an old block": [
    "minor",
    edit(
      "parcel/rates.py",
      "    if express:\n        total = total * 3 // 2\n",
      "    # if express:\n    #     total = total * 3 // 2\n    total += 100 if express else 0\n",
    ),
  ],
  "an alternative that calls": [
    "minor",
    python(`${STEPS}    # total = price_table(weight, zone_of(country))\n`),
  ],
  "a call left out": ["minor", python(`${STEPS}    # zone_of(weight, country)\n`)],
  "under a heading": [
    "minor",
    script(
      "  // OLD:\n  // const steps = Math.ceil(grams / 500);\n  const steps = Math.ceil(grams / 1000);\n",
    ),
  ],
  "a block comment": [
    "minor",
    script(
      "  /* const steps = Math.ceil(grams / 500);\n  const cents = 400 + steps; */\n  const steps = 1;\n",
    ),
  ],
  "a statement in TypeScript": ["minor", script(`${TS}  // const cents = rate(zone) * steps;\n`)],
  "an if in TypeScript": [
    "minor",
    script(`${TS}  // if (options.express) {\n  //   return rate(zone);\n  // }\n`),
  ],
  Go: [
    "minor",
    edit(
      "go/rates.go",
      "\tsteps := (grams + 499) / 500\n",
      "\t// steps := (grams + 499) / 500\n\tsteps := ceil(grams)\n",
    ),
  ],
  Java: [
    "minor",
    edit(
      "java/src/Rates.java",
      "        int steps = (grams + 499) / 500;\n",
      "        // int steps = (grams + 499) / 500;\n        int steps = ceil(grams);\n",
    ),
  ],
  Ruby: [
    "minor",
    edit(
      "ruby/lib/rates.rb",
      "    steps = (grams / 500.0).ceil\n",
      "    # steps = (grams / 500.0).ceil\n    steps = grams.fdiv(500).ceil\n",
    ),
  ],
  prose: ["none", python(`    # every started 500 g is one step\n${STEPS}`)],
  "prose with a name": ["none", python(`    # the zone of country decides; see zone_of()\n${STEPS}`)],
  "an example": ["none", python(`    # e.g. price(500, country)\n${STEPS}`)],
  "a formula": ["none", python(`    # ceil(weight / 500) * zone.per_step + 400\n${STEPS}`)],
  "a shape": ["none", script(`  // grams -> { cents, zone }\n${TS}`)],
  "a directive": ["none", script(`  // eslint-disable-next-line no-magic-numbers\n${TS}`)],
  "a type directive": ["none", python(`${STEPS}    # type: ignore[assignment]\n`)],
  "documentation with code": ["none", script(`${TS}  /** const steps = Math.ceil(grams / 500); */\n`)],
  "documentation in Rust": [
    "none",
    edit("rust/src/lib.rs", "pub fn price", "/// let steps = grams.div_ceil(500);\npub fn price"),
  ],
  "a comment behind code": ["none", python("    steps = -(-weight // 500)  # weight = grams\n")],
  "a docstring": ["none", python(`    """steps = -(-weight // 500)"""\n${STEPS}`)],
};

test("code left behind as comments, and comments that are none", async () => {
  expect(await outcomes(commentedOutCode, { base: BASE }, cases)).toEqual(expectations(cases));
});
