import { constants } from "node:fs";
import { lstat, open, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { ImportEntry } from "./import.ts";

/** Files and symlinks of a folder in path order. Links are taken as data and never followed; `.git` is left out. */
export async function* folderEntries(
  root: string,
  onSkip: (path: string, why: string) => void,
  below = "",
): AsyncGenerator<ImportEntry> {
  const names = (await readdir(join(root, below))).sort((a, b) => (a < b ? -1 : 1));
  for (const name of names) {
    const path = below === "" ? name : `${below}/${name}`;
    if (name === ".git") continue;
    const stat = await lstat(join(root, path));
    if (stat.isDirectory()) yield* folderEntries(root, onSkip, path);
    else if (stat.isSymbolicLink()) yield { path, mode: "120000", link: await readlink(join(root, path)) };
    else if (!stat.isFile()) onSkip(path, "no regular file");
    else {
      const file = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const mode = (stat.mode & 0o100) === 0 ? "100644" : "100755";
        // The size is taken from the open file: what lies under the name may have changed since lstat.
        const { size } = await file.stat();
        yield {
          path,
          mode,
          size,
          body: file.createReadStream({ autoClose: false, end: Math.max(size - 1, 0) }),
        };
      } finally {
        await file.close();
      }
    }
  }
}
