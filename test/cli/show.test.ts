import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GroupView } from "../../src/cli/group-view.ts";
import { show, showCommand } from "../../src/cli/show.ts";
import { sourceOptions } from "../../src/cli/source-options.ts";
import type { SourceOptions } from "../../src/sources/index.ts";
import { folderOf, groupOf } from "../sources/folder.ts";

interface Shown {
  status: number;
  out: string;
  err: string;
}

async function run(
  inputs: string[],
  { json = false, columns = Infinity, ...options }: SourceOptions & { json?: boolean; columns?: number } = {},
): Promise<Shown> {
  const shown: Shown = { status: 0, out: "", err: "" };
  shown.status = await show(inputs, options, json, {
    out: (text) => void (shown.out += text),
    err: (text) => void (shown.err += text),
    columns,
  });
  return shown;
}

const diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n";
const messages = [
  { role: "user", content: "Fix it." },
  {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "c1", function: { name: "bash", arguments: '{"command":"ls"}' } }],
  },
  { role: "assistant", content: "Done." },
];
const group = groupOf({
  tests: { command: "npm test", runner: "node", timeout_s: 60, test_files: ["a", "b"] },
  rollouts: [
    { id: "r01", passed: true, reward: 1, patch: diff, trajectory: messages, test_output: "ok\n" },
    { id: "r02", passed: false, reward: 0, patch: null },
    { id: "r03", passed: null, patch_path: "none.diff", trajectory: "prose" },
  ],
});

describe("gagar show", () => {
  test("prints the group, a row for each rollout, and the warnings", async () => {
    const root = await folderOf({ "group.json": JSON.stringify(group, null, 1) });
    const { status, out, err } = await run([root]);
    expect([status, err]).toEqual([0, ""]);
    expect(out.replaceAll(root, "ROOT")).toBe(
      `group  g1  (ROOT/group.json)
task   t1: Fix it. (1 line)
repo   path repo
tests  npm test, runner node, test_files 2, timeout_s 60

rollout  passed  reward  trajectory   turns  calls  unanswered  patch   files  tests  warnings
r01      yes          1  openai-chat      2      1           1  53 B        1  3 B           1
r02      no           0  -                -      -           -  null        -  -             0
r03      ?            -  text             -      -           -  absent      -  -             2

warning  rollout r01: trajectory: no result recorded for t1.c1 [call_unanswered]
warning  rollout r03: trajectory: in no format that is known; kept as text [trajectory_unknown]
warning  none.diff: rollout r03: patch_path: no such file; treated as not given [file_missing]
`,
    );
  });

  test("what holds for several rollouts is said once; counts are not rounded", async () => {
    const rollouts = ["r01", "r02"].map((id) => ({
      id,
      passed: true,
      patch: "",
      tokens: 123_456,
      trajectory: "prose",
    }));
    const root = await folderOf({ "group.json": JSON.stringify(groupOf({ rollouts })) });
    const { out } = await run([root]);
    expect(out.split("\n").filter((line) => line.startsWith("warning"))).toEqual([
      "warning  rollout r01, r02: trajectory: in no format that is known; kept as text [trajectory_unknown]",
    ]);
    expect(out).toContain(" 123456 ");
  });

  test("--json gives one document a group with the same facts", async () => {
    const root = await folderOf({
      "g.jsonl": `${JSON.stringify(group)}\n{"broken\n${JSON.stringify(groupOf())}\n`,
    });
    const { status, out, err } = await run([join(root, "g.jsonl")], { json: true });
    const [first, broken, second] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Partial<GroupView> & { error?: { code: string } });
    expect([status, err]).toEqual([2, ""]);
    expect(broken).toMatchObject({
      source: `${join(root, "g.jsonl")}:2`,
      error: { code: "bad_input", where: { line: 2 } },
    });
    expect(second).toMatchObject({ group_id: "g1", tests: null, warnings: [] });
    expect(first?.rollouts).toEqual([
      {
        id: "r01",
        passed: true,
        reward: 1,
        advantage: null,
        trajectory: { format: "openai-chat", version: null, turns: 2, calls: 1, unanswered: 1, exit: null },
        patch: { state: "present", bytes: 53, files: 1 },
        test_output_bytes: 3,
        verdicts: [],
        tokens: null,
        warnings: 1,
      },
      expect.objectContaining({ id: "r02", trajectory: null, patch: { state: "null", bytes: 0, files: 0 } }),
      expect.objectContaining({
        id: "r03",
        passed: null,
        trajectory: { format: "text", version: null, turns: null, calls: null, unanswered: null, exit: null },
      }),
    ]);
  });

  test("a run without a repository is shown, with its verdicts, and the status says that it cannot be graded", async () => {
    const row = { instance_id: "o__r-1", model_patch: diff, resolved: true, problem_statement: "Fix it." };
    const root = await folderOf({
      "r/preds.jsonl": `${JSON.stringify(row)}\n`,
      "r/run.json": JSON.stringify({ resolved_ids: ["o__r-1"] }),
    });
    const { status, out, err } = await run([join(root, "r")]);
    expect(status).toBe(2);
    expect(err).toContain("no repository: give --repo or --repo-map");
    expect(out.replaceAll(root, "ROOT")).toBe(
      `group  o__r-1  (ROOT/r/preds.jsonl:1)
task   o__r-1: Fix it. (1 line)
repo   unknown
tests  none declared

rollout  passed  verdicts                 trajectory  turns  calls  unanswered  patch  files  tests  warnings
r        yes     row yes, run_report yes           -      -      -           -  53 B       1      -         0

warning  group o__r-1: no test command (--test-command) [run_incomplete]
`,
    );
    const json = JSON.parse((await run([join(root, "r")], { json: true })).out) as Partial<GroupView>;
    expect(json).toMatchObject({ repo: null, error: { code: "bad_input" } });
    expect(json.rollouts?.[0]?.verdicts).toEqual([
      { source: "row", passed: true, file: "preds.jsonl:1" },
      { source: "run_report", passed: true, file: "run.json" },
    ]);
  });

  test("one input that cannot be read does not hide the others", async () => {
    const root = await folderOf({ "a/group.json": JSON.stringify(groupOf()) });
    const { status, out, err } = await run([join(root, "none"), join(root, "a")]);
    expect(status).toBe(2);
    expect(err).toBe(`gagar: ${join(root, "none")}: no such file or folder\n`);
    expect(out).toContain("group  g1");
  });

  test("a path that leaves the folder costs only what it names", async () => {
    const rollouts = [
      { id: "r01", passed: true, patch_path: "../secret", test_output: "ok" },
      { id: "r02", passed: true, patch: "" },
    ];
    const root = await folderOf({ "g/group.json": JSON.stringify(groupOf({ rollouts })), secret: "x" });
    const { status, out } = await run([join(root, "g")]);
    expect(status).toBe(2);
    expect(out).toContain("r02      yes              -      -      -           -  empty");
    expect(out).toContain(
      'warning  rollout r01: patch_path: path "../secret" leaves the folder of the group [bad_input]',
    );
  });

  test("what a group brings cannot write to the terminal or forge lines", async () => {
    const evil = "r\u001b[2J\u202e\n\twarning  all is well\u0000\u200b";
    const root = await folderOf({
      "group.json": JSON.stringify(
        groupOf({ group_id: evil, rollouts: [{ id: evil, passed: true, patch: "" }] }),
      ),
    });
    for (const columns of [Infinity, 20]) {
      const { out } = await run([root], { columns });
      expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(out.split("\n").filter((line) => line.startsWith("warning"))).toEqual([]);
      expect(out).toContain("r\\u{1b}[2J\\u{202e}");
    }
  });

  test("on a narrow terminal every rollout has a few short lines", async () => {
    const root = await folderOf({ "group.json": JSON.stringify(group) });
    const { out } = await run([root], { columns: 60 });
    expect(out).toContain(
      "\nr01\n  passed yes, reward 1, trajectory openai-chat, turns 2\n  calls 1, unanswered 1, patch 53 B, files 1, tests 3 B\n  warnings 1\n",
    );
  });

  test.each([
    ["--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\r\n+++ b/y\n", 2],
    [`${diff}diff --git a/b b/c\nrename from b\nrename to c\n`, 2],
    ["FLAG{x}", 0],
  ])("files of %j", async (patch, files) => {
    const root = await folderOf({
      "group.json": JSON.stringify(groupOf({ rollouts: [{ id: "a", passed: true, patch }] })),
    });
    const { out } = await run([root], { json: true });
    expect((JSON.parse(out) as GroupView).rollouts[0]?.patch.files).toBe(files);
  });
});

describe("options of commands that read groups", () => {
  const parse = (...argv: string[]): SourceOptions => {
    const command = showCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    command.action(() => undefined).parse(["input", ...argv], { from: "user" });
    return sourceOptions(command.opts());
  };

  test.each<[string[], SourceOptions]>([
    [[], {}],
    [["--outcomes", "o.json", "--root", "r"], { outcomes: "o.json", root: "r" }],
    [["--passed", "a, b,,c"], { passed: ["a", "b", "c"] }],
    [["--passed", ""], { passed: [] }],
  ])("%j", (argv, options) => {
    expect(parse(...argv)).toEqual(options);
  });

  test("outcomes and --passed contradict each other", () => {
    expect(() => parse("--outcomes", "o", "--passed", "a")).toThrow(/cannot be used with/);
  });
});
