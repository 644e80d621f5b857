import { GraderError } from "../errors.ts";
import { openBlobReader } from "./cat-file.ts";
import { DIFF_ARGS, parseDiff } from "./diff.ts";
import { runGit } from "./git.ts";
import { grepTree } from "./grep.ts";
import type { ObjectStore, Oid, TreeEntry } from "./types.ts";

/** Largest file that is read as text unless the caller says otherwise, in bytes. */
const MAX_TEXT = 8 * 1024 * 1024;

/** Trees whose listing stays in memory; a group reads the base and one tree a rollout, over and over. */
const LISTINGS_KEPT = 64;

/** Opens the reading side of our own bare repository. Close it, or two git processes stay behind. */
export function openStore(gitDir: string): ObjectStore & { close(): void } {
  const blobs = openBlobReader(gitDir);
  const listings = new Map<Oid, Promise<Map<string, TreeEntry>>>();

  const listing = (tree: Oid): Promise<Map<string, TreeEntry>> => {
    const known = listings.get(tree);
    if (known !== undefined) return known;
    const made = readListing(gitDir, tree);
    listings.set(tree, made);
    const oldest = listings.keys().next();
    if (listings.size > LISTINGS_KEPT && oldest.done !== true) listings.delete(oldest.value);
    return made;
  };

  const store: ObjectStore & { close(): void } = {
    async list(tree) {
      return [...(await listing(tree)).values()];
    },
    async entry(tree, path) {
      return (await listing(tree)).get(path);
    },
    async readText(tree, path, maxBytes = MAX_TEXT) {
      const entry = await store.entry(tree, path);
      if (entry === undefined || entry.mode === "160000") return undefined;
      const bytes = await blobs.read(entry.oid, maxBytes);
      return bytes === undefined || isBinary(bytes) ? undefined : bytes.toString("utf8");
    },
    readBlob: (oid, maxBytes) => blobs.read(oid, maxBytes),
    async diff(from, to) {
      if (from === to) return [];
      const result = await runGit([...DIFF_ARGS, from, to], { gitDir });
      return parseDiff(result.stdout);
    },
    grep: (tree, query) => grepTree(gitDir, tree, query),
    close: () => blobs.close(),
  };
  return store;
}

async function readListing(gitDir: string, tree: Oid): Promise<Map<string, TreeEntry>> {
  if (!/^[0-9a-f]{40,64}$/.test(tree)) throw new GraderError("internal", `not an object id: ${tree}`);
  const result = await runGit(["ls-tree", "-r", "-l", "-z", "--full-tree", tree], { gitDir });
  const entries = new Map<string, TreeEntry>();
  for (const record of result.stdout.toString("utf8").split("\0")) {
    const match = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/.exec(record);
    if (match === null) continue;
    const [, mode = "", oid = "", size = "0", path = ""] = match;
    entries.set(path, { path, mode, oid, size: size === "-" ? 0 : Number(size) });
  }
  return entries;
}

/** git's own rule: a NUL byte in the first 8,000 bytes. */
function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0);
}
