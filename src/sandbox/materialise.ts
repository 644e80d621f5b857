import { GraderError } from "../errors.ts";
import type { ObjectStore, Oid, TreeEntry } from "../workspace/types.ts";
import type { FileEntry, FileSource, Work } from "./types.ts";

/** Larger files are refused: no folder of a box would hold them. */
const MAX_FILE = 512 * 1024 * 1024;

/** How much is read ahead of what is sent, in bytes: reading waits for git and sending for the box. */
const READ_AHEAD = 8 * 1024 * 1024;

/**
 * The files of a list of tree entries, read from the object store. Symlinks stay links, with the bytes that the tree
 * has; submodules are left out, since the store has no content of theirs.
 */
export function filesOf(store: ObjectStore, entries: readonly TreeEntry[]): FileSource {
  return () => readAhead(store, entries);
}

/**
 * Several trees side by side, each in a folder of its name. Files that are equal are one file with many names, so that
 * sixteen trees of a group take little more room than one.
 */
export function sideBySide(
  store: ObjectStore,
  trees: readonly { name: string; entries: readonly TreeEntry[] }[],
): FileSource {
  return async function* () {
    const known = new Map<string, string>();
    for (const { name, entries } of trees) {
      const fresh: TreeEntry[] = [];
      for (const entry of entries) {
        const path = `${name}/${entry.path}`;
        const key = `${entry.mode} ${entry.oid}`;
        const target = known.get(key);
        if (target !== undefined) yield { path, kind: "hardlink", target };
        else fresh.push({ ...entry, path });
      }
      yield* readAhead(store, fresh);
      for (const entry of fresh)
        if (isFile(entry) && !known.has(`${entry.mode} ${entry.oid}`))
          known.set(`${entry.mode} ${entry.oid}`, entry.path);
    }
  };
}

/** What makes a copy of `base` into `next`: the smallest work to lay when the base is in the box already. */
export function workFrom(
  store: ObjectStore,
  from: string,
  base: readonly TreeEntry[],
  next: readonly TreeEntry[],
): Required<Work> {
  const before = new Map(base.map((entry) => [entry.path, entry]));
  const after = new Set(next.map((entry) => entry.path));
  const changed = next.filter((entry) => !same(entry, before.get(entry.path)));
  const gone = base.filter((entry) => !after.has(entry.path));
  const folders = new Set(gone.length === 0 ? [] : next.flatMap((entry) => parents(entry.path)));
  const removed = gone
    // A folder of which nothing is left goes as a whole: git knows no empty folders.
    .map((entry) => parents(entry.path).find((folder) => !folders.has(folder)) ?? entry.path);
  return { from, remove: [...new Set(removed)], files: filesOf(store, changed) };
}

/**
 * A rollout's tree as its tests are run on it: the files of the visible tests (those in which `testsTree` differs from
 * `base`, and those that `isTest` takes for tests) replace whatever the rollout did to them, and those that the tests
 * delete are gone. What the rollout adds stays. `restored` names what the rollout had changed.
 */
export async function withTests(
  store: ObjectStore,
  trees: { base: Oid; testsTree: Oid; rollout: Oid },
  isTest: (path: string) => boolean,
): Promise<{ entries: TreeEntry[]; restored: string[] }> {
  const rollout = await store.list(trees.rollout);
  const base = new Map((await store.list(trees.base)).map((entry) => [entry.path, entry]));
  const tests = new Map((await store.list(trees.testsTree)).map((entry) => [entry.path, entry]));
  const put = [...tests.values()].filter((entry) => !same(entry, base.get(entry.path)) || isTest(entry.path));
  const gone = [...base.keys()].filter((path) => !tests.has(path));
  const replaced = new Set([...put.map((entry) => entry.path), ...gone]);
  // Where the tests need a folder, a file of the rollout cannot stay, and the other way round.
  const folders = new Set(put.flatMap((entry) => parents(entry.path)));
  const files = new Set(put.map((entry) => entry.path));
  const kept = rollout.filter(
    ({ path }) =>
      !replaced.has(path) && !folders.has(path) && !parents(path).some((folder) => files.has(folder)),
  );
  const submitted = new Map(rollout.map((entry) => [entry.path, entry]));
  const restored = put.filter((entry) => {
    const [before, own] = [base.get(entry.path), submitted.get(entry.path)];
    return before !== undefined && !same(before, own) && !same(entry, own);
  });
  return { entries: [...kept, ...put], restored: restored.map(({ path }) => path) };
}

/** All folders above a path, the topmost first. */
function parents(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join("/"));
}

const isFile = (entry: TreeEntry) => entry.mode === "100644" || entry.mode === "100755";

const same = (a: TreeEntry, b: TreeEntry | undefined) => a.oid === b?.oid && a.mode === b.mode;

async function* readAhead(store: ObjectStore, entries: readonly TreeEntry[]): AsyncGenerator<FileEntry> {
  const waiting: { entry: TreeEntry; content: Promise<Buffer | undefined> }[] = [];
  let bytes = 0;
  const full = () => bytes > READ_AHEAD;
  const take = async (): Promise<FileEntry[]> => {
    const first = waiting.shift();
    if (first === undefined) return [];
    bytes -= first.entry.size;
    return [fileEntry(first.entry, await first.content)];
  };
  for (const entry of entries) {
    if (entry.mode === "160000") continue;
    const content = store.readBlob(entry.oid, MAX_FILE);
    // A failure is met when its turn comes.
    content.catch(() => {});
    waiting.push({ entry, content });
    bytes += entry.size;
    while (full()) yield* await take();
  }
  while (waiting.length > 0) yield* await take();
}

function fileEntry({ path, mode, size }: TreeEntry, content: Buffer | undefined): FileEntry {
  if (content === undefined)
    throw new GraderError("bad_input", `has ${size} bytes and is too large to be taken into a sandbox`, {
      file: path,
    });
  return mode === "120000"
    ? { path, kind: "symlink", target: content }
    : { path, kind: "file", executable: mode === "100755", content };
}
