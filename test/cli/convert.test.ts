import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { convert, type Target } from "../../src/cli/convert.ts";
import {
  loadGroups,
  readPatch,
  readTestOutput,
  readTrajectory,
  type SourceOptions,
} from "../../src/sources/index.ts";
import { folderOf, groupOf } from "../sources/folder.ts";

const diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\r\n+y\n";
const messages = [
  { role: "user", content: "Fix it." },
  {
    role: "assistant",
    content: "Look.",
    tool_calls: [{ id: "c1", function: { name: "bash", arguments: '{"command":"ls"}' } }],
  },
  { role: "tool", tool_call_id: "c1", content: "a\n" },
];
const group = groupOf({
  tests: { command: "npm test", patch_path: "t.patch" },
  rollouts: [
    { id: "a/b", passed: true, reward: 1, patch_path: "p.diff", trajectory: messages, test_output: "ok\n" },
    { id: "r02", passed: null, patch: null },
    { id: "r03", passed: false, patch: "" },
    { id: "r04", passed: false, trajectory: "prose" },
  ],
});
const files = {
  "in/group.json": JSON.stringify(group),
  "in/p.diff": diff,
  "in/t.patch": diff,
  "in/repo/a": "x\r\n",
};

async function run(input: string, to: Target, out?: string, options: SourceOptions = {}) {
  const shown = { status: 0, out: "", err: "" };
  shown.status = await convert(
    [input],
    options,
    { to, ...(out === undefined ? {} : { out }) },
    {
      out: (text) => void (shown.out += text),
      err: (text) => void (shown.err += text),
    },
  );
  return shown;
}

/** All that a grader reads of the groups of an input. */
async function contentOf(input: string): Promise<unknown[]> {
  const groups: unknown[] = [];
  for await (const loaded of loadGroups(input)) {
    if ("error" in loaded) throw loaded.error;
    const { root } = loaded;
    const { rollouts, repo: _, ...rest } = loaded.group;
    const quiet = (): void => undefined;
    const read = rollouts.map(async (rollout) => [
      rollout.id,
      rollout.passed,
      rollout.reward,
      await readPatch(rollout, root, quiet),
      (await readTrajectory(rollout, root, quiet))?.events,
      await readTestOutput(rollout, root, quiet),
    ]);
    groups.push({ id: rest.group_id, task: rest.task, rollouts: await Promise.all(read) });
  }
  return groups;
}

describe("gagar convert", () => {
  test("--to group --out writes a folder that stands on its own and reads the same", async () => {
    const root = await folderOf(files);
    const { status, out, err } = await run(join(root, "in"), "group", join(root, "out"));
    expect([status, out]).toEqual([0, ""]);
    expect(err).toContain("[trajectory_unknown]");
    const written = join(root, "out/g1");
    expect(await contentOf(written)).toEqual(await contentOf(join(root, "in")));
    expect(await readFile(join(written, "repo/a"), "utf8")).toBe("x\r\n");
    expect(await readFile(join(written, "tests.patch"), "utf8")).toBe(diff);
    expect(await readFile(join(written, "rollouts/a_b-1/patch.diff"), "utf8")).toBe(diff);
  });

  test("--to group on standard output is one group a line with everything in it", async () => {
    const root = await folderOf(files);
    const { out } = await run(join(root, "in"), "group");
    const again = await folderOf({ "g.jsonl": out, "t.patch": diff });
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    expect(await contentOf(join(again, "g.jsonl"))).toEqual(await contentOf(join(root, "in")));
  });

  test("--to atif writes one document a rollout that has a trajectory", async () => {
    const root = await folderOf(files);
    const { status, out } = await run(join(root, "in"), "atif");
    const documents = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect([
      status,
      documents.map((document) => [document["schema_version"], document["session_id"]]),
    ]).toEqual([
      0,
      [
        ["ATIF-v1.7", "g1/a/b"],
        ["ATIF-v1.7", "g1/r04"],
      ],
    ]);
    await run(join(root, "in"), "atif", join(root, "out"));
    const file = await readFile(join(root, "out/g1/r04.json"), "utf8");
    expect(JSON.parse(file)).toEqual(documents[1]);
  });

  test("a run without a repository gives trajectories, and no group", async () => {
    const row = { instance_id: "o__r-1", model_patch: diff, messages };
    const root = await folderOf({ "r.jsonl": `${JSON.stringify(row)}\n`, "code/a": "x\n" });
    expect((await run(join(root, "r.jsonl"), "atif")).status).toBe(0);
    const { status, err } = await run(join(root, "r.jsonl"), "group");
    expect([status, err]).toEqual([2, expect.stringContaining("give --repo or --repo-map")]);
    const out = join(root, "out");
    expect((await run(join(root, "r.jsonl"), "group", out, { repo: join(root, "code") })).status).toBe(0);
    expect(await readFile(join(out, "o__r-1/repo/a"), "utf8")).toBe("x\n");
  });
});
