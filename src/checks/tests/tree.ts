import { withTests, workFrom } from "../../sandbox/materialise.ts";
import type { FileEntry, Work } from "../../sandbox/types.ts";
import type { Oid, TreeEntry, Workspace } from "../../workspace/types.ts";
import { BASE_FOLDER, testPaths } from "../trees.ts";
import { runnerPart, withRunnerSections } from "./config-files.ts";

/** A rollout's tree as its tests are run on it, and what of the rollout is not in it. */
export interface TestedTree {
  /** What the box holds. */
  entries: readonly TreeEntry[];
  /** Files with parts of both versions. */
  mixed: readonly FileEntry[];
  /** Paths of tests and configuration that were put back. */
  restored: string[];
  /** Paths that the rollout adds and that are not there. */
  left_out: string[];
  /** Those of both that a runner or an interpreter would load or obey by itself; tests are none. */
  hooks: string[];
  /** Test modules among what is left out: they run in one process with the group's tests. */
  modules: string[];
}

export interface TestedTreeOptions {
  command: string;
  /** Paths of the group's test files, or folders of them, where it declares any. */
  declared?: readonly string[] | undefined;
  /** A report that the command leaves in the tree: a rollout must not bring its own. */
  report?: string | undefined;
}

/** Largest configuration that is read, in bytes. */
const MAX_CONFIG = 1 << 20;

/**
 * Tests and runner configuration as they are in the base with the visible tests over it, the code as the rollout has
 * it. Configuration that other tools share (package.json, setup.cfg, tox.ini, pyproject.toml) keeps what is not the
 * runner's. Left out is what the rollout adds and that is loaded without being asked for: hooks, plugins, start-up
 * modules, modules under the runner's names, and test modules of its own.
 */
export async function testedTree(
  { store, base, testsTree }: Workspace,
  rollout: Oid,
  { command, declared, report }: TestedTreeOptions,
): Promise<TestedTree> {
  const isTest = testPaths(declared);
  const { entries, restored } = await withTests(store, { base, testsTree, rollout }, isTest);
  const trusted = new Map((await store.list(testsTree)).map((entry) => [entry.path, entry]));
  const paths = [...trusted.keys()];
  const known = (start: string) => paths.some((path) => path.startsWith(start));
  const tree: TestedTree = {
    entries: [],
    mixed: [],
    restored: [...restored],
    left_out: [],
    hooks: [],
    modules: [],
  };
  const mixed: FileEntry[] = [];
  const kept: TreeEntry[] = [];
  for (const entry of entries) {
    const before = trusted.get(entry.path);
    const part = runnerPart(entry.path, command, known);
    if (entry.path === report) continue;
    const isGroups =
      part === "module" && (before !== undefined || (declared !== undefined && isTest(entry.path)));
    if (part === undefined || isGroups || same(entry, before)) kept.push(entry);
    else if (part === "sections") {
      kept.push(entry);
      const text = await store.readText(rollout, entry.path, MAX_CONFIG);
      const theirs =
        before === undefined ? undefined : await store.readText(testsTree, entry.path, MAX_CONFIG);
      const put = text === undefined ? undefined : withRunnerSections(entry.path, text, theirs);
      if (put === undefined) continue;
      mixed.push({ path: entry.path, kind: "file", executable: false, content: Buffer.from(put) });
      tree.restored.push(entry.path);
      tree.hooks.push(entry.path);
    } else if (before === undefined) {
      tree.left_out.push(entry.path);
      (part === "module" ? tree.modules : tree.hooks).push(entry.path);
    } else {
      kept.push(before);
      tree.restored.push(entry.path);
      tree.hooks.push(entry.path);
    }
  }
  const gone = removedConfig(entries, trusted, command);
  return {
    ...tree,
    mixed,
    entries: [...kept, ...gone],
    restored: [...new Set([...tree.restored, ...gone.map(({ path }) => path)])].sort(),
    left_out: tree.left_out.sort(),
    hooks: [...tree.hooks, ...gone.map(({ path }) => path)].sort(),
  };
}

/** Configuration that the rollout removed, where nothing of its own stands in the way. */
function removedConfig(
  entries: readonly TreeEntry[],
  trusted: ReadonlyMap<string, TreeEntry>,
  command: string,
): TreeEntry[] {
  const taken = new Set(entries.flatMap(({ path }) => [path, ...folders(path)]));
  const files = new Set(entries.map(({ path }) => path));
  return [...trusted.values()].filter(
    ({ path }) =>
      !taken.has(path) &&
      runnerPart(path, command, () => true) === "config" &&
      !folders(path).some((folder) => files.has(folder)),
  );
}

/** A tree as work for a box that holds the base. */
export function workOf(
  { store }: Workspace,
  baseEntries: readonly TreeEntry[],
  { entries, mixed }: Pick<TestedTree, "entries" | "mixed">,
  over: readonly FileEntry[] = [],
): Required<Work> {
  const work = workFrom(store, BASE_FOLDER, baseEntries, entries);
  return {
    ...work,
    async *files() {
      yield* work.files();
      yield* mixed;
      yield* over;
    },
  };
}

function folders(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join("/"));
}

const same = (a: TreeEntry, b: TreeEntry | undefined) => a.oid === b?.oid && a.mode === b.mode;
