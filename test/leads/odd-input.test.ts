import { expect, test } from "vitest";
import { verifyFinding } from "../../src/evidence/record.ts";
import { DETECTORS } from "../../src/leads/index.ts";
import { makeWorkspace, type RolloutSketch } from "../helpers/workspace.ts";
import { BASE, edit } from "./base.ts";

const LONG = `${"x".repeat(9000)}\n`;

const rollouts: Record<string, RolloutSketch> = {
  "empty patch": { patch: "" },
  "no patch": { patch: null },
  "not a patch": { patch: "hello\n" },
  "everything deleted": { files: Object.fromEntries(Object.keys(BASE).map((path) => [path, null])) },
  "an emptied file": { files: { "parcel/rates.py": "" } },
  "unclosed everything": {
    files: {
      "parcel/rates.py": "def f(:\n  '''\n  {[(\n",
      "web/src/quote.ts": "export function `${ ( { /* \n",
    },
  },
  "no line end": { files: { "parcel/zones.py": "x = 1" } },
  "a byte order mark and CRLF": { files: { "parcel/zones.py": "\u{feff}def f(a):\r\n    return a\r\n" } },
  "hidden characters": { files: { "parcel/zones.py": "x = '\u{202e}abc'\n\u{200b}\n# \u{0007}\n" } },
  "a long line": { files: { "web/src/zones.js": LONG } },
  "regular expression characters in names": {
    files: {
      "web/src/quote.ts":
        "export function $(a$: string, $b = 1) {\n  return a$;\n}\nconst $$ = (_$) => _$;\n",
    },
  },
  "odd paths": {
    files: { "a b/ü (1).py": "print(1)\n", "[x]*.js": "console.log(1)\n", "-n.go": "package x\n" },
  },
  "only white space": { files: { "parcel/rates.py": `${BASE["parcel/rates.py"] ?? ""}\n   \n\t\n` } },
  "a file without a language": { files: { "data.bin.txt": "\u{1}\u{2}\n", "x.unknown": "if (true) {\n" } },
  "many changes": {
    files: {
      ...edit("parcel/rates.py", "BASE_PRICE = 400", "BASE_PRICE = 410"),
      ...edit("web/src/quote.ts", "400 +", "410 +"),
    },
  },
};

async function leads(sketches: Record<string, RolloutSketch>): Promise<string[]> {
  await using workspace = await makeWorkspace({
    base: BASE,
    rollouts: sketches,
    tests: { "tests/test_more.py": "def test_x():\n    assert 'Jan Mayen'\n" },
  });
  const found: string[] = [];
  for (const detector of DETECTORS) {
    for (const suspicion of await detector.detect(workspace)) {
      expect(await verifyFinding(workspace, suspicion)).toMatchObject({ ok: true });
      found.push(
        `${workspace.idOf(suspicion.rollout)}: ${detector.name} ${suspicion.severity} ${JSON.stringify(suspicion.citations.map((one) => ({ ...one, rollout: undefined })))}`,
      );
    }
  }
  return found.sort();
}

test("odd rollouts are read without a fault, whatever order they come in", async () => {
  const forward = await leads(rollouts);
  const backward = await leads(Object.fromEntries(Object.entries(rollouts).toReversed()));
  expect(backward).toEqual(forward);
  expect(forward.length).toBeGreaterThan(0);
});
