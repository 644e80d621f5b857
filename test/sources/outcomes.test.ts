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

/** A plain layout is called after its folder. */
const GROUP = "group-1";
const plainFolder = async (): Promise<string> => {
  const files = Object.entries(plain).map(([name, text]) => [`${GROUP}/${name}`, text]);
  return join(await folderOf(Object.fromEntries(files)), GROUP);
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
      ["outcome_missing r02", "outcome_missing r03", "outcome_unknown "],
    ],
    [
      "by group, with another group and a stranger",
      { [GROUP]: { r01: true, r02: { resolved: false }, r9: true }, other: { r01: false }, r03: true },
      [true, false, true],
      ["outcome_unknown r9"],
    ],
    [
      "none at all",
      {},
      [null, null, null],
      ["outcome_missing r01", "outcome_missing r02", "outcome_missing r03"],
    ],
  ])("a file %s", async (_, content, passed, warnings) => {
    const root = await plainFolder();
    const outcomes = join(await folderOf({ "outcomes.json": JSON.stringify(content) }), "outcomes.json");
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
  ])("by naming those that passed: %s", async (_, passed, expected, warnings) => {
    expect(await passedBy(await folderOf(plain), { passed })).toEqual([expected, warnings, []]);
  });

  test("naming a stranger refuses the only group, which would be graded by a slip", async () => {
    expect(await passedBy(await folderOf(plain), { passed: ["r01", "r9"] })).toEqual([
      undefined,
      [],
      ["bad_config --passed: names no rollout of the group: r9"],
    ]);
  });

  test("a stranger to all of several groups is told behind them, once; what one of them has is none", async () => {
    const groups = ["a", "b"].map((id) =>
      JSON.stringify(groupOf({ group_id: id, rollouts: [{ id: `${id}1`, passed: null }] })),
    );
    const root = await folderOf({
      "groups.jsonl": groups.join("\n"),
      "o.json": '{"a1": true, "b1": false, "x": true}',
    });
    const file = join(root, "groups.jsonl");
    const said = async (options: SourceOptions): Promise<string[]> => {
      const lines: string[] = [];
      for await (const loaded of loadGroups(file, options))
        if ("error" in loaded) lines.push(loaded.error.message);
        else
          lines.push(
            ...loaded.group.rollouts.map(({ id, passed }) => `${id} ${passed}`),
            ...loaded.warnings.map(({ code, message }) => `${code}: ${message}`),
          );
      return lines;
    };
    expect(await said({ outcomes: join(root, "o.json") })).toEqual([
      "a1 true",
      "b1 false",
      "outcome_unknown: names no rollout of any group: x",
    ]);
    expect(await said({ passed: ["b1", "x"] })).toEqual([
      "a1 false",
      "b1 true",
      "--passed: names no rollout of any group: x",
    ]);
  });

  test("what is wrong with the only group is told, not the names that it might have had", async () => {
    const root = await folderOf({ "group.json": "{}" });
    const [, , errors] = await passedBy(root, { passed: ["r1"] });
    expect(errors).toEqual([expect.stringContaining("neither a group nor")]);
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
