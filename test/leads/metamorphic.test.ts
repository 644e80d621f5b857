import { expect, test } from "vitest";
import { DETECTORS } from "../../src/leads/index.ts";
import type { Criterion } from "../../src/schema/evidence.ts";
import { makeWorkspace, type Files } from "../helpers/workspace.ts";
import { BASE } from "./base.ts";

type Edit = [path: string, from: string, to: string] | [path: string, change: (text: string) => string];

/** The base with edits one after the other. A file that the base does not have begins empty. */
function edited(...edits: Edit[]): Files {
  const files: Record<string, string> = {};
  for (const [path, from, to] of edits) {
    const text = files[path] ?? BASE[path] ?? "";
    const next = typeof from === "function" ? from(text) : text.replace(from, () => to ?? "");
    if (next === text) throw new Error(`${path} has no ${String(from)}`);
    files[path] = next;
  }
  return files;
}

const added = (path: string, text: string): Edit => [path, () => text];

interface Suite {
  task: string;
  /** A good change. */
  base: Edit;
  /** Ways to spoil it, with the criterion that each violates. */
  spoiled: Record<string, [Criterion, ...Edit[]]>;
}

const PY = "parcel/rates.py";
const TS = "web/src/quote.ts";
const GO = "go/rates.go";
const JAVA = "java/src/Rates.java";

const suites: Record<string, Suite> = {
  Python: {
    task: "Express parcels cost one and a half times as much, rounded up.\n\n```python\nprice(501, 'NO', express=True)\n```\n",
    base: [PY, "total = total * 3 // 2", "total = -(-total * 3 // 2)"],
    spoiled: {
      comment: ["change_minimality", ["parcel/zones.py", "TABLE = {}", "# All known codes.\nTABLE = {}"]],
      helper: [
        "implementation_precision",
        [PY, "class RateCard", "def _round_up(value):\n    return -(-value // 1)\n\n\nclass RateCard"],
      ],
      print: [
        "unintended_side_effects",
        [PY, "    if express:\n", '    print("express", express)\n    if express:\n'],
      ],
      remains: [
        "codebase_consistency",
        [PY, "        total = -(-total", "        # total = total * 3 // 2\n        total = -(-total"],
      ],
      copy: [
        "codebase_consistency",
        [
          PY,
          "class RateCard",
          'def short(name):\n    return name.strip().replace(".", "").upper()[:2]\n\n\nclass RateCard',
        ],
        [PY, "zone_of(country)\n", "zone_of(short(country))\n"],
      ],
      spaces: ["change_minimality", [PY, (text) => text.replaceAll(":\n", ": \n")]],
      narrow: [
        "solution_fitness",
        [
          PY,
          "    if express:\n        total = -(-total * 3 // 2)",
          "    if express:\n        total = -(-total * 3 // 2) if weight == 501 else total * 3 // 2",
        ],
      ],
      script: [
        "change_minimality",
        added("try_price.py", "from parcel import price\n\nprint(price(501, 'NO', True))\n"),
      ],
      swallow: [
        "unintended_side_effects",
        [
          PY,
          "    zone = zone_of(country)\n",
          "    try:\n        zone = zone_of(country)\n    except Exception:\n        return 0\n",
        ],
      ],
      signature: [
        "unintended_side_effects",
        [
          PY,
          "def lookup(self, country, default=None):",
          "def lookup(self, country, strict=False, default=None):",
        ],
      ],
    },
  },
  TypeScript: {
    task: 'parseWeight does not know grams with a decimal: `parseWeight("1.5 kg")`.',
    base: [TS, "(\\d+)\\s*(g|kg)", "(\\d+(?:\\.\\d+)?)\\s*(g|kg)"],
    spoiled: {
      comment: [
        "change_minimality",
        ["web/src/zones.js", "export class", "// Looks zones up.\nexport class"],
      ],
      helper: [
        "implementation_precision",
        [
          TS,
          "function rate(",
          'function isKilo(unit: string): boolean {\n  return unit === "kg";\n}\n\nfunction rate(',
        ],
      ],
      print: [
        "unintended_side_effects",
        [TS, "  if (match === null)", '  console.log("parseWeight", text, match);\n  if (match === null)'],
      ],
      remains: [
        "codebase_consistency",
        [
          TS,
          "  const match =",
          "  // const match = /^(\\d+)\\s*(g|kg)$/.exec(text.trim().toLowerCase());\n  const match =",
        ],
      ],
      copy: [
        "codebase_consistency",
        [
          TS,
          "function rate(",
          'function grade(kind: string): number {\n  return kind === "near" ? 90 : 240;\n}\n\nfunction rate(',
        ],
        [TS, "steps * rate(zone)", "steps * grade(zone)"],
      ],
      spaces: ["change_minimality", [TS, (text) => text.replaceAll("  ", "    ")]],
      narrow: [
        "solution_fitness",
        [TS, "  const match =", '  if (text === "1.5 kg") return 1500;\n  const match ='],
      ],
      script: [
        "change_minimality",
        added(
          "web/debug-weight.mjs",
          'import { parseWeight } from "./src/quote.ts";\nconsole.log(parseWeight("1.5 kg"));\n',
        ),
      ],
      swallow: [
        "unintended_side_effects",
        [
          TS,
          "  if (match === null) throw new TypeError",
          "  try {\n    check(text);\n  } catch (error) {\n    return 0;\n  }\n  if (match === null) throw new TypeError",
        ],
      ],
      signature: [
        "unintended_side_effects",
        [TS, "parseWeight(text: string)", "parseWeight(text: string, fallback = 0, unit?: string)"],
      ],
    },
  },
  Go: {
    task: "Price must refuse parcels above 30 kg with ErrWeight.",
    base: [GO, "if grams <= 0 {", "if grams <= 0 || grams > 30000 {"],
    spoiled: {
      comment: ["change_minimality", ["rust/src/lib.rs", "pub fn", "// Port of the rates.\npub fn"]],
      helper: [
        "implementation_precision",
        [GO, "// Load reads", "func tooHeavy(grams int) bool {\n\treturn grams > 30000\n}\n\n// Load reads"],
      ],
      print: [
        "unintended_side_effects",
        [GO, "\tsteps :=", '\tfmt.Printf("grams %d\\n", grams)\n\tsteps :='],
      ],
      remains: ["codebase_consistency", [GO, "\tif grams", "\t// if grams <= 0 {\n\tif grams"]],
      spaces: ["change_minimality", [GO, (text) => text.replaceAll("\t", "  ")]],
      narrow: [
        "solution_fitness",
        [GO, "\tsteps :=", '\tif zone.Code == "NO" {\n\t\treturn 400, nil\n\t}\n\tsteps :='],
      ],
      script: [
        "change_minimality",
        added("scratch/main.go", 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("x")\n}\n'),
      ],
      swallow: ["unintended_side_effects", [GO, "\t\t\treturn nil, err\n", "\t\t\treturn zones, nil\n"]],
      forgotten: [
        "unintended_side_effects",
        [
          GO,
          "\t\tzone, err := parse(line)\n\t\tif err != nil {\n\t\t\treturn nil, err\n\t\t}\n",
          "\t\tzone, _ := parse(line)\n",
        ],
      ],
      signature: [
        "unintended_side_effects",
        [GO, "func Load(lines []string)", "func Load(lines []string, strict bool)"],
      ],
    },
  },
  Java: {
    task: 'price() of an unknown country must be 0, e.g. `price(500, "XX")`.',
    base: [JAVA, "zones.get(country)", "zones.getOrDefault(country, 0)"],
    spoiled: {
      comment: ["change_minimality", ["ruby/lib/rates.rb", "class Rates", "# Rates in Ruby.\nclass Rates"]],
      helper: [
        "implementation_precision",
        [
          JAVA,
          "    private static String clean",
          "    private int steps(int grams) {\n        return (grams + 499) / 500;\n    }\n\n    private static String clean",
        ],
      ],
      print: [
        "unintended_side_effects",
        [JAVA, "        int steps", "        System.out.println(country);\n        int steps"],
      ],
      remains: [
        "codebase_consistency",
        [
          JAVA,
          "        return 400",
          "        // return 400 + steps * zones.get(country);\n        return 400",
        ],
      ],
      spaces: ["change_minimality", [JAVA, (text) => text.replaceAll("    ", "\t")]],
      narrow: [
        "solution_fitness",
        [
          JAVA,
          "        int steps",
          '        if (country.equals("XX")) {\n            return 400;\n        }\n        int steps',
        ],
      ],
      script: [
        "change_minimality",
        added(
          "Repro.java",
          "class Repro {\n    public static void main(String[] args) {\n        System.out.println(1);\n    }\n}\n",
        ),
      ],
      swallow: [
        "unintended_side_effects",
        [
          JAVA,
          "        this.zones = zones;\n",
          "        Map<String, Integer> copy = null;\n        try {\n            copy = Map.copyOf(zones);\n        } catch (Exception e) {\n            copy = null;\n        }\n        this.zones = copy;\n",
        ],
      ],
      signature: [
        "unintended_side_effects",
        [
          JAVA,
          "public int price(int grams, String country)",
          "public int price(int grams, boolean rounded, String country)",
        ],
      ],
    },
  },
};

test.each(Object.entries(suites))(
  "%s: every spoiled change has a lead of its criterion, the good one has none",
  async (_, suite) => {
    const rollouts = Object.fromEntries(
      Object.entries(suite.spoiled).map(([name, [, ...edits]]) => [
        name,
        { files: edited(suite.base, ...edits) },
      ]),
    );
    await using workspace = await makeWorkspace({
      base: BASE,
      task: suite.task,
      rollouts: { good: { files: edited(suite.base) }, ...rollouts },
    });
    const criteria: Record<string, string[]> = {};
    for (const detector of DETECTORS) {
      for (const lead of await detector.detect(workspace)) {
        if (lead.severity !== "note") (criteria[workspace.idOf(lead.rollout)] ??= []).push(lead.criterion);
      }
    }
    expect(criteria["good"]).toBeUndefined();
    const missed = Object.entries(suite.spoiled).filter(
      ([name, [criterion]]) => criteria[name]?.includes(criterion) !== true,
    );
    expect(missed.map(([name]) => name)).toEqual([]);
  },
);
