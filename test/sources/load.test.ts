import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatPlace } from "../../src/errors.ts";
import { type LoadedGroup, loadGroups, type SourceOptions } from "../../src/sources/index.ts";
import { folderOf, groupOf } from "./folder.ts";

interface Loaded {
  groups: LoadedGroup[];
  errors: string[];
  codes: string[];
}

async function load(input: string, options: SourceOptions = {}): Promise<Loaded> {
  const loaded: Loaded = { groups: [], errors: [], codes: [] };
  for await (const item of loadGroups(input, options)) {
    if ("error" in item) {
      loaded.errors.push(item.error.message);
      loaded.codes.push(item.error.code);
    } else loaded.groups.push(item);
  }
  return loaded;
}

const rollouts = (changes: object): unknown => [
  { id: "r01", passed: true },
  { id: "r02", passed: false, ...changes },
];

describe("what is wrong with a native group is said in one line", () => {
  const withSecond = (changes: object): string =>
    JSON.stringify(groupOf({ rollouts: rollouts(changes) }), null, 1);
  test.each<[string, string | Buffer, string]>([
    [
      "a string for a truth value",
      withSecond({ passed: "1" }),
      ': group g1: rollout r02: rollouts[1].passed: expected true, false or null, got "1"',
    ],
    [
      "a number for a truth value",
      withSecond({ passed: 1 }),
      ": group g1: rollout r02: rollouts[1].passed: expected true, false or null, got 1",
    ],
    [
      "no outcome",
      withSecond({ passed: undefined }),
      ": group g1: rollout r02: rollouts[1].passed: expected true, false or null, got nothing",
    ],
    [
      "a string for a number",
      withSecond({ reward: "1" }),
      ': group g1: rollout r02: rollouts[1].reward: expected a finite number or null, got "1"',
    ],
    [
      "a fraction of a token",
      withSecond({ tokens: 1.5 }),
      ": group g1: rollout r02: rollouts[1].tokens: expected a whole number of 0 or more, got 1.5",
    ],
    [
      "negative tokens",
      withSecond({ tokens: -1 }),
      ": group g1: rollout r02: rollouts[1].tokens: expected a whole number of 0 or more, got -1",
    ],
    [
      "a number as id",
      withSecond({ id: 2 ** 53 }),
      ": group g1: rollouts[1].id: expected a string, got 9007199254740992",
    ],
    [
      "an empty id",
      withSecond({ id: "" }),
      ': group g1: rollouts[1].id: expected a string that is not empty, got ""',
    ],
    [
      "a field that does not exist",
      withSecond({ pased: true }),
      ': group g1: rollout r02: rollouts[1]: unknown field "pased"',
    ],
    [
      "an id that was used",
      withSecond({ id: "r01" }),
      ': group g1: rollout r01: rollouts[1].id: duplicate rollout id "r01", first used at rollouts[0]',
    ],
    [
      "two patches",
      withSecond({ patch: "", patch_path: "p" }),
      ": group g1: rollout r02: rollouts[1].patch_path: give patch or patch_path, not both",
    ],
    [
      "a patch that is a list",
      withSecond({ patch: ["x"] }),
      ": group g1: rollout r02: rollouts[1].patch: expected a string or null, got a list of 1",
    ],
    [
      "several things",
      withSecond({ passed: 0, reward: "x" }),
      ": group g1: rollout r02: rollouts[1].passed: expected true, false or null, got 0 (and 1 more)",
    ],
    [
      "no rollouts",
      JSON.stringify(groupOf({ rollouts: undefined })),
      ":1: group g1: rollouts: expected a list of rollouts, got nothing",
    ],
    [
      "a repository of no kind",
      JSON.stringify(groupOf({ repo: { archiv: "x" } })),
      ":1: group g1: repo: expected {path}, {archive}, {git, commit} or {image, workdir}, got an object",
    ],
    [
      "an unknown runner",
      JSON.stringify(groupOf({ tests: { command: "x", runner: "make" } })),
      ':1: group g1: tests.runner: expected "pytest", "unittest", "jest", "vitest", "mocha", "node", "go", "cargo", "custom", got "make"',
    ],
    [
      "no id",
      JSON.stringify(groupOf({ group_id: undefined })),
      ":1: group_id: expected a string, got nothing",
    ],
    ["something else", '"text"', ': expected an object, got "text"'],
    [
      "a key given twice",
      '{"group_id":"g1",\n"group_id":"g2"}',
      ':2: group_id: key "group_id" is given twice (column 1)',
    ],
    [
      "a rollout's key given twice",
      '{"rollouts":[{"id":"a",\n "passed":false,\n "passed":true}]}',
      ':3: rollouts[0].passed: key "passed" is given twice (column 2)',
    ],
    [
      "a number without end",
      '{"rollouts":[{"reward":1e999}]}',
      ":1: rollouts[0].reward: number 1e999 is too large (column 24)",
    ],
    ["broken JSON", '{\n "group_id": "g1",\n}', ":3: group_id: expected a key (column 1)"],
    ["two documents", "{\n}\n{\n}", ":3: something follows the JSON value (column 1)"],
    ["nothing", " \n\n", ": is empty"],
    ["bytes that are not UTF-8", Buffer.from('{\n"group_id": "\xff"}', "latin1"), ":2: not UTF-8"],
  ])("%s", async (_, content, message) => {
    const root = await folderOf({ "group.json": content });
    const { groups, errors, codes } = await load(root);
    expect(groups).toEqual([]);
    expect(errors).toEqual([`${join(root, "group.json")}${message}`]);
    expect(codes).toEqual(["bad_input"]);
  });

  test("redistributed advantages are refused, also when the mark is null", async () => {
    for (const redistributed of [null, { input_hash: "x" }]) {
      const root = await folderOf({ "group.json": JSON.stringify(groupOf({ redistributed }), null, 1) });
      const { errors, codes } = await load(root);
      expect(codes).toEqual(["already_redistributed"]);
      expect(errors).toEqual([
        `${join(root, "group.json")}: group g1: redistributed: its advantages are redistributed already; a second time would change them again`,
      ]);
    }
  });

  test("a key named __proto__ is a key like others", async () => {
    const text = JSON.stringify(groupOf()).replace("{", '{"__proto__":{"passed":true},');
    const { errors } = await load(await folderOf({ "group.json": text }));
    expect(errors).toEqual([expect.stringContaining('unknown field "__proto__"')]);
    expect({}).not.toHaveProperty("passed");
  });

  test("__proto__ in an inline trajectory does no harm", async () => {
    const text = JSON.stringify(groupOf()).replace(
      '"r01"',
      '"r01","trajectory":{"__proto__":{"polluted":1}}',
    );
    const { groups } = await load(await folderOf({ "group.json": text }));
    expect(groups).toHaveLength(1);
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("native files", () => {
  test("a folder with group.json; its paths are relative to it", async () => {
    const root = await folderOf({
      "group.json": JSON.stringify(groupOf(), null, 2),
      "task.md": "",
      "rollouts/x/y": "",
    });
    const { groups } = await load(root);
    expect(groups).toEqual([{ group: groupOf(), root, source: join(root, "group.json"), warnings: [] }]);
  });

  test("a list of groups, of which one is broken", async () => {
    const list = [groupOf(), groupOf({ group_id: 7 }), groupOf({ group_id: "g3" })];
    const root = await folderOf({ "all.json": JSON.stringify(list, null, 1) });
    const { groups, errors } = await load(join(root, "all.json"));
    expect(groups.map(({ source, root }) => [source, root])).toEqual([
      [`${join(root, "all.json")}[0]`, root],
      [`${join(root, "all.json")}[2]`, root],
    ]);
    expect(errors).toEqual([`${join(root, "all.json")}: [1].group_id: expected a string, got 7`]);
  });

  const line = (id: string): string => JSON.stringify(groupOf({ group_id: id }));

  test.each([
    ["LF", "\n", ""],
    ["CRLF", "\r\n", ""],
    ["a BOM", "\n", "\ufeff"],
    ["blank lines", "\n\n \n", "\n\n"],
  ])("JSON Lines with %s", async (_, end, start) => {
    const root = await folderOf({ "g.jsonl": `${start}${["a", "b", "c"].map(line).join(end)}${end}` });
    const { groups, errors } = await load(join(root, "g.jsonl"));
    expect(errors).toEqual([]);
    expect(groups.map(({ group }) => group.group_id)).toEqual(["a", "b", "c"]);
  });

  test.each([
    ["in the middle", [line("a"), "{broken", line("c")], ["a", "c"], 2],
    ["at the start", ['{"group_id": "a", ', line("b"), line("c")], ["b", "c"], 1],
    ["at the end", [line("a"), line("b"), line("c").slice(0, 40)], ["a", "b"], 3],
    ["that is not UTF-8", [line("a"), Buffer.from([0x7b, 0xff, 0x7d]), line("c")], ["a", "c"], 2],
    ["that is no group", [line("a"), '{"group_id":"b"}', line("c")], ["a", "c"], 2],
    ["that is a number", [line("a"), "42", line("c")], ["a", "c"], 2],
  ])("a line %s costs only itself", async (_, lines, ids, number) => {
    const bytes = Buffer.concat(lines.flatMap((one) => [Buffer.from(one), Buffer.from("\n")]));
    const root = await folderOf({ "g.jsonl": bytes });
    const { groups, errors } = await load(join(root, "g.jsonl"));
    expect(groups.map(({ group }) => group.group_id)).toEqual(ids);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(`${join(root, "g.jsonl")}:${number}: `);
  });

  test("a compact list over several lines is one document", async () => {
    const root = await folderOf({ "g.json": `[\n${line("a")},\n${line("b")}\n]` });
    expect((await load(join(root, "g.json"))).groups.map(({ group }) => group.group_id)).toEqual(["a", "b"]);
  });

  test("the root can be given", async () => {
    const root = await folderOf({ "g.json": line("a") });
    expect((await load(join(root, "g.json"), { root: "/elsewhere" })).groups[0]?.root).toBe("/elsewhere");
  });
});

describe("the plain layout", () => {
  const files = {
    "demo/task.md": "# Fix it\n",
    "demo/repo/a.py": "",
    "demo/rollouts/b/patch.diff": "",
    "demo/rollouts/a10/patch.diff": "",
    "demo/rollouts/a10/trajectory.json": "[]",
    "demo/rollouts/a10/test_output.txt": "",
    "demo/rollouts/a2/trajectory_stub.json": "{}",
    "demo/rollouts/Z/notes.txt": "",
    "demo/labels/gold.patch": "",
  };

  test("rollouts come in code-unit order; outcomes are unknown, and that is said", async () => {
    const root = join(await folderOf(files), "demo");
    const { groups } = await load(root);
    expect(groups).toEqual([
      {
        root,
        source: root,
        group: {
          group_id: "demo",
          task: { id: "demo", statement: "# Fix it\n" },
          repo: { path: "repo" },
          rollouts: [
            { id: "Z", passed: null },
            {
              id: "a10",
              patch_path: "rollouts/a10/patch.diff",
              trajectory_path: "rollouts/a10/trajectory.json",
              test_output_path: "rollouts/a10/test_output.txt",
              passed: null,
            },
            { id: "a2", trajectory_path: "rollouts/a2/trajectory_stub.json", passed: null },
            { id: "b", patch_path: "rollouts/b/patch.diff", passed: null },
          ],
        },
        warnings: [
          {
            code: "outcomes_unknown",
            message: "nothing says which rollouts passed; give an outcomes file or the passed rollouts",
            where: { file: root, group: "demo" },
          },
        ],
      },
    ]);
  });

  test.each([
    [
      ["repo.tar.gz", "repo.tar", "repo/x"],
      { archive: "repo.tar.gz" },
      "repo.tar.gz, repo.tar, repo: repo.tar.gz is used",
    ],
    [["repo.tar", "repo/x"], { archive: "repo.tar" }, "repo.tar, repo: repo.tar is used"],
    [["repo.tar"], { archive: "repo.tar" }, undefined],
  ])("of %j the first is the repository", async (names, repo, message) => {
    const root = await folderOf({
      "task.md": "",
      "rollouts/a/patch.diff": "",
      ...Object.fromEntries(names.map((name) => [name, ""])),
    });
    const [loaded] = (await load(root, { passed: [] })).groups;
    expect(loaded?.group.repo).toEqual(repo);
    expect(loaded?.warnings.map((warning) => warning.message)).toEqual(
      message === undefined ? [] : [message],
    );
  });

  test.each([
    [["trajectory.md", "trajectory.traj"], "trajectory.traj"],
    [["trajectory.jsonl", "trajectory.log", "trajectory_stub.json"], "trajectory.jsonl"],
    [["trajectory.txt", "trajectory_stub.json"], "trajectory.txt"],
    [["trajectory.json", "trajectory.traj.json"], "trajectory.json"],
  ])("of %j the trajectory is %s, with a warning", async (names, used) => {
    const root = await folderOf({
      "task.md": "",
      "repo.tar": "",
      ...Object.fromEntries(names.map((name) => [`rollouts/a/${name}`, ""])),
    });
    const [loaded] = (await load(root, { passed: [] })).groups;
    expect(loaded?.group.rollouts[0]?.trajectory_path).toBe(`rollouts/a/${used}`);
    const [warning] = loaded?.warnings ?? [];
    expect(warning?.code).toBe("trajectory_ambiguous");
    for (const name of names) expect(warning?.message).toContain(name);
    expect(formatPlace(warning?.where ?? {})).toBe("rollouts/a: rollout a");
  });

  test("files among the rollouts are left out with a warning, hidden ones without", async () => {
    const root = await folderOf({
      "task.md": "",
      "repo.tar": "",
      "rollouts/README": "",
      "rollouts/.keep": "",
    });
    const [loaded] = (await load(root, { passed: [] })).groups;
    expect(loaded?.group.rollouts).toEqual([]);
    expect(loaded?.warnings.map(({ code, where }) => [code, where.file])).toEqual([
      ["not_a_rollout", "rollouts/README"],
    ]);
  });

  test("a task that is not UTF-8 is refused with its place", async () => {
    const root = await folderOf({
      "task.md": Buffer.from("a\n\xe9", "latin1"),
      "repo.tar": "",
      "rollouts/a/x": "",
    });
    expect((await load(root)).errors).toEqual([`${join(root, "task.md")}:2: not UTF-8`]);
  });
});

describe("inputs that hold no group", () => {
  test("missing, empty, or one level too high", async () => {
    const root = await folderOf({ "inner/group.json": "{}", "other/file": "" });
    await mkdir(join(root, "empty"));
    expect((await load(join(root, "none"))).errors).toEqual([
      `${join(root, "none")}: no such file or folder`,
    ]);
    expect((await load(join(root, "empty"))).errors).toEqual([
      `${join(root, "empty")}: neither a group (group.json, or task.md and rollouts/) nor anything of a run that is known`,
    ]);
    expect((await load(root)).errors).toEqual([
      `${root}: neither a group (group.json, or task.md and rollouts/) nor anything of a run that is known; its folders inner hold groups`,
    ]);
  });

  test.each<[string, string, string]>([
    [
      "report.json",
      '{"a__b-1": {"resolved": true, "patch_exists": true}}',
      "no rollouts: 1 result of tests, and",
    ],
    ["test_output.txt", ">>>>> Applied Patch\n", "no rollouts: 1 result of tests, and"],
    ["metrics.jsonl", '{"instance_id": "a__b-1", "turns": 3}\n', "names instances, and holds no patch"],
    ["base_state.json", '{"agent": {}, "id": "x"}', "is neither a group nor anything of a run"],
    ["eval.sh", "#!/bin/bash\n", "is neither JSON nor anything of a run"],
  ])("%s alone is refused with its reason", async (name, text, reason) => {
    const file = join(await folderOf({ [name]: text }), name);
    const { groups, errors } = await load(file);
    expect([groups, errors]).toEqual([[], [expect.stringContaining(reason)]]);
    expect(errors[0]?.startsWith(`${file}:`)).toBe(true);
  });

  test("a folder of records names them", async () => {
    const line = (role: string): string => JSON.stringify({ role, content: "Fix." });
    const root = await folderOf({ "a.jsonl": `${line("user")}\n${line("assistant")}\n`, "notes.md": "" });
    expect((await load(root)).errors).toEqual([
      `${root}: neither a group (group.json, or task.md and rollouts/) nor anything of a run that is known; nothing says of which task its files a.jsonl are: give them by name, or as rollouts/<id>/trajectory.*`,
    ]);
  });

  test("a plain layout without a repository", async () => {
    const root = await folderOf({ "demo/task.md": "", "demo/rollouts/a/patch.diff": "" });
    expect((await load(join(root, "demo"))).errors).toEqual([
      `${join(root, "demo")}: group demo: no repository: expected repo.tar.gz, repo.tar or repo/`,
    ]);
  });

  test("what the system will not read is the input's fault", async () => {
    const root = await folderOf({ "demo/task.md/file": "", "demo/rollouts/a/x": "", "demo/repo.tar": "" });
    const { codes, errors } = await load(join(root, "demo"));
    expect(codes).toEqual(["bad_input"]);
    expect(errors[0]).toContain("cannot be read: EISDIR");
  });
});
