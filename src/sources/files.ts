import { type Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { Place } from "../errors.ts";
import { isMissing, resolveInside } from "./inside.ts";
import type { Warn } from "./notes.ts";

/** Largest file or line that is read, in bytes. Strings of this size still fit into V8 and into memory. */
export const MAX_BYTES = 256 * 2 ** 20;

/**
 * The bytes of a file that a group names, or undefined with a warning when there is no such file, it is not a regular
 * file or it is too large: then the group goes on without it.
 * @throws GraderError `bad_input` when the path leaves the group's folder.
 */
export async function readNamed(
  root: string,
  named: string,
  where: Place,
  warn: Warn,
): Promise<Buffer | undefined> {
  const path = await resolveInside(root, named, where);
  const refuse = (code: string, message: string): undefined => {
    warn({ code, message: `${message}; treated as not given`, where: { ...where, file: named } });
  };
  try {
    const stats = await statOrMissing(path);
    if (stats === undefined) return refuse("file_missing", "no such file");
    // Asked before the file is opened: opening a named pipe waits for a writer.
    if (!stats.isFile()) return refuse("not_a_file", "not a regular file");
    if (stats.size > MAX_BYTES)
      return refuse("file_too_large", `${stats.size} bytes, more than ${MAX_BYTES}`);
    return await readFile(path);
  } catch (error) {
    return refuse("file_unreadable", error instanceof Error ? error.message : String(error));
  }
}

/** What stat says, or undefined when there is nothing under that name. */
export async function statOrMissing(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
