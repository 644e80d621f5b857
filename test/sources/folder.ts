import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with the given files, removed when the test is over. */
export async function folderOf(files: Record<string, string | Buffer>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gagar-test-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

/** A small valid group as plain data; `changes` go over its fields. */
export function groupOf(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    group_id: "g1",
    task: { id: "t1", statement: "Fix it." },
    repo: { path: "repo" },
    rollouts: [
      { id: "r01", passed: true },
      { id: "r02", passed: false },
    ],
    ...changes,
  };
}
