import { classifyPath } from "../workspace/file-class.ts";
import type { TreeEntry, Workspace } from "../workspace/types.ts";
import { baseFile } from "./change.ts";
import { parentOf, stemOf } from "./new-file.ts";
import type { SourceFile } from "./source-file.ts";
import { languageOf, sameFamily } from "./syntax/language.ts";

/** Bounds of what is read to find what a change could have used: files, and bytes in all. */
const MAX_FILES = 60;
const MAX_BYTES = 600_000;

/** Where projects keep what several modules share. */
const SHARED =
  /^_?(?:utils?|helpers?|common|shared|misc|tools?|support|lib|core|base|functions|compat|strings?|text|format(?:ting)?|paths?|names?|money|dates?|time|errors?|constants?|types?)$/i;

function rank(entry: TreeEntry, path: string): number | undefined {
  const folder = parentOf(path);
  const own = parentOf(entry.path);
  if (own === folder) return 0;
  const shared = SHARED.test(stemOf(entry.path)) || SHARED.test(own.slice(own.lastIndexOf("/") + 1));
  const top = path.split("/")[0];
  const near = own === parentOf(folder) || own.startsWith(`${folder}/`);
  if (shared) return near || entry.path.split("/")[0] === top ? 1 : undefined;
  return near ? 2 : undefined;
}

/**
 * Product files of the base that a reader of `path` would look into for something to reuse: the file itself, its folder,
 * shared modules of the same part of the project, the folders right above and below. Small files first inside each kind.
 */
export async function neighbours(workspace: Workspace, path: string): Promise<SourceFile[]> {
  const language = languageOf(path);
  if (language === undefined) return [];
  const candidates = (await workspace.store.list(workspace.base)).flatMap((entry) => {
    const other = languageOf(entry.path);
    if (other === undefined || !sameFamily(other, language) || classifyPath(entry.path) !== "source")
      return [];
    const order = entry.path === path ? -1 : rank(entry, path);
    return order === undefined ? [] : [{ entry, order }];
  });
  candidates.sort(
    (a, b) => a.order - b.order || a.entry.size - b.entry.size || (a.entry.path < b.entry.path ? -1 : 1),
  );
  const files: SourceFile[] = [];
  let bytes = 0;
  for (const { entry, order } of candidates.slice(0, MAX_FILES)) {
    if (order >= 0 && bytes + entry.size > MAX_BYTES) continue;
    bytes += order >= 0 ? entry.size : 0;
    const file = await baseFile(workspace, entry.path);
    if (file !== undefined) files.push(file);
  }
  return files;
}
