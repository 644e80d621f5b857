import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { positionOf, scanJson } from "../json-scan.ts";
import type { Warn } from "../notes.ts";
import { decodeText } from "../unicode.ts";

/** Folders of a run that hold other things than its records. */
const SKIPPED = new Set([".git", "node_modules", "__pycache__", "repo", "llm_completions"]);

/** Folders below this depth are not looked into. */
const MAX_DEPTH = 10;

/** Largest result or prediction document, in bytes: these are parsed whole. Trajectories are not. */
const MAX_DOCUMENT = 64 * 2 ** 20;

/**
 * The regular files below a folder as paths relative to it, in code-unit order, folder by folder. Links are not
 * followed: a run must not name files that lie elsewhere.
 */
export async function* filesBelow(folder: string, warn: Warn, inner = "", depth = 0): AsyncGenerator<string> {
  const entries = await readdir(join(folder, inner), { withFileTypes: true }).catch((error: unknown) => {
    warn({ code: "folder_unreadable", message: String(error), where: { file: join(folder, inner) } });
    return [];
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) if (entry.isFile()) yield join(inner, entry.name);
  if (depth >= MAX_DEPTH) return;
  for (const entry of entries)
    if (entry.isDirectory() && !SKIPPED.has(entry.name))
      yield* filesBelow(folder, warn, join(inner, entry.name), depth + 1);
}

/** The text of a small document, or undefined when it is too large or cannot be read. */
export async function readSmall(path: string, limit: number = MAX_DOCUMENT): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > limit) return undefined;
    return decodeText(await readFile(path)).text;
  } catch {
    return undefined;
  }
}

/** A JSON document, `damaged` with the line when it is none, or undefined when it is too large or cannot be read. */
export async function readDocument(
  path: string,
): Promise<{ value: unknown } | { damaged: string; line: number } | undefined> {
  const text = await readSmall(path);
  if (text === undefined) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    const scan = scanJson(text);
    const { line, column } = positionOf(text, scan.end);
    return { damaged: `${scan.error ?? "something follows the document"} (column ${column})`, line };
  }
}
