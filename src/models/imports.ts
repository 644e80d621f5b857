import { posix } from "node:path";

/** A line of some language that names what it imports. */
const IMPORT =
  /^\s*(?:from|import|export|use|using|mod|require|include|#include)\b|\b(?:require|import)\(|\bfrom\s+["']/;

/**
 * Files that lines of code import, those of the nearest folders first. Languages are not told apart: a file is meant when
 * its name without the ending is a word of a line that imports, and the importing file has the same ending.
 *
 * @param sources - Lines of code with the file that they are in.
 * @param known - Paths of the repository.
 */
export function importedFiles(
  sources: readonly { file: string; text: string }[],
  known: readonly string[],
): string[] {
  const wanted = new Map<string, { folder: string; times: number }>();
  for (const { file, text } of sources) {
    if (!IMPORT.test(text)) continue;
    const { ext, dir } = posix.parse(file);
    for (const word of text.match(/[\p{L}_$][\p{L}\p{N}_$-]*/gu) ?? []) {
      const key = word + ext;
      wanted.set(key, { folder: wanted.get(key)?.folder ?? dir, times: (wanted.get(key)?.times ?? 0) + 1 });
    }
  }
  return known
    .flatMap((path) => {
      const found = wanted.get(posix.basename(path));
      return found === undefined
        ? []
        : [{ path, far: posix.relative(found.folder, path).split("/").length, times: found.times }];
    })
    .sort((a, b) => a.far - b.far || b.times - a.times)
    .map(({ path }) => path);
}
