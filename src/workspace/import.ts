import { once } from "node:events";
import { GraderError } from "../errors.ts";
import { runGit, spawnGit } from "./git.ts";
import { unsafePath } from "./patch-check.ts";
import type { Oid } from "./types.ts";

/** What a tree is made of, before it is one. A hard link names an earlier entry. */
export type ImportEntry =
  | { path: string; mode: "100644" | "100755"; size: number; body: AsyncIterable<Buffer> }
  | { path: string; mode: "120000"; link: string }
  | { path: string; hardlink: string };

const MAX_FILE = 512 * 1024 * 1024;

interface Planned {
  path: string;
  mode: string;
  mark: number;
}

/**
 * Writes the entries into the repository as one tree, through one `git fast-import`: no filter, attribute or line-end
 * conversion touches a byte, and ignored files come along.
 *
 * @param strip - Drop a leading folder that all entries share, as archives have one.
 * @returns The tree's id.
 * @throws GraderError `git_failed` when git refuses the stream.
 */
export async function importTree(
  gitDir: string,
  entries: AsyncIterable<ImportEntry>,
  options: { strip: boolean; onSkip: (path: string, why: string) => void },
): Promise<Oid> {
  const child = spawnGit(["fast-import", "--quiet", "--done", "--date-format=raw", "--depth=0"], { gitDir });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    if (complaint.length < 4096) complaint += chunk.toString("utf8");
  });
  child.stdout.resume();
  child.stdin.on("error", () => {});
  const closed = new Promise<number>((resolve) => {
    child.on("error", () => resolve(-1));
    child.on("close", (code) => resolve(code ?? -1));
  });
  const write = async (data: string | Buffer) => {
    if (child.exitCode !== null)
      throw new GraderError("git_failed", `git fast-import ended early: ${complaint}`);
    if (!child.stdin.write(data)) await Promise.race([once(child.stdin, "drain"), closed]);
  };

  const planned = new Map<string, Planned>();
  let marks = 0;
  const blob = async (
    path: string,
    mode: string,
    size: number,
    chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  ) => {
    const mark = ++marks;
    await write(`blob\nmark :${mark}\ndata ${size}\n`);
    let left = size;
    for await (const chunk of chunks) {
      const part = chunk.subarray(0, left);
      left -= part.length;
      await write(part);
    }
    if (left > 0) throw new GraderError("base_unavailable", `${path} ended ${left} bytes early`);
    await write("\n");
    planned.set(path, { path, mode, mark });
  };

  try {
    for await (const entry of entries) {
      const path = entry.path.replace(/^(\.\/)+/, "");
      const why = unsafePath(path);
      if (why !== undefined) options.onSkip(entry.path, why);
      else if ("hardlink" in entry) {
        const target = planned.get(entry.hardlink.replace(/^(\.\/)+/, ""));
        if (target === undefined) options.onSkip(path, "a hard link to something that is not there");
        else planned.set(path, { ...target, path });
      } else if ("link" in entry) {
        const bytes = Buffer.from(entry.link);
        await blob(path, entry.mode, bytes.length, [bytes]);
      } else if (entry.size > MAX_FILE) options.onSkip(path, `larger than ${MAX_FILE} bytes`);
      else await blob(path, entry.mode, entry.size, entry.body);
    }
    await write("commit refs/heads/base\ncommitter gagar <gagar@localhost> 0 +0000\ndata 0\n\n");
    const prefix = options.strip ? sharedFolder([...planned.keys()]) : "";
    for (const { path, mode, mark } of planned.values())
      await write(`M ${mode} :${mark} ${quotePath(path.slice(prefix.length))}\n`);
    await write("\ndone\n");
    child.stdin.end();
  } catch (error) {
    child.kill("SIGKILL");
    await closed;
    throw error;
  }
  const status = await closed;
  if (status !== 0)
    throw new GraderError("git_failed", `git fast-import ended with status ${status}: ${complaint}`);
  const tree = await runGit(["rev-parse", "--verify", "refs/heads/base^{tree}"], { gitDir });
  return tree.stdout.toString().trim();
}

/** `repo/` when every path starts with it, else the empty string. */
function sharedFolder(paths: string[]): string {
  const first = paths[0]?.split("/")[0];
  const prefix = `${first ?? ""}/`;
  return paths.length > 0 && paths.every((path) => path.startsWith(prefix)) ? prefix : "";
}

/** fast-import reads C-style quoted paths. */
function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n")}"`;
}
