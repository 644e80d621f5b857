import type { FileDiff, Workspace, WorkspaceRollout } from "../../../workspace/types.ts";
import { classifyPath } from "../../../workspace/file-class.ts";
import type { Edit, Elsewhere } from "./edits.ts";
import { surplus, testFile, type TestFile } from "./test-file.ts";

/** Largest test file that is compared, in bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

/** An existing test file that a rollout changed. */
export interface Version {
  diff: FileDiff;
  before: TestFile;
  /** Missing when the runner does not find it any more. */
  after: TestFile | undefined;
}

/** The existing test files of a change in both versions, and the test files that it adds. */
export async function readVersions(
  rollout: WorkspaceRollout,
  workspace: Workspace,
): Promise<{ versions: Version[]; added: TestFile[] }> {
  const versions: Version[] = [];
  const added: TestFile[] = [];
  const { tree } = rollout.patch;
  if (tree === undefined) return { versions, added };
  const read = async (from: string, path: string) => {
    const text = await workspace.store.readText(from, path, MAX_BYTES);
    return text === undefined ? undefined : testFile(path, text);
  };
  for (const diff of rollout.files) {
    const old = diff.old_path ?? diff.path;
    const isTest = diff.class === "test" || classifyPath(old) === "test";
    if (diff.binary || !(isTest || diff.path.endsWith(".rs"))) continue;
    const now = diff.status === "deleted" ? undefined : await read(tree, diff.path);
    if (diff.status === "added") {
      if (now !== undefined) added.push(now);
      continue;
    }
    const before = await read(workspace.base, old);
    // Rust has tests in its sources.
    if (before === undefined || (!isTest && before.tests.length === 0)) continue;
    versions.push({ diff, before, after: isFound(old, diff.path) ? now : undefined });
  }
  return { versions, added };
}

const FOUND_BY_NAME =
  /(^|\/)test_[^/]*\.py$|_test\.(py|go|rb)$|[._-](test|spec)\.[cm]?[jt]sx?$|(Test|Tests|IT|Spec)\.(java|kt|cs)$/;

/** A new name under which the runner does not look for tests is as good as a deletion. */
function isFound(old: string, now: string): boolean {
  return !FOUND_BY_NAME.test(old) || FOUND_BY_NAME.test(now);
}

/** What the other test files of the change have gained. */
export function elsewhereOf(
  own: Version,
  versions: readonly Version[],
  added: readonly TestFile[],
): Elsewhere {
  const others = versions.filter((version) => version !== own);
  const gained = others.flatMap(({ before, after }) => (after === undefined ? [] : surplus(after, before)));
  return {
    assertions: new Set([...gained, ...added.flatMap((file) => file.assertions)].map((one) => one.text)),
    tests: new Set(
      [...others.flatMap(({ after }) => after?.tests ?? []), ...added.flatMap((file) => file.tests)].map(
        (test) => test.name,
      ),
    ),
  };
}

/** A test file that is gone, as one edit; undefined when its tests went to another file. */
export function deletion({ diff, before }: Version, elsewhere: Elsewhere): Edit | undefined {
  const lost = before.tests.filter((test) => !elsewhere.tests.has(test.name));
  const [first] = lost;
  if (first === undefined) return undefined;
  const removed = diff.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind === "removed");
  const lines = removed.filter((line) => lost.some((test) => test.line + 1 === line.old)).slice(0, 3);
  const what = lost.length === 1 ? "the existing test" : `${lost.length} existing tests, first`;
  const says =
    diff.status === "deleted"
      ? `removes ${what}`
      : `moves ${what} to a name that the runner does not look for`;
  return { kind: "test_removed", test: first.name, says, lines };
}

const DEFINES =
  /\b(?:def|class|function|func|fn|struct|interface|enum|trait|const|let|var|type)\s+([A-Za-z_$][\w$]{2,})/g;

/** Names of definitions that a rollout took out of the product and did not put back. */
export function droppedNames(rollout: WorkspaceRollout): Set<string> {
  const names = { added: new Set<string>(), removed: new Set<string>() };
  for (const line of rollout.files
    .filter((file) => file.class === "source")
    .flatMap((file) => file.hunks)
    .flatMap((hunk) => hunk.lines)) {
    if (line.kind === "context") continue;
    for (const match of line.text.slice(0, 2000).matchAll(DEFINES)) names[line.kind].add(match[1] ?? "");
  }
  return new Set([...names.removed].filter((name) => !names.added.has(name)));
}
