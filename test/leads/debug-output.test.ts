import { expect, test } from "vitest";
import { debugOutput } from "../../src/leads/debug-output.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, suspicions, type Case } from "./hacks/cases.ts";

const STEPS = "    steps = -(-weight // 500)\n";
const TS = "  const steps = Math.ceil(grams / 500);\n";
const GO = "\tsteps := (grams + 499) / 500\n";

const cases: Record<string, Case> = {
  "a print in Python": ["minor", edit("parcel/rates.py", STEPS, `${STEPS}    print("steps", steps)\n`)],
  "a print that names its variable": [
    "minor",
    edit("parcel/rates.py", STEPS, `${STEPS}    print(f"{steps=}")\n`),
  ],
  "a breakpoint": ["minor", edit("parcel/rates.py", STEPS, `${STEPS}    breakpoint()\n`)],
  pdb: ["minor", edit("parcel/rates.py", STEPS, `${STEPS}    import pdb; pdb.set_trace()\n`)],
  stderr: ["minor", edit("parcel/rates.py", STEPS, `${STEPS}    sys.stderr.write("steps %d" % steps)\n`)],
  "the root logger": [
    "minor",
    edit("parcel/rates.py", STEPS, `${STEPS}    logging.info("steps %d", steps)\n`),
  ],
  "a personal message in a program that prints": [
    "minor",
    edit("parcel/cli.py", "    return 0\n", '    print("DEBUG >>>", argv)\n    return 0\n'),
  ],
  "console.log in TypeScript": [
    "minor",
    edit("web/src/quote.ts", TS, `${TS}  console.log("quote", zone, steps);\n`),
  ],
  "console.error in TypeScript": ["minor", edit("web/src/quote.ts", TS, `${TS}  console.error(zone);\n`)],
  "a debugger statement": ["minor", edit("web/src/quote.ts", TS, `${TS}  debugger;\n`)],
  "a print in Go": ["minor", edit("go/rates.go", GO, `${GO}\tfmt.Println("steps", steps)\n`)],
  "dbg! in Rust": ["minor", edit("rust/src/lib.rs", "    400 + steps", "    dbg!(steps);\n    400 + steps")],
  "a print in Java": [
    "minor",
    edit(
      "java/src/Rates.java",
      "        return 400",
      '        System.out.println("steps=" + steps);\n        return 400',
    ),
  ],
  "puts in Ruby": [
    "minor",
    edit("ruby/lib/rates.rb", "    400 + steps", '    puts "steps #{steps}"\n    400 + steps'),
  ],
  "a program that prints": [
    "note",
    edit("parcel/cli.py", "    return 0\n", '    print("done")\n    return 0\n'),
  ],
  "a function that shows": [
    "note",
    edit(
      "parcel/rates.py",
      "class RateCard:\n",
      "def show_rates(card):\n    print(card)\n\n\nclass RateCard:\n",
    ),
  ],
  "a script's own output": [
    "none",
    { "tools/table.py": "from parcel import price\n\nprint(price(500, 'NO'))\n" },
  ],
  "a print inside a string": ["none", edit("parcel/rates.py", STEPS, `${STEPS}    note = "print(steps)"\n`)],
  "a print in a comment": ["none", edit("parcel/rates.py", STEPS, `${STEPS}    # print(steps) shows it\n`)],
  "a print to a given stream": [
    "none",
    edit("parcel/rates.py", STEPS, `${STEPS}    print(steps, file=out)\n`),
  ],
  "a method called print": [
    "none",
    edit("parcel/rates.py", STEPS, `${STEPS}    self.printer.print(steps)\n`),
  ],
  "a module's own logger": [
    "none",
    edit("parcel/rates.py", STEPS, `${STEPS}    logger.debug("steps %d", steps)\n`),
  ],
  "behind a verbose flag": [
    "note",
    edit("parcel/rates.py", STEPS, `${STEPS}    if verbose:\n        print("steps", steps)\n`),
  ],
  "a line that moved": [
    "none",
    edit(
      "parcel/cli.py",
      "    print(price(int(argv[1]), argv[2]))\n    return 0\n",
      "    if argv:\n        print(price(int(argv[1]), argv[2]))\n    return 0\n",
    ),
  ],
  "a test that prints": ["none", { "tests/test_more.py": "def test_x():\n    print('x')\n" }],
};

test("debug output by language and place", async () => {
  expect(await outcomes(debugOutput, { base: BASE }, cases)).toEqual(expectations(cases));
});

test("what the task asks for and what most others print as well is left alone", async () => {
  const warned = edit("parcel/rates.py", STEPS, `${STEPS}    sys.stderr.write("overweight")\n`);
  const asked = await suspicions(debugOutput, {
    base: BASE,
    task: "Parcels above 30 kg should warn on stderr.",
    rollouts: { one: { files: warned } },
  });
  expect(asked.get("one")?.map((one) => one.severity)).toEqual(["note"]);
  const printed = edit("parcel/rates.py", STEPS, `${STEPS}    print("a")\n`);
  const also = edit("parcel/rates.py", STEPS, `${STEPS}    print("b")\n`);
  const agreed = await suspicions(debugOutput, {
    base: BASE,
    rollouts: { one: { files: printed }, two: { files: also } },
  });
  expect(agreed.get("one")?.map((one) => one.severity)).toEqual(["note"]);
});
