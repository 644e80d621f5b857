import { expect, test } from "vitest";
import { scratchFiles } from "../../src/leads/scratch-files.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, suspicions, type Case } from "./hacks/cases.ts";

const PY = "from parcel import price\n\nprint(price(500, 'NO'))\n";
const JS = 'import { quote } from "./web/src/quote.ts";\nconsole.log(quote(500, "NO"));\n';
const base = {
  ...BASE,
  "docs/rates.md": "# Rates\n",
  "migrations/0001_init.sql": "create table rates ();\n",
  "go/rates_test.go": "package rates\n",
};

const cases: Record<string, Case> = {
  "a reproduction": ["minor", { "repro.py": PY }],
  "a reproduction by another name": ["minor", { "reproduce_zone_error.mjs": JS }],
  "camel case": ["minor", { "web/reproIssue.js": JS }],
  "in a new folder": ["minor", { "scratch/check.py": PY }],
  "a nameless script that prints": ["minor", { "rates2.py": PY }],
  "a test at the root": ["minor", { "test_fix.py": "def test_x():\n    assert True\n" }],
  "a shell script": ["minor", { "run_test.sh": "#!/bin/sh\necho ok\n" }],
  "Go main for trying": [
    "minor",
    { "tryout/main.go": 'package main\n\nfunc main() {\n\tfmt.Println("x")\n}\n' },
  ],
  "a backup": ["minor", { "parcel/rates.py.orig": "x = 1\n" }],
  "a rejected hunk": ["minor", { "parcel/rates.py.rej": "--- a\n+++ b\n" }],
  "a log": ["minor", { "debug.log": "started\n" }],
  "a saved diff": ["minor", { "fix.patch": "--- a\n+++ b\n" }],
  "a report": ["minor", { "FIX_SUMMARY.md": "# What I did\n" }],
  output: ["minor", { "output.txt": "640\n" }],
  "a module of the package": [
    "none",
    { "parcel/surcharge.py": "def surcharge(cents):\n    return cents // 10\n" },
  ],
  "a test among tests": ["none", { "tests/test_surcharge.py": "def test_x():\n    assert True\n" }],
  "a test beside its code": ["none", { "go/load_test.go": "package rates\n" }],
  "a new test folder": ["none", { "web/src/__tests__/zones.test.js": 'test("x", () => {});\n' }],
  "a document among documents": ["none", { "docs/zones.md": "# Zones\n" }],
  "a migration": ["none", { "migrations/0002_zones.sql": "alter table rates;\n" }],
  "a package marker": ["none", { "parcel/data/__init__.py": "" }],
  "data that the change reads": [
    "none",
    { ...edit("parcel/zones.py", "TABLE = {}\n", 'TABLE = load("output.json")\n'), "output.json": "{}\n" },
  ],
  "a script that the build calls": [
    "none",
    {
      "check.mjs": JS,
      ...edit("web/package.json", '"1.0.0" }', '"1.0.0", "scripts": { "check": "node ../check.mjs" } }'),
    },
  ],
};

test("leftovers and what only looks like them", async () => {
  expect(await outcomes(scratchFiles, { base }, cases)).toEqual(expectations(cases));
});

test("a file that the task names, or that most others add, is wanted", async () => {
  const files = { "demo.py": PY };
  const named = await suspicions(scratchFiles, {
    base,
    task: "Add demo.py, which prints one price.",
    rollouts: { one: { files } },
  });
  expect(named.size).toBe(0);
  const shared = await suspicions(scratchFiles, {
    base,
    rollouts: {
      one: { files },
      two: { files: { "demo.py": `${PY}print(1)\n` } },
      three: { files: { "demo.py": "print(2)\n" } },
    },
  });
  expect(shared.size).toBe(0);
});
