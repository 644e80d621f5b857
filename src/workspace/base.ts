import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { GraderError, type Warning } from "../errors.ts";
import { fetchBase } from "./fetch.ts";
import { folderEntries } from "./folder-entries.ts";
import { importTree, type ImportEntry } from "./import.ts";
import { createRepository } from "./repository.ts";
import { tarEntries } from "./tar-entries.ts";
import type { ImageFiles, ImagePlace, Oid } from "./types.ts";

/** A repository source whose paths are absolute and known to lie where they may. */
export type ResolvedRepo =
  | { kind: "folder"; path: string }
  | { kind: "archive"; path: string }
  | { kind: "git"; repository: string; commit: string }
  | ({ kind: "image" } & ImagePlace);

export interface BaseOptions {
  /** Folder for imported bases, shared by all groups. Default: $XDG_CACHE_HOME/gagar or ~/.cache/gagar. */
  cacheDir?: string;
  /** Reads a folder of an image, where there is a container engine. */
  readImage?: ((place: ImagePlace) => Promise<ImageFiles>) | undefined;
  warn: (warning: Warning) => void;
}

/**
 * Makes the workspace's repository and puts the base tree within its reach. Archives, commits and images are imported
 * once a machine and then borrowed from our own cache, keyed by content; a folder is imported each time.
 *
 * @throws GraderError `base_unavailable` when the source cannot be read.
 */
export async function openBase(gitDir: string, repo: ResolvedRepo, options: BaseOptions): Promise<Oid> {
  const source = repo.kind === "image" ? await readImage(repo, options) : repo;
  const key = await cacheKey(source);
  if (key === undefined) {
    await createRepository(gitDir);
    return fill(gitDir, source, options);
  }
  const cached = await cachedBase(key, source, options);
  await createRepository(gitDir, cached.gitDir);
  return cached.tree;
}

/** A source whose files can be read. */
type Source = Exclude<ResolvedRepo, { kind: "image" }> | ({ kind: "image"; image: string } & ImageFiles);

async function readImage({ image, workdir }: ImagePlace, options: BaseOptions): Promise<Source> {
  if (options.readImage === undefined)
    throw new GraderError(
      "base_unavailable",
      `the image ${image} is read through a container engine, and none is in use: --sandbox docker uses one`,
      { field: "repo.image" },
    );
  const files = await options.readImage({ image, workdir });
  if (files.guessed !== undefined)
    options.warn({ code: "base_guessed", message: files.guessed, where: { field: "repo" } });
  return { kind: "image", image, ...files };
}

async function cacheKey(repo: Source): Promise<string | undefined> {
  if (repo.kind === "git") return `git-${repo.commit}`;
  if (repo.kind === "image") return `image-${repo.key}`;
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
  repo: Source,
  options: BaseOptions,
): Promise<{ gitDir: string; tree: Oid }> {
  // git takes a relative path of a borrowed repository for one beside the borrower.
  const root = resolve(options.cacheDir ?? defaultCacheDir(), "bases");
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

async function fill(gitDir: string, repo: Source, options: BaseOptions): Promise<Oid> {
  if (repo.kind === "git") return fetchBase(gitDir, repo.repository, repo.commit);
  const onSkip = (path: string, why: string) =>
    options.warn({
      code: "base_entry_skipped",
      message: `${JSON.stringify(path)} left out: ${why}`,
      where: { field: "repo" },
    });
  try {
    return await importTree(gitDir, entriesOf(repo, onSkip), { strip: repo.kind === "archive", onSkip });
  } catch (cause) {
    if (cause instanceof GraderError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GraderError(
      "base_unavailable",
      `${repo.kind === "image" ? repo.image : repo.path} cannot be read: ${why}`,
      { field: "repo" },
      { cause },
    );
  }
}

function entriesOf(
  repo: Exclude<Source, { kind: "git" }>,
  onSkip: (path: string, why: string) => void,
): AsyncIterable<ImportEntry> {
  if (repo.kind === "image") return repo.entries(onSkip);
  return repo.kind === "archive" ? tarEntries(repo.path, onSkip) : folderEntries(repo.path, onSkip);
}

/** Where imported bases are kept unless the caller says otherwise. */
export function defaultCacheDir(): string {
  const xdg = process.env["XDG_CACHE_HOME"];
  return join(xdg === undefined || xdg === "" ? join(homedir(), ".cache") : xdg, "gagar");
}
