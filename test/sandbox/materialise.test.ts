import * as fc from "fast-check";
import { expect, test } from "vitest";
import { filesOf, sideBySide, withTests, workFrom } from "../../src/sandbox/materialise.ts";
import type { FileEntry, FileSource } from "../../src/sandbox/types.ts";
import type { ObjectStore, TreeEntry } from "../../src/workspace/types.ts";
import { makeWorkspace, type Files } from "../helpers/workspace.ts";

async function collect(source: FileSource): Promise<FileEntry[]> {
  const found: FileEntry[] = [];
  for await (const entry of source()) found.push(entry);
  return found;
}

/** Path and content, as a box would have them. */
async function filesIn(source: FileSource): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await collect(source))
    found[entry.path] =
      entry.kind === "file"
        ? Buffer.from(entry.content).toString()
        : entry.kind === "hardlink"
          ? (found[entry.target] ?? "dangling")
          : `-> ${Buffer.from(entry.target).toString()}`;
  return found;
}

const treeOf = async (workspace: Awaited<ReturnType<typeof makeWorkspace>>, id: string) =>
  workspace.rollout(workspace.labelOf(id))?.patch.tree ?? "";

test("a tree's bytes come as they are: attributes do nothing, links stay links, submodules are left out", async () => {
  const base: Files = {
    ".gitattributes": "* text eol=crlf ident export-ignore export-subst\n",
    "a.txt": "$Id$ $Format:%H$\r\nlf\n",
    "run.sh": "#!/bin/sh\n",
  };
  const link =
    "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n";
  const mode = "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n";
  const sub = `diff --git a/sub b/sub\nnew file mode 160000\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit ${"1".repeat(40)}\n`;
  await using workspace = await makeWorkspace({ base, rollouts: { r: { patch: link + mode + sub } } });
  const entries = await workspace.store.list(await treeOf(workspace, "r"));
  expect(entries.map(({ path }) => path)).toContain("sub");
  const source = filesOf(workspace.store, entries);
  expect(await filesIn(source)).toEqual({ ...base, l: "-> /etc/passwd" });
  expect((await collect(source)).find(({ path }) => path === "run.sh")).toMatchObject({ executable: true });
});

test("a file that is too large is an error with its place", async () => {
  const store = { readBlob: async () => undefined } as unknown as ObjectStore;
  const entry = { path: "big.bin", mode: "100644", oid: "1".repeat(40), size: 9e9 };
  await expect(collect(filesOf(store, [entry]))).rejects.toThrow("big.bin: has 9000000000 bytes");
});

test("the visible tests replace what a rollout did to them, whatever that was", async () => {
  await using workspace = await makeWorkspace({
    base: { "t/a": "old", "t/gone": "old", "t/same": "same", src: "src", "t/deep/x": "x" },
    tests: { "t/a": "test", "t/gone": null, "t/new/b": "test", "t/deep/x": "test" },
    rollouts: {
      weakens: { files: { "t/a": "weak", "t/same": "weak", src: "fix" } },
      deletes: { files: { "t/a": null, "t/gone": "kept", "t/more": "own" } },
      blocks: {
        files: { "t/new": "a file in the way", "t/deep/x": null, "t/deep/x/y": "a folder in the way" },
      },
      nothing: { patch: "" },
    },
  });
  const trees = { base: workspace.base, testsTree: workspace.testsTree };
  const tests = { "t/a": "test", "t/new/b": "test", "t/deep/x": "test" };
  const expected: Record<string, Files> = {
    weakens: { "t/same": "same", src: "fix" },
    deletes: { "t/same": "same", src: "src", "t/more": "own" },
    blocks: { "t/same": "same", src: "src" },
    nothing: { "t/same": "same", src: "src" },
  };
  // What a test file is without the visible tests' saying so is the caller's word.
  const isTest = (path: string) => path === "t/same";
  const changed: Record<string, string[]> = {
    weakens: ["t/a", "t/same"],
    deletes: ["t/a"],
    blocks: ["t/deep/x"],
  };
  for (const [id, files] of Object.entries(expected)) {
    const rollout = await treeOf(workspace, id);
    const { entries, restored } = await withTests(workspace.store, { ...trees, rollout }, isTest);
    expect({ id, restored: restored.sort() }).toEqual({ id, restored: changed[id] ?? [] });
    expect({ id, ...(await filesIn(filesOf(workspace.store, entries))) }).toEqual({ id, ...files, ...tests });
  }
});

test("trees side by side share what is equal", async () => {
  await using workspace = await makeWorkspace({
    base: { same: "1", other: "2", twin: "1" },
    rollouts: { r: { files: { other: "3", more: "3" } } },
  });
  const trees = [
    { name: "base", entries: await workspace.store.list(workspace.base) },
    { name: "A", entries: await workspace.store.list(await treeOf(workspace, "r")) },
  ];
  const source = sideBySide(workspace.store, trees);
  expect(await filesIn(source)).toEqual({
    "base/same": "1",
    "base/other": "2",
    "base/twin": "1",
    "A/same": "1",
    "A/twin": "1",
    "A/other": "3",
    "A/more": "3",
  });
  const links = (await collect(source)).filter(({ kind }) => kind === "hardlink").map(({ path }) => path);
  expect(links.sort()).toEqual(["A/same", "A/twin"]);
});

/** Laying in memory: a copy of the base, paths removed with all below them, files written over it. */
function lay(base: readonly TreeEntry[], remove: readonly string[], files: readonly TreeEntry[]) {
  const left = base.filter(
    ({ path }) => !remove.some((gone) => path === gone || path.startsWith(`${gone}/`)),
  );
  const over = new Map(left.map((entry) => [entry.path, entry.oid]));
  for (const { path, oid } of files) over.set(path, oid);
  return Object.fromEntries(over);
}

test("the work made from the base is the rollout's tree, and sends what differs and no more", async () => {
  const name = fc.constantFrom("a", "b", "c");
  const pathOf = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  // A path that is a file cannot be a folder, too.
  const tree = fc.dictionary(pathOf, fc.constantFrom("1", "2")).map((files) =>
    Object.entries(files)
      .filter(([path]) => !Object.keys(files).some((other) => other.startsWith(`${path}/`)))
      .map(([path, oid]): TreeEntry => ({ path, oid, mode: "100644", size: 1 })),
  );
  const store = { readBlob: async (oid: string) => Buffer.from(oid) } as unknown as ObjectStore;
  await fc.assert(
    fc.asyncProperty(tree, tree, async (base, next) => {
      const { remove, files, from } = workFrom(store, "base", base, next);
      const sent = await collect(files);
      const before = new Map(base.map(({ path, oid }) => [path, oid]));
      const changed = next.filter(({ path, oid }) => before.get(path) !== oid);
      expect(from).toBe("base");
      expect(sent.map(({ path }) => path)).toEqual(changed.map(({ path }) => path));
      expect(lay(base, remove, changed)).toEqual(lay([], [], next));
      const folders = new Set(
        next.flatMap(({ path }) =>
          path
            .split("/")
            .slice(0, -1)
            .map((_, at, all) => all.slice(0, at + 1).join("/")),
        ),
      );
      // A folder that the rollout has is never taken away whole.
      expect(remove.filter((path) => folders.has(path) && !before.has(path))).toEqual([]);
    }),
  );
});
