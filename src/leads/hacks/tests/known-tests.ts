import type { Workspace } from "../../../workspace/types.ts";
import { classifyPath } from "../../../workspace/file-class.ts";
import { languageOf } from "../../syntax/language.ts";

/** Test files of the base, in path order. */
export async function testPaths(workspace: Workspace): Promise<string[]> {
  return (await workspace.store.list(workspace.base))
    .map((entry) => entry.path)
    .filter((path) => classifyPath(path) === "test" && languageOf(path) !== undefined);
}

const NEVER_TESTS =
  /^(node_modules|dist|build|out|lib|coverage|vendor|fixtures|snapshots|__snapshots__|\.\w+)$/;

/** The first test file of the base that a list of paths, patterns or node ids names. */
export async function namedTest(workspace: Workspace, value: string): Promise<string | undefined> {
  const paths = await testPaths(workspace);
  for (const raw of value.split(/[\s,[\]"'()]+/)) {
    const plain = raw
      .replace(/^(<rootDir>|\.)?\//, "")
      .replace(/^\*\*\//, "")
      .replace(/\/+(\*\*?)?$/, "");
    const [file = ""] = plain.split("::");
    if (file.length < 4 || NEVER_TESTS.test(file) || file.includes("node_modules")) continue;
    const matches = globOf(file);
    const hit = paths.find((path) => path === file || path.startsWith(`${file}/`) || matches.test(path));
    if (hit !== undefined) return plain.includes("::") ? plain : hit;
  }
  return undefined;
}

const USUAL_NAME = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;

/** A Python test that the usual settings find and the given ones do not. */
export async function lostTest(
  workspace: Workspace,
  key: string,
  value: string,
): Promise<string | undefined> {
  const given = value.split(/[\s,[\]"']+/).filter((word) => word !== "" && word !== "=");
  if (given.length === 0) return undefined;
  if (key === "python_functions" || key === "python_classes") {
    const usual = key === "python_functions" ? "test_something" : "TestSomething";
    const finds = given.some((word) => globOf(word, true).test(usual) || usual.startsWith(word));
    return finds ? undefined : usual;
  }
  const files = (await testPaths(workspace)).filter((path) => USUAL_NAME.test(path));
  if (key === "python_files")
    return files.find(
      (path) => !given.some((word) => globOf(word, true).test(path.split("/").at(-1) ?? path)),
    );
  const folders = given.map((word) => word.replace(/^\.\//, "").replace(/\/+$/, ""));
  return files.find(
    (path) => !folders.some((one) => one === "." || path === one || path.startsWith(`${one}/`)),
  );
}

/** `*` matches inside and across folders: a pattern that reaches too far is the one that is looked for. */
function globOf(pattern: string, whole = false): RegExp {
  const body = pattern
    .slice(0, 300)
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replace(/\*+/g, "[^ ]*")
    .replaceAll("?", ".");
  return new RegExp(whole ? `^${body}$` : `(^|/)${body}(/|$)`);
}
