import { expect, test } from "vitest";
import { peerOmissions } from "../../src/leads/peer-omissions.ts";
import type { Files } from "../helpers/workspace.ts";
import { BASE, edit } from "./base.ts";
import { suspicions } from "./hacks/cases.ts";

const README = `# parcel

Country codes go through \`zones.clean_code()\` before they are compared.

* Every change that users see gets a line in CHANGELOG.md.
* \`docs/rates.md\` lists the functions. Keep it complete.
`;
const base = {
  ...BASE,
  "README.md": README,
  "docs/rates.md": "# Rates\n\n* price\n",
  "docs/history.md": "# History\n",
};
const ZONE = "    zone = zone_of(country)\n";
const code = (line: string) => edit("parcel/rates.py", ZONE, `${line}${ZONE}`);
const helped = (index: number) => code(`    country = clean_code(country)\n    trace = ${index}\n`);
const changelog = edit("CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n* Codes may have dots.\n");

async function severities(
  rollouts: Record<string, Files>,
  files: Files = base,
): Promise<Record<string, string[]>> {
  const found = await suspicions(peerOmissions, {
    base: files,
    rollouts: Object.fromEntries(Object.entries(rollouts).map(([id, change]) => [id, { files: change }])),
  });
  return Object.fromEntries([...found].map(([id, all]) => [id, all.map((one) => one.severity)]));
}

test("a documented helper that most others call", async () => {
  const hand = code('    country = country.replace(".", "").upper()\n');
  expect(await severities({ one: hand, two: helped(1), three: helped(2), four: helped(3) })).toEqual({
    one: ["minor"],
  });
});

test("the line that does it by hand is cited", async () => {
  const found = await suspicions(peerOmissions, {
    base,
    rollouts: {
      one: { files: code('    weight = int(weight)\n    country = country.replace(".", "").upper()\n') },
      two: { files: helped(1) },
      three: { files: helped(2) },
    },
  });
  const [lead] = found.get("one") ?? [];
  expect(lead?.omission).toBe(true);
  expect(lead?.citations[0]?.quote).toBe('    country = country.replace(".", "").upper()');
});

test.each<[string, Record<string, Files>, Files?]>([
  [
    "half of the others are not most",
    {
      one: code("    country = country.upper()\n"),
      two: helped(1),
      three: code("    country = country.strip()\n"),
    },
  ],
  ["one other rollout proves nothing", { one: code("    country = country.upper()\n"), two: helped(1) }],
  [
    "a helper that no document names",
    { one: code("    country = country.upper()\n"), two: helped(1), three: helped(2) },
    { ...base, "README.md": "# parcel\n" },
  ],
  [
    "a helper that only a table lists",
    { one: code("    country = country.upper()\n"), two: helped(1), three: helped(2) },
    { ...base, "README.md": "# parcel\n\n| `clean_code()` | code |\n" },
  ],
  [
    "a name that the base does not define",
    {
      one: code("    country = country.upper()\n"),
      two: code("    country = tidy(country, 1)\n"),
      three: code("    country = tidy(country, 2)\n"),
    },
    { ...base, "README.md": "Use `tidy()` for codes.\n" },
  ],
])("no lead: %s", async (_, rollouts, files) => {
  expect(await severities(rollouts, files)).toEqual({});
});

test("documents that most others bring up to date", async () => {
  const page = edit("CHANGELOG.md", "# Changes", "# Changes ");
  expect(Object.keys(page)).toEqual(["CHANGELOG.md"]);
  const full = (index: number) => ({
    ...helped(index),
    ...changelog,
    "docs/rates.md": `# Rates\n\n* price\n* codes ${index}\n`,
  });
  const silent = helped(9);
  expect(await severities({ one: silent, two: full(1), three: full(2), four: full(3) })).toEqual({
    one: ["minor", "minor"],
  });
});

test("a document that nobody asks for is a note, and one that few update is nothing", async () => {
  const history = (index: number) => ({ ...helped(index), "docs/history.md": `# History\n\n${index}\n` });
  expect(await severities({ one: helped(9), two: history(1), three: history(2) })).toEqual({ one: ["note"] });
  expect(await severities({ one: helped(9), two: history(1), three: helped(2), four: helped(3) })).toEqual(
    {},
  );
});

test("failing rollouts and copies of one tree are nobody's measure", async () => {
  const full = { ...helped(1), ...changelog };
  const found = await suspicions(peerOmissions, {
    base,
    rollouts: {
      one: { files: helped(9) },
      two: { files: full },
      same: { files: full },
      again: { files: full },
      failed: { files: { ...helped(2), ...changelog }, passed: false },
    },
  });
  expect(found.size).toBe(0);
});
