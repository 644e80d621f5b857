import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep, win32 } from "node:path";
import { GraderError, type Place } from "../errors.ts";

/**
 * The real path of something that a group names, which must lie inside `root`. It need not exist.
 * @param where names the field and the rollout that hold the path.
 * @throws GraderError `bad_input` for absolute paths, NUL, `..` that leaves, and links that lead outside or cannot be followed.
 */
export async function resolveInside(root: string, named: string, where: Place): Promise<string> {
  const refuse = (why: string): GraderError =>
    new GraderError("bad_input", `path ${JSON.stringify(named)} ${why}`, where);
  if (named.includes("\0")) throw refuse("holds a NUL character");
  if (isAbsolute(named) || win32.isAbsolute(named))
    throw refuse("is absolute; give it relative to the group");
  if (!isInside(resolve(root), resolve(root, named))) throw refuse("leaves the folder of the group");

  const realRoot = await realpathOfMissing(resolve(root));
  const real = await realpathOfMissing(resolve(root, named));
  if (realRoot === undefined || real === undefined)
    throw refuse("goes through a link that cannot be followed");
  if (!isInside(realRoot, real)) throw refuse("leads outside the folder of the group");
  return real;
}

/** Whether `path` is `root` or lies below it; both absolute. */
function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Like realpath, but the last parts may be missing. Undefined when a link on the way cannot be followed. */
async function realpathOfMissing(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) return undefined;
  }
  if (await exists(path)) return undefined;
  const parent = dirname(path);
  if (parent === path) return path;
  const real = await realpathOfMissing(parent);
  return real === undefined ? undefined : join(real, basename(path));
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether a file system call failed because there is nothing under that name. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
