import { expect, test } from "vitest";
import { makeWorkspace } from "../helpers/workspace.ts";

const base = { "src/a.py": "def f(x):\n    return x\n", "README.md": "# a\n", "old.txt": "gone soon\n" };

test("rollouts become trees, differences and states, under blind labels", async () => {
  await using workspace = await makeWorkspace({
    base,
    rollouts: {
      clean: { files: { "src/a.py": "def f(x):\n    return x + 1\n" } },
      same: { files: { "src/a.py": "def f(x):\n    return x + 1\n" } },
      removal: { files: { "old.txt": null, "new dir/ü.txt": "x\n" } },
      none: { patch: null },
      nothing: { files: {} },
      garbage: { patch: "this is not a patch\n" },
      elsewhere: { patch: "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,1 +1,1 @@\n-def g():\n+def h():\n" },
      escape: { patch: "--- a/../x\n+++ b/../x\n@@ -0,0 +1 @@\n+boo\n" },
    },
  });
  const of = (id: string) => workspace.rollout(workspace.labelOf(id));
  expect(workspace.rollouts.map((rollout) => rollout.label).join("")).toBe("ABCDEFGH");
  expect(of("clean")?.patch.tree).toBe(of("same")?.patch.tree);
  expect(of("clean")?.files[0]?.hunks[0]?.lines.filter((line) => line.kind !== "context")).toEqual([
    { kind: "removed", text: "    return x", old: 2 },
    { kind: "added", text: "    return x + 1", new: 2 },
  ]);
  expect(of("removal")?.files.map((file) => [file.path, file.status])).toEqual([
    ["new dir/ü.txt", "added"],
    ["old.txt", "deleted"],
  ]);
  expect(of("none")?.patch).toEqual({ state: "null", bytes: 0 });
  expect(of("nothing")?.patch.tree).toBe(workspace.base);
  expect(of("garbage")?.patch.state).toBe("unparsable");
  expect(of("elsewhere")?.patch).toMatchObject({
    state: "present",
    reason: expect.stringContaining("src/a.py"),
  });
  expect(of("escape")?.patch.reason).toBe('unsafe path "../x": leaves the repository');
  expect(workspace.idOf(workspace.labelOf("clean"))).toBe("clean");
});
