import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { GraderError } from "../errors.ts";
import { runGit } from "./git.ts";
import type { Oid } from "./types.ts";

const URL_FORM = /^https:\/\//;

/**
 * Fetches one commit of a repository into ours, checked by fsck, and returns its tree. Objects are copied, never
 * borrowed, and nothing of the repository's configuration is used.
 *
 * @param repository - A folder on this machine or an https URL.
 * @param commit - Full hexadecimal id.
 * @throws GraderError `base_unavailable` when the repository borrows objects itself, or the commit is not there.
 */
export async function fetchBase(gitDir: string, repository: string, commit: string): Promise<Oid> {
  const remote = URL_FORM.test(repository);
  const url = remote ? repository : await checkedFolder(repository);
  try {
    await runGit(
      [
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--depth=1",
        url,
        `${commit}:refs/heads/base`,
      ],
      { gitDir, protocols: remote ? "https" : "file", timeout: 600_000 },
    );
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new GraderError(
      "base_unavailable",
      `commit ${commit} cannot be fetched: ${why}`,
      { field: "repo" },
      { cause },
    );
  }
  const tree = await runGit(["rev-parse", "--verify", "refs/heads/base^{tree}"], { gitDir });
  return tree.stdout.toString().trim();
}

/** A repository that borrows objects or holds links among them could serve files from elsewhere on this machine. */
async function checkedFolder(repository: string): Promise<string> {
  const refuse = (why: string) =>
    new GraderError("base_unavailable", `${repository}: ${why}`, { field: "repo.git" });
  const inner = await lstat(join(repository, ".git")).catch(() => undefined);
  if (inner !== undefined && !inner.isDirectory()) throw refuse(".git is no folder");
  const gitDir = inner === undefined ? repository : join(repository, ".git");
  const objects = join(gitDir, "objects");
  const stat = await lstat(objects).catch(() => undefined);
  if (stat === undefined || !stat.isDirectory()) throw refuse("no git repository");
  for (const entry of await readdir(objects, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) throw refuse(`symlink under objects: ${entry.name}`);
    if (/^(http-)?alternates$/.test(entry.name)) throw refuse("it borrows objects (objects/info/alternates)");
  }
  return gitDir;
}
