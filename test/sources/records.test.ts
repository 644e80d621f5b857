import { spawnSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatPlace, type Warning } from "../../src/errors.ts";
import type { Rollout } from "../../src/schema/group.ts";
import { readPatch, readTestOutput, readTrajectory } from "../../src/sources/index.ts";
import { folderOf } from "./folder.ts";

const diff = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n";

function collector(): { warn: (warning: Warning) => void; said: string[] } {
  const said: string[] = [];
  return { said, warn: ({ code, where }) => void said.push(`${code} ${formatPlace(where)}`) };
}

const rolloutOf = (more: Partial<Rollout>): Rollout => ({ id: "r1", passed: true, ...more });

describe("readPatch", () => {
  test.each<[string, string, string, string]>([
    ["as it is", diff, "present", diff],
    ["without blank lines in front", `\n\r\n  \n${diff}`, "present", diff],
    ["with white space in front of the first header kept", `  ${diff}`, "present", `  ${diff}`],
    ["CRLF kept", diff.replaceAll("\n", "\r\n"), "present", diff.replaceAll("\n", "\r\n")],
    ["SWE-agent's blank CRLF line", `\r\n${diff}`, "present", diff],
    ["nothing", "", "empty", ""],
    ["white space only", " \n\t\r\n", "empty", ""],
    ["text that is no patch", "FLAG{x}", "unparsable", "FLAG{x}"],
    ["headers without git's", diff.replace(/^diff .*\n/, ""), "present", diff.replace(/^diff .*\n/, "")],
    ["a header of git's alone", "diff --git a/x b/x\n", "present", "diff --git a/x b/x\n"],
  ])("inline, %s", async (_, given, state, text) => {
    const { warn, said } = collector();
    const patch = await readPatch(rolloutOf({ patch: given }), ".", warn);
    expect(patch).toEqual({ state, text, bytes: Buffer.from(text) });
    expect(said).toEqual([]);
  });

  test("null and absent are two states", async () => {
    const { warn, said } = collector();
    expect((await readPatch(rolloutOf({ patch: null }), ".", warn)).state).toBe("null");
    expect((await readPatch(rolloutOf({}), ".", warn)).state).toBe("absent");
    expect(said).toEqual([]);
  });

  test("bytes that are not UTF-8 stay as they are", async () => {
    const bytes = Buffer.from(`\n${diff}+caf\xe9\n`, "latin1");
    const root = await folderOf({ "p.diff": bytes });
    const { warn, said } = collector();
    const patch = await readPatch(rolloutOf({ patch_path: "p.diff" }), root, warn);
    expect(patch.bytes).toEqual(bytes.subarray(1));
    expect(patch.text).toContain("+caf\ufffd");
    expect(said).toEqual(["patch_not_utf8 rollout r1: patch_path"]);
  });

  test("bytes that were lost before are told: such a patch may not apply", async () => {
    const { warn, said } = collector();
    const { state } = await readPatch(rolloutOf({ patch: `${diff}+caf\ufffd\n` }), ".", warn);
    expect([state, said]).toEqual(["present", ["patch_lossy rollout r1: patch"]]);
  });

  test("a file that is missing is told, and the trajectory's submission is taken", async () => {
    const root = await folderOf({
      "t.json": JSON.stringify({
        history: [{ role: "user", agent: "a" }],
        info: { submission: `\n${diff}` },
      }),
    });
    const { warn, said } = collector();
    const rollout = rolloutOf({ patch_path: "none.diff", trajectory_path: "t.json" });
    expect(await readPatch(rollout, root, warn)).toEqual({
      state: "present",
      text: diff,
      bytes: Buffer.from(diff),
    });
    expect(said).toEqual([
      "file_missing none.diff: rollout r1: patch_path",
      "patch_from_trajectory rollout r1",
    ]);
  });

  test.each([
    [{ patch: "" }, "empty"],
    [{ patch: null }, "null"],
    [{ patch: diff }, "present"],
  ])("a given patch is taken before a submission: %j", async (given, state) => {
    const trajectory = { history: [{ role: "user", agent: "a" }], info: { submission: "other" } };
    const { warn, said } = collector();
    expect((await readPatch(rolloutOf({ ...given, trajectory }), ".", warn)).state).toBe(state);
    expect(said).toEqual([]);
  });

  test.each([
    ["", "empty"],
    [null, "absent"],
  ])("a submission of %j is %s", async (submission, state) => {
    const trajectory = { history: [{ role: "user", agent: "a" }], info: { submission } };
    expect((await readPatch(rolloutOf({ trajectory }), ".", () => undefined)).state).toBe(state);
  });

  test("a path that leaves the folder is refused, not passed over", async () => {
    const root = await folderOf({ "w/x": "", secret: diff });
    const reading = readPatch(rolloutOf({ patch_path: "../secret" }), join(root, "w"), () => undefined);
    await expect(reading).rejects.toMatchObject({
      code: "bad_input",
      where: { rollout: "r1", field: "patch_path" },
    });
  });
});

describe("readTrajectory and readTestOutput", () => {
  test("inline, by path, and not given", async () => {
    const messages = [
      { role: "user", content: "Fix it." },
      { role: "assistant", content: "Done." },
    ];
    const root = await folderOf({ "t.bin": `\ufeff${JSON.stringify(messages)}`, "o.txt": "1 passed\r\n" });
    const { warn, said } = collector();
    const inline = await readTrajectory(rolloutOf({ trajectory: messages }), root, warn);
    expect(inline?.format).toBe("openai-chat");
    expect(await readTrajectory(rolloutOf({ trajectory: JSON.stringify(messages) }), root, warn)).toEqual(
      inline,
    );
    expect(await readTrajectory(rolloutOf({ trajectory_path: "t.bin" }), root, warn)).toEqual(inline);
    expect(await readTrajectory(rolloutOf({ trajectory: null }), root, warn)).toBeUndefined();
    expect(await readTrajectory(rolloutOf({}), root, warn)).toBeUndefined();
    expect(await readTestOutput(rolloutOf({ test_output_path: "o.txt" }), root, warn)).toBe("1 passed\r\n");
    expect(await readTestOutput(rolloutOf({ test_output: "a\ud800" }), root, warn)).toBe("a\ufffd");
    expect(await readTestOutput(rolloutOf({}), root, warn)).toBeUndefined();
    expect(said).toEqual([]);
  });

  test("what is missing, a folder, a pipe or not UTF-8 is told with its place", async () => {
    const root = await folderOf({ "folder/x": "", "latin.txt": Buffer.from("caf\xe9", "latin1") });
    expect(spawnSync("mkfifo", [join(root, "pipe")]).status).toBe(0);
    await symlink("latin.txt", join(root, "link.txt"));
    const { warn, said } = collector();
    const outputs: (string | undefined)[] = [];
    for (const test_output_path of ["none.txt", "folder", "pipe", "latin.txt", "link.txt"])
      outputs.push(await readTestOutput(rolloutOf({ test_output_path }), root, warn));
    expect(outputs).toEqual([undefined, undefined, undefined, "caf\ufffd", "caf\ufffd"]);
    expect(said).toEqual([
      "file_missing none.txt: rollout r1: test_output_path",
      "not_a_file folder: rollout r1: test_output_path",
      "not_a_file pipe: rollout r1: test_output_path",
      "text_not_utf8 latin.txt: rollout r1",
      "text_not_utf8 link.txt: rollout r1",
    ]);
  });

  test("notes of a reader carry file, rollout and line", async () => {
    const lines = [
      '{"role":"user","content":"Fix it."}',
      '{"role":"assistant","content":"Do',
      '{"role":"assistant","content":"Done."}',
    ];
    const root = await folderOf({ "t.jsonl": lines.join("\n") });
    const { warn, said } = collector();
    await readTrajectory(rolloutOf({ trajectory_path: "t.jsonl" }), root, warn);
    expect(said).toEqual(["record_damaged t.jsonl:2: rollout r1"]);
  });
});
