import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { GraderError, type Warning } from "../errors.ts";
import { fetchBase } from "./fetch.ts";
import { folderEntries } from "./folder-entries.ts";
import { importTree } from "./import.ts";
import { createRepository } from "./repository.ts";
import { tarEntries } from "./tar-entries.ts";
import type { Oid } from "./types.ts";

/** A repository source whose paths are absolute and known to lie where they may. */
export type ResolvedRepo =
  | { kind: "folder"; path: string }
  | { kind: "archive"; path: string }
  | { kind: "git"; repository: string; commit: string }
  | { kind: "image"; image: string; workdir: string };

export interface BaseOptions {
  /** Folder for imported bases, shared by all groups. Default: $XDG_CACHE_HOME/gagar or ~/.cache/gagar. */
  cacheDir?: string;
  warn: (warning: Warning) => void;
}

/**
 * Makes the workspace's repository and puts the base tree within its reach. Archives and commits are imported once a
 * machine and then borrowed from our own cache, keyed by content; a folder is imported each time.
 *
 * @throws GraderError `base_unavailable` when the source cannot be read.
 */
export async function openBase(gitDir: string, repo: ResolvedRepo, options: BaseOptions): Promise<Oid> {
  if (repo.kind === "image")
    throw new GraderError(
      "base_unavailable",
      `the image ${repo.image} cannot be read: no container engine is in use`,
      {
        field: "repo.image",
      },
    );
  const key = await cacheKey(repo);
  if (key === undefined) {
    await createRepository(gitDir);
    return fill(gitDir, repo, options);
  }
  const cached = await cachedBase(key, repo, options);
  await createRepository(gitDir, cached.gitDir);
  return cached.tree;
}

async function cacheKey(repo: ResolvedRepo): Promise<string | undefined> {
  if (repo.kind === "git") return `git-${repo.commit}`;
  if (repo.kind !== "archive") return undefined;
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(repo.path)) hash.update(chunk);
  } catch (cause) {
    throw new GraderError(
      "base_unavailable",
      `${repo.path} cannot be read`,
      { field: "repo.archive" },
      { cause },
    );
  }
  return `archive-${hash.digest("hex")}`;
}

/** A finished import lies under its key; an unfinished one only under a name of its own, so none is ever half read. */
async function cachedBase(
  key: string,
  repo: ResolvedRepo,
  options: BaseOptions,
): Promise<{ gitDir: string; tree: Oid }> {
  const root = join(options.cacheDir ?? defaultCacheDir(), "bases");
  const gitDir = join(root, `${key}.git`);
  const known = await readTree(gitDir);
  if (known !== undefined) return { gitDir, tree: known };
  await mkdir(root, { recursive: true });
  const making = join(root, `${key}.${randomUUID()}.tmp`);
  try {
    await createRepository(making);
    const tree = await fill(making, repo, options);
    await writeFile(join(making, "gagar-tree"), `${tree}\n`);
    await rename(making, gitDir).catch(async (error) => {
      // Another process was faster; its import of the same content serves as well.
      if ((await readTree(gitDir)) === undefined) throw error;
    });
    return { gitDir, tree };
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function readTree(gitDir: string): Promise<Oid | undefined> {
  const text = await readFile(join(gitDir, "gagar-tree"), "utf8").catch(() => "");
  return /^[0-9a-f]{40,64}\n$/.test(text) ? text.trim() : undefined;
}

async function fill(gitDir: string, repo: ResolvedRepo, options: BaseOptions): Promise<Oid> {
  if (repo.kind === "git") return fetchBase(gitDir, repo.repository, repo.commit);
  if (repo.kind === "image") throw new GraderError("internal", "an image is no file source");
  const onSkip = (path: string, why: string) =>
    options.warn({
      code: "base_entry_skipped",
      message: `${JSON.stringify(path)} left out: ${why}`,
      where: { field: "repo" },
    });
  try {
    const entries =
      repo.kind === "archive" ? tarEntries(repo.path, onSkip) : folderEntries(repo.path, onSkip);
    return await importTree(gitDir, entries, { strip: repo.kind === "archive", onSkip });
  } catch (cause) {
    if (cause instanceof GraderError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GraderError(
      "base_unavailable",
      `${repo.path} cannot be read: ${why}`,
      { field: "repo" },
      { cause },
    );
  }
}

/** Where imported bases are kept unless the caller says otherwise. */
export function defaultCacheDir(): string {
  const xdg = process.env["XDG_CACHE_HOME"];
  return join(xdg === undefined || xdg === "" ? join(homedir(), ".cache") : xdg, "gagar");
}
