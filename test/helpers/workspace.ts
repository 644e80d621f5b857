import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Warning } from "../../src/errors.ts";
import type { TrajectoryEvent } from "../../src/schema/trajectory.ts";
import { createWorkspace, type OpenWorkspace } from "../../src/workspace/create.ts";

/** Path to content. `null` deletes a file of the base. */
export type Files = Record<string, string | null>;

export interface RolloutSketch {
  /** Files that the rollout writes over the base. */
  files?: Files;
  /** A patch as text, instead of files. */
  patch?: string | null;
  passed?: boolean | null;
  events?: Omit<TrajectoryEvent, "turn">[];
  testOutput?: string;
}

export interface WorkspaceSketch {
  base: Files;
  rollouts: Record<string, RolloutSketch>;
  task?: string;
  /** Files of the visible tests, over the base. */
  tests?: Files;
  testCommand?: string;
}

export interface TestWorkspace extends OpenWorkspace, AsyncDisposable {
  warnings: Warning[];
}

/** A real workspace made from files in memory. Rollouts are addressed by label: use `labelOf(id)`. */
export async function makeWorkspace(sketch: WorkspaceSketch): Promise<TestWorkspace> {
  const dir = mkdtempSync(join(tmpdir(), "gagar-test-"));
  const baseDir = join(dir, "base");
  writeFiles(baseDir, sketch.base);
  const warnings: Warning[] = [];
  const workspace = await createWorkspace(
    {
      dir: join(dir, "workspace"),
      groupId: "test",
      task: { id: "task", statement: sketch.task ?? "Fix the fault." },
      ...(sketch.testCommand === undefined ? {} : { testCommand: sketch.testCommand }),
      repo: { kind: "folder", path: baseDir },
      ...(sketch.tests === undefined
        ? {}
        : { testsPatch: Buffer.from(makePatch(sketch.base, sketch.tests)) }),
      seed: 1,
      rollouts: Object.entries(sketch.rollouts).map(([id, rollout]) => ({
        id,
        passed: rollout.passed ?? true,
        patch: async () => submitted(sketch.base, rollout),
        trajectory: async () =>
          rollout.events === undefined
            ? undefined
            : {
                format: "openai-chat" as const,
                events: rollout.events.map((event) => ({
                  turn: Number(/^t(\d+)/.exec(event.id)?.[1] ?? 0),
                  ...event,
                })),
              },
        testOutput: async () => rollout.testOutput,
      })),
    },
    { cacheDir: join(dir, "cache"), warn: (warning) => warnings.push(warning) },
  );
  return {
    ...workspace,
    warnings,
    async [Symbol.asyncDispose]() {
      await workspace.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function submitted(base: Files, rollout: RolloutSketch) {
  if (rollout.patch === null) return { state: "null" as const, bytes: Buffer.alloc(0) };
  const text = rollout.patch ?? makePatch(base, rollout.files ?? {});
  return { state: text.trim() === "" ? ("empty" as const) : ("present" as const), bytes: Buffer.from(text) };
}

/** The diff that turns `base` into `base` with `change` over it, as git prints it. */
export function makePatch(base: Files, change: Files): string {
  const dir = mkdtempSync(join(tmpdir(), "gagar-patch-"));
  try {
    writeFiles(join(dir, "a"), base);
    writeFiles(join(dir, "b"), { ...base, ...change });
    const args = [
      "diff",
      "--no-index",
      "--no-renames",
      "--binary",
      "--no-color",
      "--src-prefix=",
      "--dst-prefix=",
      "a",
      "b",
    ];
    const run = spawnDiff(dir, args);
    // Without a prefix the names are a/x and b/x, which is just what a patch says.
    return run.replaceAll(/^(---|\+\+\+) \/dev\/null$/gm, "$1 /dev/null");
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function spawnDiff(cwd: string, args: string[]): string {
  const env = {
    PATH: process.env["PATH"],
    HOME: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: dirname(cwd),
  };
  try {
    return execFileSync("git", args, { cwd, encoding: "utf8", env, maxBuffer: 1 << 28 });
  } catch (error) {
    // Status 1 means that there are differences.
    if (
      typeof error === "object" &&
      error !== null &&
      "status" in error &&
      error.status === 1 &&
      "stdout" in error
    )
      return String(error.stdout);
    throw error;
  }
}

function writeFiles(root: string, files: Files): void {
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    if (content === null) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
