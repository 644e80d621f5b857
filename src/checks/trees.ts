import { filesOf, withTests, workFrom } from "../sandbox/materialise.ts";
import type { FileSource, Work } from "../sandbox/types.ts";
import { classifyPath } from "../workspace/file-class.ts";
import type { Oid, TreeEntry, Workspace } from "../workspace/types.ts";

/** The folder of a box's input that holds the base: what a rollout's work folder is copied from. */
export const BASE_FOLDER = "base";

/** What is to be run on: a rollout by its label, or the base. */
export interface Target {
  label: string;
  tree: Oid;
}

/** The trees of a group as boxes take them. Listings are read once. */
export interface Trees {
  base(): Promise<FileSource>;
  listBase(): Promise<readonly TreeEntry[]>;
  /**
   * A target's tree as a difference from the base, with the visible tests over it if wanted; and the test files that
   * were put back for that.
   */
  work(target: Target, tests: boolean): Promise<{ work: Required<Work>; restored: string[] }>;
}

/** Whether a path is one of the group's tests. Without declared ones: what looks like a test by its path. */
export function testPaths(declared: readonly string[] | undefined): (path: string) => boolean {
  return (path) =>
    declared === undefined
      ? classifyPath(path) === "test"
      : declared.some((test) => path === test || path.startsWith(`${test.replace(/\/+$/, "")}/`));
}

/** @param declared - Paths of the group's test files, or folders of them. Default: what looks like a test by its path. */
export function openTrees({ store, base, testsTree }: Workspace, declared?: readonly string[]): Trees {
  const isTest = testPaths(declared);
  let listed: Promise<TreeEntry[]> | undefined;
  const listBase = () => (listed ??= store.list(base));
  return {
    base: async () => filesOf(store, await listBase()),
    listBase,
    async work({ tree }, tests) {
      const { entries, restored } = tests
        ? await withTests(store, { base, testsTree, rollout: tree }, isTest)
        : { entries: await store.list(tree), restored: [] };
      return { work: workFrom(store, BASE_FOLDER, await listBase(), entries), restored };
    },
  };
}
