import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Group, type Rollout, type Tests } from "../../src/schema/group.ts";
import type { LoadedGroup } from "../../src/sources/index.ts";
import { tempDir } from "./temp-dir.ts";
import { makePatch, type Files } from "./workspace.ts";

export interface GroupSketch {
  base: Files;
  rollouts: Record<string, Partial<Omit<Rollout, "id">> & { files?: Files }>;
  id?: string;
  task?: string;
  tests?: Tests;
}

/** A native group in a folder of its own. Rollouts pass unless they say otherwise. */
export function makeGroup(sketch: GroupSketch): LoadedGroup & Disposable & { dir: string } {
  const dir = tempDir();
  for (const [path, content] of Object.entries(sketch.base)) {
    const file = join(dir.path, "repo", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content ?? "");
  }
  const rollouts = Object.entries(sketch.rollouts).map(([id, { files, ...rollout }]) => ({
    id,
    passed: true,
    ...(files === undefined ? {} : { patch: makePatch(sketch.base, files) }),
    ...rollout,
  }));
  const group = Group.parse({
    group_id: sketch.id ?? "g",
    task: { id: "t", statement: sketch.task ?? "Make f add one." },
    repo: { path: "repo" },
    ...(sketch.tests === undefined ? {} : { tests: sketch.tests }),
    rollouts,
  });
  writeFileSync(join(dir.path, "group.json"), JSON.stringify(group));
  return {
    group,
    root: dir.path,
    source: "group.json",
    warnings: [],
    dir: dir.path,
    [Symbol.dispose]: dir[Symbol.dispose],
  };
}
