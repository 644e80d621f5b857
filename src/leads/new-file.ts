import { classifyPath } from "../workspace/file-class.ts";
import type { Workspace, WorkspaceRollout } from "../workspace/types.ts";

/** Folder of a path, empty for the root. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

/** File name without folder and extensions. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.replace(/^(\.?[^.]+)\..*$/, "$1");
}

function extensionOf(path: string): string {
  return /\.[^./]+$/.exec(path)?.[0] ?? "";
}

export interface Surroundings {
  /** The base keeps files of this kind in this folder, so that one more needs no explanation. */
  conventional: boolean;
  folderIsNew: boolean;
  /** The base keeps tests in this very folder, or the language puts them beside the code. */
  testsBeside: boolean;
}

/** What lies beside a new file. At the root one sibling explains nothing: every project has a setup script. */
export async function surroundings(workspace: Workspace, path: string): Promise<Surroundings> {
  const folder = parentOf(path);
  const entries = await workspace.store.list(workspace.base);
  const inside = folder === "" ? entries : entries.filter((entry) => entry.path.startsWith(`${folder}/`));
  const beside = inside.filter((entry) => parentOf(entry.path) === folder);
  const siblings = beside.filter((entry) => extensionOf(entry.path) === extensionOf(path));
  return {
    conventional: siblings.length >= (folder === "" ? 3 : 1),
    folderIsNew: inside.length === 0,
    testsBeside: path.endsWith("_test.go") || siblings.some((entry) => classifyPath(entry.path) === "test"),
  };
}

/** Whether another file of the rollout's own change names the file; nothing in the base can. */
export async function isReferenced(
  workspace: Workspace,
  rollout: WorkspaceRollout,
  path: string,
): Promise<boolean> {
  const stem = stemOf(path);
  const name = new RegExp(`(?<![\\w-])${stem.replaceAll(/[^\w-]/g, ".")}(?![\\w-])`);
  return rollout.files.some(
    (file) =>
      file.path !== path &&
      file.class !== "lock" &&
      file.hunks.some((hunk) => hunk.lines.some((line) => line.kind === "added" && name.test(line.text))),
  );
}
