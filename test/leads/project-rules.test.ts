import { expect, test } from "vitest";
import { bansIn, projectRules } from "../../src/leads/project-rules.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

test.each<[string, string[]]>([
  ["Never write `0.05` in code, ask `rates.step()`.", ["0.05"]],
  ["Do not use `os.system()` here.", ["os.system()"]],
  ["Cut lines with `fields()`; plain `String#split` breaks on quotes.", ["String#split"]],
  ["Use `log.info()` instead of `console.log()`.", ["console.log()"]],
  ["`eval()` is forbidden.", ["eval()"]],
  ["Avoid `Array#sort()` and keep the order.", ["Array#sort()"]],
  ["Do not use `.get` chains.", []],
  ["Never forget to call `close()`.", []],
  ["Call `price()` for one parcel.", []],
  ["Do not rename `Rates`.", []],
  ["The value is never `0.05` by chance, it is not a bug.", []],
  ["Problems are never thrown while rendering.", []],
])("%s", (text, spans) => {
  expect(bansIn({ path: "README.md", line: 1, text }).map((ban) => ban.span)).toEqual(spans);
});

const base = {
  ...BASE,
  "README.md": `# parcel

Weights are counted in steps. Never write \`0.004\` in code, ask \`zones.step()\`.
Lines are cut with \`fields()\`; plain \`String#split\` breaks on quoted commas.

* Do not use \`eval()\`.
* Numbers are shown with \`show()\` instead of \`toFixed()\`.
`,
  "web/src/lines.js": 'export const lines = (text) => text.split("\\n");\n',
};
const STEPS = "    steps = -(-weight // 500)\n";
const TS = "  const steps = Math.ceil(grams / 500);\n";

const cases: Record<string, Case> = {
  "the number itself": ["major", edit("parcel/rates.py", STEPS, `${STEPS}    part = weight * 0.004\n`)],
  "its reciprocal as a divisor": ["major", edit("parcel/rates.py", STEPS, `${STEPS}    part = zone / 250\n`)],
  "its reciprocal as a factor": ["major", edit("parcel/rates.py", STEPS, `${STEPS}    part = zone * 250\n`)],
  "a method that gives wrong results": [
    "major",
    edit("web/src/quote.ts", TS, `${TS}  const parts = country.split(",");\n`),
  ],
  "a call by name": ["minor", edit("parcel/rates.py", STEPS, `${STEPS}    steps = eval(weight)\n`)],
  "a call in TypeScript": ["minor", edit("web/src/quote.ts", TS, `${TS}  const value = eval(country);\n`)],
  "the number in a string": ["none", edit("parcel/rates.py", STEPS, `${STEPS}    part = "0.004"\n`)],
  "another number": ["none", edit("parcel/rates.py", STEPS, `${STEPS}    part = weight * 0.02 / 5000\n`)],
  "a method that the base uses just so": [
    "none",
    edit("web/src/quote.ts", TS, `${TS}  const rows = country.split("\\n");\n`),
  ],
  "a name that contains it": [
    "none",
    edit("parcel/rates.py", STEPS, `${STEPS}    steps = medieval(weight)\n`),
  ],
  "in a test": [
    "none",
    edit("tests/test_rates.py", "def test_price", "VALUE = eval('1')\n\n\ndef test_price"),
  ],
  "in a comment": ["none", edit("parcel/rates.py", STEPS, `${STEPS}    # eval(weight) would do\n`)],
};

test("code that the project's own documents rule out", async () => {
  const found = await outcomes(
    projectRules,
    { base: { ...base, "parcel/rates.py": BASE["parcel/rates.py"] ?? "" } },
    cases,
  );
  expect(found).toEqual(expectations(cases));
});
