import type { FileEntry } from "../../sandbox/types.ts";
import type { Tests } from "../../schema/group.ts";
import type { TreeEntry, Workspace } from "../../workspace/types.ts";
import type { TestCommand } from "../runners.ts";
import { canaryWriter, scriptNames } from "./canary-text.ts";
import { doubleOf, type Double } from "./double.ts";
import type { TestResult } from "./results.ts";

/** A test that must fail, to be laid over a tree. */
export interface Canary {
  name: string;
  file: FileEntry & { kind: "file" };
  /** The file's content without the tests before it. */
  alone: Uint8Array;
  command: TestCommand;
  /** A test of the group that is defined once more, so that it must fail as well. */
  double?: Double;
}

const MAX_TEST_FILE = 1 << 22;

/**
 * Places a test of that name behind the tests that a run has told, in a file that is the group's own. Undefined where
 * the runner is not known or no such file can be found.
 *
 * @param entries - The tree of the run.
 * @param told - Its tests, those that matter most first.
 */
export async function placeCanary(
  workspace: Workspace,
  entries: readonly TreeEntry[],
  {
    tests,
    told,
    asked,
    name,
  }: { tests: Tests; told: readonly TestResult[]; asked: TestCommand; name: string },
): Promise<Canary | undefined> {
  const write = canaryWriter(tests);
  if (write === undefined) return undefined;
  const host = await hostOf(workspace, entries, told);
  const text = host === undefined ? undefined : write(name, host.text);
  if (host === undefined || text === undefined) return undefined;
  const own = tests.runner === "go";
  const double = doubleOf(tests, host.ids, host.text, scriptNames(tests, name, host.text));
  const folder = host.entry.path.slice(0, host.entry.path.lastIndexOf("/") + 1);
  return {
    name,
    alone: Buffer.from(text),
    file: {
      path: own ? `${folder}${name}_test.go` : host.entry.path,
      kind: "file",
      executable: !own && host.entry.mode === "100755",
      content: Buffer.from(own ? text : host.text + text + (double?.text ?? "")),
    },
    ...(double === undefined ? {} : { double }),
    command: { ...asked, command: selecting(tests, asked.command, host.entry.path, name) },
  };
}

/** A command that names single tests of a file has to name this one too. */
function selecting({ runner }: Tests, command: string, path: string, name: string): string {
  const names = runner === "pytest" && command.split(/\s+/).some((word) => word.includes("::"));
  return names ? `${command} ${path}::test_${name}` : command;
}

/**
 * The file of the first test that ran for which there is just one in the tree. A runner that tells no files told the
 * tests by name: then it is the first test file in which one of the names stands.
 */
async function hostOf(
  { store }: Workspace,
  entries: readonly TreeEntry[],
  told: readonly TestResult[],
): Promise<{ entry: TreeEntry; text: string; ids: string[] } | undefined> {
  const files = entries.filter(({ mode }) => mode === "100644" || mode === "100755");
  const read = async (entry: TreeEntry) => {
    const text = (await store.readBlob(entry.oid, MAX_TEST_FILE))?.toString("utf8");
    return text === undefined || MAY_FAIL.test(text) ? undefined : { entry, text };
  };
  const ran = told.filter(({ status, load }) => status !== "skipped" && load !== true);
  const named = new Set(ran.flatMap(({ file }) => (file === undefined ? [] : [file])));
  for (const file of named) {
    const entry = fileNamed(file, files);
    const host = entry === undefined ? undefined : await read(entry);
    const ids = ran.filter((test) => test.file === file && test.status === "passed").map(({ id }) => id);
    if (host !== undefined) return { ...host, ids };
  }
  if (named.size > 0) return undefined;
  const names = ran.map(({ id }) => id.split(" > ").at(-1) ?? id).filter((name) => name.length > 2);
  for (const entry of files.filter(({ path }) => TEST_FILE.test(path))) {
    const host = await read(entry);
    const isIn = (id: string) => host?.text.includes(id.split(" > ").at(-1) ?? id) === true;
    if (host !== undefined && names.some(isIn))
      return {
        ...host,
        ids: ran.filter(({ id, status }) => status === "passed" && isIn(id)).map(({ id }) => id),
      };
  }
  return undefined;
}

/** A file all of whose tests are expected to fail: there a failure is none. */
const MAY_FAIL = /^pytestmark\s*=[^\n]*xfail/m;

const TEST_FILE = /(^|[/._-])(tests?|specs?|__tests__)([/._-]|$).*\.([cm]?[jt]sx?|rs)$|(^|\/)src\/.*\.rs$/;

/** The file that a runner means: a path from some folder on, a dotted module with or without a class, a Go package. */
function fileNamed(name: string, files: readonly TreeEntry[]): TreeEntry | undefined {
  const at = (path: string) => {
    const exact = files.find((entry) => entry.path === path);
    const [one, ...more] = files.filter((entry) => entry.path.endsWith(`/${path}`));
    return exact ?? (more.length === 0 ? one : undefined);
  };
  if (name.startsWith("/")) return longest(files.filter(({ path }) => name.endsWith(`/${path}`)));
  const found = at(name);
  if (found !== undefined) return found;
  const goFiles = files.filter(({ path }) => path.endsWith("_test.go"));
  if (goFiles.length > 0) return longest(goFiles.filter(({ path }) => isPackage(name, folderOf(path))));
  const parts = name.split(".");
  const modules = parts.map((_part, index) => `${parts.slice(0, parts.length - index).join("/")}.py`);
  return modules.map(at).find((entry) => entry !== undefined);
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const isPackage = (name: string, folder: string) => folder === "" || `/${name}`.endsWith(`/${folder}`);

const longest = (entries: readonly TreeEntry[]) =>
  entries.toSorted((a, b) => folderOf(b.path).length - folderOf(a.path).length)[0];
