import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { refusePatch, unsafePath } from "../../src/workspace/patch-check.ts";
import { makePatch, makeWorkspace } from "../helpers/workspace.ts";

const base = {
  "a.txt": "one\n\ttwo  words\nthree\nfour\nfive\n",
  "b.bin": "x\0y",
  "crlf.txt": "one\r\ntwo\r\n",
};

test.each([
  ["../x", "leaves the repository"],
  ["a/../../x", "leaves the repository"],
  ["a\\..\\b", "leaves the repository"],
  ["/etc/passwd", "absolute"],
  ["C:\\x", "absolute"],
  [".git/config", "inside .git"],
  ["sub/.GIT/hooks/x", "inside .git"],
  ["", "empty or with a NUL byte"],
  ["a\0b", "empty or with a NUL byte"],
  ["a//b", "not in normal form"],
  ["..name", undefined],
  ["a/...b", undefined],
  ["-rf", undefined],
])("S01/S03: path %j is %s", (path, why) => {
  expect(unsafePath(path)).toBe(why);
});

test("a binary hunk that declares too much is refused before git sees it", () => {
  const header = "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..1111111\nGIT binary patch\n";
  expect(refusePatch(Buffer.from(`${header}literal 900000000\n`))).toMatch(/declares 900000000 bytes/);
  expect(refusePatch(Buffer.from(`${header}literal 12\n`))).toBeUndefined();
});

test("lines inside hunks are never taken for headers (S11)", () => {
  const patch = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n --- a/../../up\n-+++ b/.git/config\n+literal 1\n";
  expect(refusePatch(Buffer.from(patch))).toBeUndefined();
});

const rollouts: [string, string, Record<string, unknown>][] = [
  [
    "wrong hunk counts",
    "--- a/a.txt\n+++ b/a.txt\n@@ -1,9 +1,9 @@\n one\n-\ttwo  words\n+2\n three\n",
    { state: "present", step: "recount" },
  ],
  [
    "spaces for tabs",
    "--- a/a.txt\n+++ b/a.txt\n@@ -2,3 +2,3 @@\n  two words\n-three\n+3\n four\n",
    { step: "ignore-whitespace" },
  ],
  [
    "no line end at the end",
    "--- a/a.txt\n+++ b/a.txt\n@@ -4,2 +4,2 @@\n four\n-five\n+5",
    { step: "exact" },
  ],
  [
    "huge counts",
    "--- a/a.txt\n+++ b/a.txt\n@@ -1,99999999999 +1,99999999999 @@\n-one\n+1\n",
    { state: expect.stringMatching(/present|unparsable/) },
  ],
  [
    "prose",
    "I changed the file as you asked.\n",
    { state: "unparsable", reason: expect.stringContaining("No valid patches") },
  ],
  [
    "a gitlink",
    "diff --git a/m b/m\nnew file mode 160000\nindex 0000000..1234567\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit 1234567890123456789012345678901234567890\n",
    { state: "present", step: "exact" },
  ],
  [
    "a symlink",
    "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
    { step: "exact" },
  ],
  [
    "an absolute path",
    "--- /etc/x\n+++ /etc/x\n@@ -0,0 +1 @@\n+x\n",
    { reason: expect.stringContaining('"/etc/x": absolute') },
  ],
  [
    "CR at the end of every line, as a terminal adds it",
    "diff --git a/a.txt b/a.txt\r\n--- a/a.txt\r\n+++ b/a.txt\r\n@@ -3,3 +3,3 @@\r\n three\r\n-four\r\n+4\r\n five\r\n",
    { state: "present", step: "line-ends" },
  ],
  [
    "CR at the end of a file's own lines",
    "--- a/crlf.txt\n+++ b/crlf.txt\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\r\n",
    { state: "present", step: "exact" },
  ],
  [
    "LF for a file with CRLF",
    "--- a/crlf.txt\n+++ b/crlf.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
    { state: "present", step: "ignore-whitespace" },
  ],
  [
    "binary files without content beside others",
    "diff --git a/x[1].pyc b/x[1].pyc\nnew file mode 100644\nindex 0000000..1234567\nBinary files /dev/null and b/x[1].pyc differ\n--- a/a.txt\n+++ b/a.txt\n@@ -3,3 +3,3 @@\n three\n-four\n+4\n five\ndiff --git a/b.bin b/b.bin\nindex 1234567..7654321 100644\nBinary files a/b.bin and b/b.bin differ\n",
    { state: "present", step: "exact", left_out: ["x[1].pyc", "b.bin"] },
  ],
  [
    "a submodule moved",
    "diff --git a/m b/m\nnew file mode 160000\nindex 0000000..1234567\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit 1234567890123456789012345678901234567890-dirty\n",
    { state: "present" },
  ],
  [
    "more than 100 KB",
    `--- /dev/null\n+++ b/big.txt\n@@ -0,0 +1,20000 @@\n${"+a line of text\n".repeat(20_000)}`,
    { state: "present", step: "exact" },
  ],
  [
    "one file twice",
    "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n--- a/a.txt\n+++ b/a.txt\n@@ -5 +5 @@\n-five\n+5\n",
    { state: "present" },
  ],
];

test.each(rollouts)("a patch with %s", async (_, patch, expected) => {
  await using workspace = await makeWorkspace({
    base,
    rollouts: { r: { patch }, other: { files: { "a.txt": "x\n" } } },
  });
  expect(workspace.rollout(workspace.labelOf("r"))?.patch).toMatchObject(expected);
  expect(workspace.rollout(workspace.labelOf("other"))?.patch.tree).toBeDefined();
});

test("a change of which only binary files without content are told is no empty one", async () => {
  const patch =
    "diff --git a/n.png b/n.png\nnew file mode 100644\nindex 0000000..1234567\nBinary files /dev/null and b/n.png differ\n";
  await using workspace = await makeWorkspace({ base, rollouts: { r: { patch } } });
  const [rollout] = workspace.rollouts;
  expect(rollout?.patch).toEqual({
    state: "present",
    reason: "the patch does not hold the content of n.png (binary)",
    bytes: patch.length,
  });
});

test("CR of a terminal and a file's own are told apart: the same change, the same tree", async () => {
  const lf = makePatch(base, { "a.txt": base["a.txt"].replace("four", "4") });
  const crlf = makePatch(base, { "crlf.txt": "one\r\n2\r\n" });
  const patches = [lf, lf.replaceAll("\n", "\r\n"), crlf, crlf.replaceAll("\n", "\r\n")];
  await using workspace = await makeWorkspace({
    base,
    rollouts: Object.fromEntries(patches.map((patch, index) => [`r${index}`, { patch }])),
  });
  const trees = patches.map((_, index) => workspace.rollout(workspace.labelOf(`r${index}`))?.patch.tree);
  expect(trees).toEqual([trees[0], trees[0], trees[2], trees[2]]);
  expect(trees[0]).not.toBe(trees[2]);
});

test("renames, modes, binaries, odd names and type changes are told apart (S07, S09)", async () => {
  const patch = [
    "diff --git a/a.txt b/moved.txt\nsimilarity index 100%\nrename from a.txt\nrename to moved.txt\n",
    "diff --git a/crlf.txt b/crlf.txt\nold mode 100644\nnew mode 100755\n",
    'diff --git "a/line\\nend -x" "b/line\\nend -x"\nnew file mode 100644\n--- /dev/null\n+++ "b/line\\nend -x"\n@@ -0,0 +1 @@\n+hi\n',
    "diff --git a/.gitattributes b/.gitattributes\nnew file mode 100644\n--- /dev/null\n+++ b/.gitattributes\n@@ -0,0 +1 @@\n+* -diff binary\n",
    "diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n",
    makePatch(base, { "b.bin": "x\0z" }),
  ].join("");
  await using workspace = await makeWorkspace({ base, rollouts: { r: { patch } } });
  const files = workspace.rollouts[0]?.files ?? [];
  expect(
    files.map((file) => [file.id, file.path, file.status, file.binary, file.added, file.removed]),
  ).toEqual([
    ["f1", ".gitattributes", "added", false, 1, 0],
    ["f2", "b.bin", "modified", true, 0, 0],
    ["f3", "crlf.txt", "modified", false, 0, 0],
    ["f4", "empty", "added", false, 0, 0],
    ["f5", "line\nend -x", "added", false, 1, 0],
    ["f6", "moved.txt", "renamed", false, 0, 0],
  ]);
  expect(files[5]?.old_path).toBe("a.txt");
  expect(files[2]?.new_mode).toBe("100755");
  const tree = workspace.rollouts[0]?.patch.tree ?? "";
  const found = await workspace.store.grep(tree, { pattern: "hi", limit: 5 });
  expect(found.matches).toEqual([{ path: "line\nend -x", line: 1, text: "hi" }]);
});

test("a change that is too large to show costs its rollout the judgement, and nobody else", async () => {
  // A binary patch of some hundred bytes deletes 70 MB of text, which a diff would have to print.
  const huge = `${"x".repeat(999_999)}\n`.repeat(35);
  const id = createHash("sha1").update(`blob ${huge.length}\0${huge}`).digest("hex");
  const patch = ["h1.txt", "h2.txt"].map((name) =>
    [
      `diff --git a/${name} b/${name}`,
      "deleted file mode 100644",
      `index ${id}..${"0".repeat(40)}`,
      "GIT binary patch",
      "literal 0",
      "HcmV?d00001",
      "",
      "literal 5",
      "McmYe#&r4+h00r0qssI20",
      "",
      "",
    ].join("\n"),
  );
  await using workspace = await makeWorkspace({
    base: { ...base, "h1.txt": huge, "h2.txt": huge },
    rollouts: { r: { patch: patch.join("") }, other: { patch: makePatch(base, { "a.txt": "x\n" }) } },
  });
  expect(workspace.rollout(workspace.labelOf("r"))?.patch).toMatchObject({
    state: "present",
    reason: expect.stringMatching(/printed more than/),
  });
  expect(workspace.rollout(workspace.labelOf("other"))?.patch.tree).toBeDefined();
});

test("line numbers count LF alone, in diffs as in files (S10)", async () => {
  const text = "a\rb\nc\u2028d\ne\u0085f\ng\fh\nlast\n";
  await using workspace = await makeWorkspace({
    base: { "odd.txt": text },
    rollouts: { r: { files: { "odd.txt": text.replace("last", "LAST") } } },
  });
  const lines = workspace.rollouts[0]?.files[0]?.hunks[0]?.lines ?? [];
  expect(lines.map((line) => [line.kind, line.new ?? line.old])).toEqual([
    ["context", 2],
    ["context", 3],
    ["context", 4],
    ["removed", 5],
    ["added", 5],
  ]);
});

test("a search in minified files costs what their size costs, and stops at its limit", async () => {
  const line = `${"x=1;".repeat(500_000)}needle;\n`;
  await using workspace = await makeWorkspace({
    base: { "min.js": line.repeat(8), "a.txt": "needle\n".repeat(50) },
    rollouts: { r: { files: {} } },
  });
  const { matches, more } = await workspace.store.grep(workspace.base, { pattern: "needle", limit: 53 });
  expect([matches.length, more]).toEqual([53, true]);
  expect(matches.at(-1)).toMatchObject({ path: "min.js", line: 3 });
  expect(matches.at(-1)?.text).toHaveLength(2000);
}, 10_000);

test("law: applying the diff of two file sets gives the second one, and its diff names each line right", async () => {
  const word = fc.constantFrom(
    "a",
    "b",
    "  c",
    "\td",
    "e f",
    "",
    "+x",
    "-y",
    "@@ -1 +1 @@",
    "\\ No newline",
    "diff --git a/x b/x",
  );
  const content = fc.array(word, { maxLength: 12 }).map((lines) => lines.map((line) => `${line}\n`).join(""));
  await fc.assert(
    fc.asyncProperty(content, content, async (before, after) => {
      await using workspace = await makeWorkspace({
        base: { "f.txt": before, keep: "1\n" },
        rollouts: { r: { files: { "f.txt": after } } },
      });
      const rollout = workspace.rollouts[0];
      const tree = rollout?.patch.tree ?? "";
      expect(await workspace.store.readText(tree, "f.txt")).toBe(after);
      for (const line of rollout?.files.flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines)) ?? []) {
        if (line.new !== undefined) expect(after.split("\n")[line.new - 1]).toBe(line.text);
        if (line.old !== undefined) expect(before.split("\n")[line.old - 1]).toBe(line.text);
      }
    }),
    { numRuns: 25 },
  );
});
