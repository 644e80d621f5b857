import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalText } from "../../src/workspace/failed-hunks.ts";
import { makeWorkspace } from "../helpers/workspace.ts";

const text = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");
const base = { "a.txt": text(1, 60), "b.txt": text(1, 9), "old.txt": "x\n" };

const hunk = (line: number, content = `line ${line}`): string =>
  `@@ -${line - 1},3 +${line - 1},3 @@\n line ${line - 1}\n-${content}\n+changed\n line ${line + 1}\n`;
const file = (name: string, ...hunks: string[]): string => `--- a/${name}\n+++ b/${name}\n${hunks.join("")}`;

describe("a patch against another base", () => {
  test.each<[string, string, string]>([
    [
      "the hunk that fails is named by its place",
      file("a.txt", hunk(3), hunk(20, "not there"), hunk(40)),
      "a.txt: hunk 2 of 3 (@@ -19,3 +19,3 @@) does not apply",
    ],
    [
      "one of every file",
      file("a.txt", hunk(3), hunk(20, "not there")) + file("b.txt", hunk(3, "nor this")),
      "a.txt: hunk 2 of 2 (@@ -19,3 +19,3 @@) does not apply; b.txt: hunk 1 of 1 (@@ -2,3 +2,3 @@) does not apply",
    ],
    [
      "a line of the change that looks like a header counts as nothing",
      file(
        "a.txt",
        "@@ -2,3 +2,4 @@\n line 2\n-line 3\n+-- a/b.txt\n+++ b/b.txt\n line 4\n",
        hunk(20, "not there"),
      ),
      "a.txt: hunk 2 of 2 (@@ -19,3 +19,3 @@) does not apply",
    ],
    ["a file that is not there", file("none.txt", hunk(2)), "none.txt: is not in the base"],
    [
      "a new file that is there",
      "diff --git a/b.txt b/b.txt\nnew file mode 100644\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+x\n",
      "b.txt: is in the base already",
    ],
  ])("%s", async (_, patch, reason) => {
    await using workspace = await makeWorkspace({
      base,
      rollouts: { r: { patch }, other: { files: { "b.txt": "x\n" } } },
    });
    const { patch: outcome } = workspace.rollout(workspace.labelOf("r")) ?? {};
    expect(outcome).toMatchObject({ state: "present", reason });
    // It stays in the group as context.
    expect(workspace.rollouts).toHaveLength(2);
    expect(workspace.rollout(workspace.labelOf("other"))?.patch.tree).toBeDefined();
  });
});

test("whatever git says of whatever patch is told in one line", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary" }),
      fc.nat(99),
      (said, patch, line) => {
        const reason = refusalText(`${said}\nerror: patch failed: ${said}:${line}\n`, Buffer.from(patch));
        expect(reason).not.toContain("\n");
        expect(reason).not.toBe("");
      },
    ),
  );
});
