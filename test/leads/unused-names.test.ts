import { expect, test } from "vitest";
import { unusedNames } from "../../src/leads/unused-names.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

const STEPS = "    steps = -(-weight // 500)\n";
const TS = "  const steps = Math.ceil(grams / 500);\n";
const IMPORT = "from .zones import zone_of\n";

const cases: Record<string, Case> = {
  "an import": ["minor", edit("parcel/rates.py", IMPORT, `import json\n${IMPORT}`)],
  "one of two imported names": [
    "minor",
    edit("parcel/rates.py", IMPORT, "from .zones import clean_code, zone_of\n"),
  ],
  "an import under another name": [
    "minor",
    edit("parcel/rates.py", IMPORT, `import decimal as dec\n${IMPORT}`),
  ],
  "a local variable": ["minor", edit("parcel/rates.py", STEPS, `${STEPS}    rounded = steps * 500\n`)],
  "a constant of the module": [
    "minor",
    edit("parcel/rates.py", "BASE_PRICE = 400\n", "BASE_PRICE = 400\n_STEP = 500\n"),
  ],
  "a private attribute": [
    "minor",
    edit(
      "parcel/rates.py",
      "        self._zones = dict(zones)\n",
      "        self._zones = dict(zones)\n        self._count = len(zones)\n",
    ),
  ],
  "an import in TypeScript": [
    "minor",
    edit(
      "web/src/quote.ts",
      'import { zones } from "./zones.js";\n',
      'import { ZoneMap, zones } from "./zones.js";\n',
    ),
  ],
  require: [
    "minor",
    edit("web/src/zones.js", "export const zones", 'const path = require("path");\nexport const zones'),
  ],
  "a constant in TypeScript": [
    "minor",
    edit("web/src/quote.ts", TS, `${TS}  const rounded = steps * 500;\n`),
  ],
  "a private member": [
    "minor",
    edit("web/src/zones.js", "  #entries = new Map();\n", "  #entries = new Map();\n  #size = 0;\n"),
  ],
  "a property that is only written": [
    "minor",
    edit(
      "web/src/zones.js",
      "    for (const [code, zone] of entries) this.#entries.set(code, zone);\n",
      "    for (const [code, zone] of entries) {\n      const entry = { zone, rank: 0 };\n      entry.rank = code.length;\n      this.#entries.set(code, entry);\n    }\n",
    ),
  ],
  "an import in Java": [
    "minor",
    edit("java/src/Rates.java", "import java.util.Map;\n", "import java.util.List;\nimport java.util.Map;\n"),
  ],
  "a field in Java": [
    "minor",
    edit("java/src/Rates.java", "    public Rates(", "    private int count = 0;\n\n    public Rates("),
  ],
  "an import that is used": [
    "none",
    edit("parcel/rates.py", STEPS, "    steps = math.ceil(weight / 500)\n    import math\n"),
  ],
  "used in a string": [
    "none",
    edit("parcel/rates.py", STEPS, `${STEPS}    label = "x"\n    note = f"{label}"\n    log(note)\n`),
  ],
  "keyword arguments on lines of their own": [
    "none",
    edit("parcel/rates.py", STEPS, "    steps = count(\n        weight,\n        size=500,\n    )\n"),
  ],
  "entries of a dictionary call": [
    "none",
    edit("parcel/rates.py", STEPS, `${STEPS}    log(dict(\n        zone=1,\n    ))\n`),
  ],
  "a throw-away name": ["none", edit("parcel/rates.py", STEPS, `${STEPS}    _ = zone.code\n`)],
  "a class attribute": [
    "none",
    edit("parcel/rates.py", "class RateCard:\n", "class RateCard:\n    currency = 'EUR'\n\n"),
  ],
  "a package's face": [
    "none",
    edit("parcel/__init__.py", "from .rates import price\n", "from .rates import RateCard, price\n"),
  ],
  "with a marker": ["none", edit("parcel/rates.py", IMPORT, `import readline  # noqa: F401\n${IMPORT}`)],
  exported: [
    "none",
    edit("web/src/zones.js", "export const zones", "export const far = [];\nexport const zones"),
  ],
  "a type that is used": [
    "none",
    edit(
      "web/src/quote.ts",
      'import { zones } from "./zones.js";\n',
      'import type { ZoneMap } from "./zones.js";\nimport { zones } from "./zones.js";\nexport let map: ZoneMap;\n',
    ),
  ],
  "moved to another depth": [
    "none",
    edit("parcel/rates.py", STEPS, "    if weight:\n        steps = -(-weight // 500)\n"),
  ],
};

test("names that are bound and never read", async () => {
  expect(await outcomes(unusedNames, { base: BASE }, cases)).toEqual(expectations(cases));
});
