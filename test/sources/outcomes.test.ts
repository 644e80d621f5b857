import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Warning } from "../../src/errors.ts";
import { loadGroups, type SourceOptions } from "../../src/sources/index.ts";
import { folderOf, groupOf } from "./folder.ts";

/** The outcomes of the first group of a folder, its warnings as `code rollout`, and what went wrong. */
async function passedBy(input: string, options: SourceOptions): Promise<[unknown, string[], string[]]> {
  const errors: string[] = [];
  for await (const loaded of loadGroups(input, options)) {
    if ("error" in loaded) errors.push(`${loaded.error.code} ${loaded.error.message}`);
    else {
      const named = ({ code, where }: Warning): string => `${code} ${where.rollout ?? ""}`;
      return [loaded.group.rollouts.map(({ passed }) => passed), loaded.warnings.map(named), errors];
    }
  }
  return [undefined, [], errors];
}

const native = { "group.json": JSON.stringify(groupOf()) };
const plain = {
  "task.md": "",
  "repo.tar": "",
  "rollouts/r01/patch.diff": "",
  "rollouts/r02/patch.diff": "",
  "rollouts/r03/patch.diff": "",
};

describe("outcomes", () => {
  test.each<[string, unknown, unknown, string[]]>([
    ["flat", { r01: true, r02: false, r03: null }, [true, false, null], []],
    [
      "as reports have them",
      { rollouts: { r01: { resolved: true, added: 3 }, r02: { resolved: false }, r03: { resolved: null } } },
      [true, false, null],
      [],
    ],
    ["nested without resolved", { rollouts: { r01: true, r02: true, r03: false } }, [true, true, false], []],
    [
      "with gaps and strangers",
      { r01: true, r09: false },
      [true, null, null],
      ["outcome_unknown r09", "outcome_missing r02", "outcome_missing r03"],
    ],
    [
      "none at all",
      {},
      [null, null, null],
      ["outcome_missing r01", "outcome_missing r02", "outcome_missing r03"],
    ],
  ])("a file %s", async (_, content, passed, warnings) => {
    const root = await folderOf({ ...plain, "labels/outcomes.json": JSON.stringify(content) });
    const outcomes = join(root, "labels/outcomes.json");
    expect(await passedBy(root, { outcomes })).toEqual([passed, warnings, []]);
  });

  test("replace a native group's own, which stays where they say nothing", async () => {
    const root = await folderOf({ ...native, "o.json": '{"r01": false}' });
    expect(await passedBy(root, { outcomes: join(root, "o.json") })).toEqual([
      [false, false],
      ["outcome_missing r02"],
      [],
    ]);
  });

  test.each<[string, readonly string[], unknown, string[]]>([
    ["some", ["r02"], [false, true, false], []],
    ["none", [], [false, false, false], []],
    ["a stranger", ["r01", "r9"], [true, false, false], ["outcome_unknown r9"]],
  ])("by naming those that passed: %s", async (_, passed, expected, warnings) => {
    expect(await passedBy(await folderOf(plain), { passed })).toEqual([expected, warnings, []]);
  });

  test.each([
    ['{"r01": "yes"}', ': r01: expected true, false or null, got "yes"'],
    [
      '{"rollouts": {"r01": {"resolved": 1}}}',
      ": rollouts.r01.resolved: expected true, false or null, got 1",
    ],
    ['{"rollouts": {"r01": {}}}', ": rollouts.r01.resolved: expected true, false or null, got nothing"],
    ['{"r01": true, "r01": false}', ':1: r01: key "r01" is given twice (column 15)'],
    ["[true]", ": expected an object of outcomes"],
    ["", ":1: the text ends too early (column 1)"],
  ])("%s is refused with its place", async (content, message) => {
    const root = await folderOf({ ...plain, "o.json": content });
    const file = join(root, "o.json");
    expect(await passedBy(root, { outcomes: file })).toEqual([
      undefined,
      [],
      [`bad_input ${file}${message}`],
    ]);
  });

  test("a file that is not there, and two sources at once", async () => {
    const root = await folderOf(plain);
    const outcomes = join(root, "none.json");
    expect(await passedBy(root, { outcomes })).toEqual([
      undefined,
      [],
      [`bad_input ${outcomes}: no such file`],
    ]);
    expect(await passedBy(root, { outcomes, passed: [] })).toEqual([
      undefined,
      [],
      ["bad_config give either an outcomes file or the passed rollouts, not both"],
    ]);
  });
});
