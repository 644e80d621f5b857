import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type LoadedGroup,
  type LoadFailure,
  loadGroups,
  readTrajectory,
  type SourceOptions,
} from "../../../src/sources/index.ts";
import { indexRows } from "../../../src/sources/runs/rows.ts";
import { workspaceInput } from "../../../src/workspace-input.ts";
import { folderOf, groupOf } from "../folder.ts";

const diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n";
const row = (changes: object = {}): string =>
  `${JSON.stringify({ instance_id: "o__r-1", model_patch: diff, ...changes })}\n`;

type Loaded = LoadedGroup | LoadFailure;
async function load(inputs: string | string[], options: SourceOptions = {}): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  for await (const item of loadGroups(inputs, options)) loaded.push(item);
  return loaded;
}

const messageOf = (item: Loaded | undefined): string | undefined =>
  item !== undefined && "error" in item ? item.error.message : undefined;
const groupIn = (item: Loaded | undefined) =>
  item === undefined ? undefined : "error" in item ? item.partial : item;
const warningsOf = (item: Loaded | undefined): string[] =>
  (groupIn(item)?.warnings ?? []).map(({ code, message }) => `${code}: ${message}`);

describe("what a run lacks", () => {
  test("is told once a group, with the options that supply it; without a repository it is a failure", async () => {
    const root = await folderOf({
      "r/preds.jsonl": row() + row({ instance_id: "o__r-2", repo: "o/r", base_commit: "abc1234" }),
    });
    const [one, two] = await load(join(root, "r"));
    expect(messageOf(one)).toBe(
      `${root}/r/preds.jsonl:1: group o__r-1: repo: no repository: give --repo or --repo-map`,
    );
    expect(messageOf(two)).toContain("give --repo or --repo-map; the run names o/r abc1234");
    expect(warningsOf(one)).toEqual([
      "run_incomplete: no task statement (--task-map); no test command (--test-command); no outcome of r (--outcomes, --passed)",
    ]);
  });

  test("is supplied by options, from places outside the run", async () => {
    const root = await folderOf({
      "r/preds.jsonl": row({ resolved: true }),
      "code/a": "x\n",
      "tests.patch": diff,
      "tasks.json": JSON.stringify({ "o__r-1": "tasks/one.md" }),
      "tasks/one.md": "Fix a.\n",
    });
    const [loaded] = await load(join(root, "r"), {
      repo: join(root, "code"),
      testCommand: "npm test",
      testPatch: join(root, "tests.patch"),
      runner: "node",
      taskMap: join(root, "tasks.json"),
    });
    if (loaded === undefined || "error" in loaded) throw new Error(messageOf(loaded));
    expect(loaded.warnings).toEqual([]);
    expect(loaded.group).toMatchObject({
      task: { id: "o__r-1", statement: "Fix a.\n" },
      repo: { path: "code" },
      tests: { command: "npm test", runner: "node", patch_path: "tests.patch" },
    });
    const input = await workspaceInput(loaded, join(root, "w"), 0, () => undefined);
    expect(input.repo).toEqual({ kind: "folder", path: join(root, "code") });
    expect(input.testsPatch?.toString()).toBe(diff);
  });

  test.each<[string, string, unknown]>([
    ["a folder", '{"o__r-1": "code"}', { path: "code" }],
    ["an archive", '{"o__r-1": {"archive": "code.tar"}}', { archive: "code.tar" }],
    ["a repository and the row's commit", '{"o__r-1": "clone"}', { git: "clone", commit: "abc1234" }],
    ["a repository and its own commit", '{"o__r-1": "clone#def5678"}', { git: "clone", commit: "def5678" }],
    [
      "a repository and a commit",
      '{"o__r-1": {"git": "clone", "commit": "def5678"}}',
      { git: "clone", commit: "def5678" },
    ],
    [
      "a URL",
      '{"o__r-1": "https://example.org/r.git#def5678"}',
      { git: "https://example.org/r.git", commit: "def5678" },
    ],
    [
      "a URL without a commit takes the row's",
      '{"o__r-1": "https://example.org/r"}',
      { git: "https://example.org/r", commit: "abc1234" },
    ],
    [
      "JSON Lines",
      '{"instance_id": "x", "path": "none"}\n{"instance_id": "o__r-1", "path": "code"}\n',
      { path: "code" },
    ],
    [
      "nothing for this instance",
      '{"x": "code"}',
      "no repository: give --repo or --repo-map; the run names abc1234",
    ],
    ["a place that is not there", '{"o__r-1": "none"}', "none: no such file or folder"],
    ["a number", '{"o__r-1": 7}', "expected a path, an archive or {git, commit}"],
    ["broken JSON", '{"o__r-1"', "expected an object by instance"],
  ])("--repo-map: %s", async (_, map, expected) => {
    const root = await folderOf({
      "r/preds.jsonl": row({ base_commit: "abc1234" }),
      "map.json": map,
      "code/a": "x\n",
      "code.tar": "",
      "clone/HEAD": "ref: refs/heads/main\n",
    });
    await mkdir(join(root, "clone/objects"));
    const [loaded] = await load(join(root, "r"), { repoMap: join(root, "map.json") });
    if (typeof expected === "string") expect(messageOf(loaded)).toContain(expected);
    else expect(groupIn(loaded)?.group).toMatchObject({ repo: expected });
  });

  test("options that need another one are refused", async () => {
    const root = await folderOf({ "r/preds.jsonl": row() });
    expect((await load(join(root, "r"), { runner: "go" })).map(messageOf)).toEqual([
      "--runner: needs --test-command",
    ]);
  });
});

describe("outcomes", () => {
  test("a disagreement leaves the outcome open and names both sources", async () => {
    const root = await folderOf({
      "r/preds.jsonl": row({ resolved: true }),
      "r/run.json": JSON.stringify({ resolved_ids: [], unresolved_ids: ["o__r-1"] }),
    });
    const [loaded] = await load(join(root, "r"));
    expect(groupIn(loaded)?.group.rollouts[0]?.passed).toBe(null);
    expect(warningsOf(loaded)[0]).toBe(
      "verdicts_disagree: passed by row (preds.jsonl:1); failed by run_report (run.json); passed is unknown unless --outcomes says",
    );
  });

  test("results without any rollout are said to be just that", async () => {
    const root = await folderOf({ "r/eval_results.json": JSON.stringify({ a__b: true, c__d: false }) });
    expect((await load(join(root, "r"))).map(messageOf)).toEqual([
      `${root}/r: no rollouts: 2 results of tests, and neither patches nor trajectories beside them; give the run that they are about as well`,
    ]);
  });

  test("an outcomes file goes before what runs say", async () => {
    const root = await folderOf({
      "r/preds.jsonl": row({ resolved: true }),
      "o.json": '{"r": false}',
      "code/a": "",
    });
    const [loaded] = await load(join(root, "r"), {
      repo: join(root, "code"),
      outcomes: join(root, "o.json"),
    });
    expect(groupIn(loaded)?.group.rollouts[0]?.passed).toBe(false);
  });
});

describe("inputs", () => {
  test("native groups and runs may be given together; runs come last", async () => {
    const root = await folderOf({ "r/preds.jsonl": row(), "g/group.json": JSON.stringify(groupOf()) });
    const loaded = await load([join(root, "r"), join(root, "none"), join(root, "g")]);
    expect(
      loaded.map((item) => messageOf(item)?.includes("no such file") ?? groupIn(item)?.group.group_id),
    ).toEqual([true, "g1", false]);
  });

  test.each<[SourceOptions["from"], string | undefined]>([
    ["auto", undefined],
    ["swebench", undefined],
    ["rows", undefined],
    ["sweagent", "nothing of sweagent was found"],
    ["harbor", "nothing of harbor was found"],
    ["native", "neither a group (group.json, or task.md and rollouts/) nor anything of a run"],
  ])("--from %s", async (from, expected) => {
    const root = await folderOf({ "r/preds.jsonl": row(), "code/a": "" });
    const [loaded] = await load(join(root, "r"), {
      repo: join(root, "code"),
      ...(from === undefined ? {} : { from }),
    });
    if (expected === undefined) expect(groupIn(loaded)?.group.group_id).toBe("o__r-1");
    else expect(messageOf(loaded)).toContain(expected);
  });

  test("links are not followed: a run cannot name files that lie elsewhere", async () => {
    const root = await folderOf({
      "r/o__r-1/report.json": '{"patch_exists": true, "resolved": true}',
      secret: diff,
    });
    await symlink(join(root, "secret"), join(root, "r/o__r-1/patch.diff"));
    expect((await load(join(root, "r"))).map(messageOf)).toEqual([expect.stringContaining("no rollouts")]);
  });

  test("one trajectory alone is a group of one", async () => {
    const messages = JSON.stringify([{ role: "user", content: "Fix." }]);
    const session = {
      type: "user",
      uuid: "u1",
      parentUuid: null,
      message: { role: "user", content: "Fix." },
    };
    const root = await folderOf({
      "a.json": messages,
      "b.jsonl": `${JSON.stringify(session)}\n`,
      "c.json": "{}",
    });
    const loaded = await load(["a.json", "b.jsonl", "c.json"].map((name) => join(root, name)));
    expect(loaded.map((item) => groupIn(item)?.group.task ?? messageOf(item))).toEqual([
      expect.stringContaining("neither a group nor anything of a run"),
      { id: "a", statement: "Fix." },
      { id: "b", statement: "Fix." },
    ]);
  });

  test("no content of a run's files makes reading fail", async () => {
    const names = [
      "report.json",
      "patch.diff",
      "test_output.txt",
      "preds.json",
      "all_preds.jsonl",
      "x.traj",
      "x.traj.json",
      "x.pred",
      "junit.xml",
      "log.eval",
      "verifier/reward.txt",
      "verifier/ctrf.json",
      "result.json",
      "agent/trajectory.json",
    ];
    const content = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.constantFrom(
        row(),
        row({ messages: [] }),
        '{"resolved_ids": ["x"]}',
        '{"x": {"resolved": 1, "patch_exists": 2}}',
      ),
    );
    const files = fc.dictionary(fc.constantFrom(...names), content, { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const root = await mkdtemp(join(tmpdir(), "gagar-test-"));
        for (const [name, text] of Object.entries(given)) {
          await mkdir(join(root, "r", dirname(name)), { recursive: true });
          await writeFile(join(root, "r", name), text);
        }
        const codes = (await load(join(root, "r"))).map((item) =>
          "error" in item ? item.error.code : "read",
        );
        await rm(root, { recursive: true });
        expect(codes.filter((code) => code !== "bad_input")).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("what only a judge may know is not part of a row's trajectory", async () => {
    const root = await folderOf({
      "r.jsonl": row({
        messages: [{ role: "user", content: "Fix." }],
        instance: { patch: "SOLUTION" },
        resolved: true,
        test_patch: "SOLUTION",
        FAIL_TO_PASS: ["SOLUTION"],
        unknown: "",
      }),
    });
    const [loaded] = await load(join(root, "r.jsonl"));
    const group = groupIn(loaded);
    expect(JSON.stringify(group?.group.rollouts)).not.toContain("SOLUTION");
    const [rollout] = group?.group.rollouts ?? [];
    if (rollout === undefined || group === undefined) throw new Error("no rollout");
    const trajectory = await readTrajectory(rollout, group.root, () => undefined);
    expect(trajectory).toMatchObject({ format: "openai-chat", events: [{ role: "task", text: "Fix." }] });
  });

  test("the index of rows does not hold them", async () => {
    const filler = "x".repeat(20_000);
    const rows = Array.from({ length: 2000 }, (_, index) =>
      row({ instance_id: `i${index}`, note: filler + index }),
    );
    const root = await folderOf({ "r.jsonl": rows.join("") });
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const used = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    rows.length = 0;
    const before = used();
    const pieces = await indexRows(join(root, "r.jsonl"), "", () => undefined);
    expect(used() - before).toBeLessThan(8 * 2 ** 20);
    expect(pieces).toHaveLength(2000);
  });

  test("of many rows one group is held at a time", async () => {
    const filler = "x".repeat(20_000);
    const rows = Array.from({ length: 2000 }, (_, index) =>
      row({
        instance_id: `i${index % 500}`,
        traj_id: `t${index}`,
        messages: [{ role: "user", content: filler + index }],
      }),
    ).join("");
    const root = await folderOf({ "r.jsonl": rows });
    let most = 0;
    let count = 0;
    for await (const item of loadGroups(join(root, "r.jsonl"))) {
      count += groupIn(item)?.group.rollouts.length ?? 0;
      most = Math.max(most, JSON.stringify(groupIn(item)).length);
    }
    expect(count).toBe(2000);
    expect(most).toBeLessThan(6 * filler.length);
  });
});
