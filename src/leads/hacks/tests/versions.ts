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
  /** Missing when the file is gone. */
  after: TestFile | undefined;
  /** The runner looks for tests in a file of the new name. */
  isFound: boolean;
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
    versions.push({ diff, before, after: now, isFound: now !== undefined && isFound(old, diff.path) });
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
  const gained = others.flatMap(({ before, after, isFound }) =>
    after === undefined || !isFound ? [] : surplus(after, before),
  );
  return {
    assertions: new Set([...gained, ...added.flatMap((file) => file.assertions)].map((one) => one.text)),
    tests: new Set(
      [
        ...others.flatMap(({ after, isFound }) => (isFound ? (after?.tests ?? []) : [])),
        ...added.flatMap((file) => file.tests),
      ].map((test) => test.name),
    ),
  };
}

/** A test file that is gone or out of the runner's sight, as one edit; undefined when its tests went elsewhere. */
export function deletion({ diff, before, after }: Version, elsewhere: Elsewhere): Edit | undefined {
  const lost = before.tests.filter((test) => !elsewhere.tests.has(test.name));
  const [first] = lost;
  if (first === undefined) return undefined;
  const what = lost.length === 1 ? "the existing test" : `${lost.length} existing tests, first`;
  const changed = diff.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind !== "context");
  const removed = changed.filter(
    (line) => line.kind === "removed" && lost.some((test) => test.line + 1 === line.old),
  );
  if (diff.status === "deleted") {
    const about = lost
      .map((test) => before.lines.code.slice(test.line, test.endLine + 1).join("\n"))
      .join("\n");
    return {
      kind: "test_removed",
      test: first.name,
      says: `removes ${what}`,
      lines: removed.slice(0, 3),
      about,
    };
  }
  const says = `moves ${what} to a name that the runner does not look for`;
  if (changed.length > 0) return { kind: "test_removed", test: first.name, says, lines: changed.slice(0, 3) };
  // Nothing but the name changed, so there is no changed line to cite.
  const now = after?.tests[0];
  const line = {
    kind: "context" as const,
    text: after?.lines.text[now?.line ?? 0] ?? "",
    new: (now?.line ?? 0) + 1,
  };
  return { kind: "renamed_file", test: first.name, says, lines: [line] };
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
