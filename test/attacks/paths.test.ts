import { expect, test } from "vitest";
import { makeTools } from "../helpers/tools.ts";

const LINK = `diff --git a/docs/x b/docs/x\nnew file mode 120000\nindex 0000000..3594e94\n--- /dev/null\n+++ b/docs/x\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n`;

test("S02 a link out of the tree is shown as its target's name, by every tool that reads", async () => {
  await using made = await makeTools({
    base: { "a.py": "x = 1\n" },
    rollouts: { evil: { patch: LINK }, good: { files: { "a.py": "x = 2\n" } } },
  });
  const tree = made.workspace.labelOf("evil");
  const file = await made.tools.call("read_file", { tree, path: "docs/x" });
  expect(file.text).toMatch(/symlink; its target is:\n.*\/etc\/passwd$/);
  const behind = await made.tools.call("read_file", { tree, path: "docs/x/shadow" });
  expect(behind).toMatchObject({ error: true, text: expect.stringContaining("there is no file") });
  const patch = await made.tools.call("read_patch", { rollout: tree });
  const found = await made.tools.call("search_code", { tree, pattern: "root:" });
  for (const { text } of [file, patch, found]) expect(text).not.toContain("root:x");
});

test.each([
  "../B/a.py",
  "/etc/passwd",
  "a/../../B/a.py",
  "..%2fB%2fa.py",
  "%2e%2e/a.py",
  "a.py\0.txt",
  "./a.py",
  ".git/config",
  "-rf",
  "--help",
  ":(glob)**",
  "HEAD:a.py",
])("S03, S09 path %j names no file, and does no more", async (path) => {
  await using made = await makeTools({
    base: { "a.py": "x = 1\n", "..name": "fine\n" },
    rollouts: { one: { files: { "a.py": "x = 2\n" } } },
  });
  const tree = made.workspace.labelOf("one");
  expect(await made.tools.call("read_file", { tree, path })).toMatchObject({ error: true });
  expect(await made.tools.call("read_file", { tree: `../${tree}`, path: "a.py" })).toMatchObject({
    error: true,
  });
  // A name that only looks like a way up is a name.
  expect((await made.tools.call("read_file", { tree, path: "..name" })).text).toContain("fine");
});
