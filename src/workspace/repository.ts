import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runGit } from "./git.ts";

/**
 * Attributes of the imported tree would change bytes on the way out or hide a diff. Ours come first in git's order, so
 * every one that matters is taken back here.
 */
const ATTRIBUTES =
  "* -export-ignore -export-subst -ident -text -filter -eol !diff !merge !working-tree-encoding\n";

const CONFIG = `[core]
	repositoryformatversion = 0
	bare = true
	fsmonitor = false
	hooksPath = /dev/null
	attributesFile = /dev/null
	compression = 1
	packedGitWindowSize = 32m
	packedGitLimit = 256m
	bigFileThreshold = 64m
[gc]
	auto = 0
[transfer]
	fsckObjects = true
[protocol]
	version = 2
`;

/** Makes an empty bare repository of our own; `alternate` is another one of ours whose objects it may read. */
export async function createRepository(gitDir: string, alternate?: string): Promise<void> {
  await mkdir(gitDir, { recursive: true });
  await runGit(["init", "--quiet", "--bare", "--template=", gitDir], { gitDir });
  await writeFile(join(gitDir, "config"), CONFIG);
  await mkdir(join(gitDir, "info"), { recursive: true });
  await writeFile(join(gitDir, "info", "attributes"), ATTRIBUTES);
  if (alternate !== undefined) {
    await mkdir(join(gitDir, "objects", "info"), { recursive: true });
    await writeFile(join(gitDir, "objects", "info", "alternates"), `${join(alternate, "objects")}\n`);
  }
}
