import { availableParallelism } from "node:os";
import { openPool, type Pool } from "../sandbox/pool.ts";
import {
  DEFAULT_LIMITS,
  WORK_DIR,
  type Box,
  type Command,
  type FileEntry,
  type ReadResult,
  type RunResult,
  type Sandbox,
  type SandboxFailure,
  type Work,
} from "../sandbox/types.ts";
import type { TreeEntry, Workspace } from "../workspace/types.ts";
import { openGround, type Ground, type GroundWanted } from "./ground.ts";
import { BASE_FOLDER, openTrees, type Target } from "./trees.ts";

/** The folder of a box's input that holds the script of a check. */
export const CHECK_FOLDER = "check";

/** What is run on each target. */
export interface Job {
  /** The visible tests go over each tree. */
  tests: boolean;
  /** Files at `/input/check`, which code under test cannot change. */
  files?: readonly FileEntry[];
  /** Files over each tree. */
  over?: readonly FileEntry[];
  /** What a target's work folder holds, in place of its tree with or without the tests. */
  work?: (target: Target) => Promise<Required<Work>>;
  /** A file that the command leaves, to be read when it has exited. */
  leaves?: { path: string; maxBytes: number };
  /** Run first, unless the boxes' image has its result; when it does not exit with 0, its end is the result. */
  setup?: Command;
  command: Command;
}

export interface RawRun {
  label: string;
  result: RunResult;
  /** Test files that the rollout had changed and that were put back. */
  restored: string[];
  /** The file that the command was to leave. */
  left?: ReadResult;
}

export interface Runner {
  /** The folder in boxes that trees are laid in. */
  readonly workdir: string;
  run(targets: readonly Target[], job: Job): Promise<RawRun[]>;
  listBase(): Promise<readonly TreeEntry[]>;
  close(): Promise<void>;
}

/**
 * Runs one job over many trees, as many side by side as there are processors. No box ever holds the trees of two
 * rollouts, and between two of them it is emptied. Rollouts with the same tree are run once.
 */
export function openRunner(workspace: Workspace, sandbox: Sandbox, wanted: GroundWanted): Runner {
  const { tests, msLeft } = wanted;
  const trees = openTrees(workspace, tests?.test_files);
  let opening: Promise<Ground | SandboxFailure> | undefined;
  let pool: Pool | undefined;
  const open = async ({ spec, base }: Ground): Promise<Box> => {
    const box = await sandbox.open(spec);
    if (base !== undefined) await box.put(BASE_FOLDER, base, "archive");
    return box;
  };
  const inTime = async (box: Box, command: Command): Promise<RunResult> => {
    const left = msLeft();
    const wall_ms = Math.min(command.wall_ms ?? DEFAULT_LIMITS.wall_ms, left);
    if (left <= 0) return NO_TIME;
    const result = await box.run({ ...command, wall_ms });
    // The code had less time than it was promised.
    const cut = result.outcome === "timed_out" && wall_ms === left;
    return cut ? { ...result, ...NO_TIME_LEFT } : result;
  };
  const runOne = async (target: Target, job: Job): Promise<Omit<RawRun, "label">> => {
    const ground = await (opening ??= openGround(workspace, sandbox, trees, wanted));
    if (ground.outcome !== "ready") return { result: { ...NOTHING, ...ground }, restored: [] };
    pool ??= openPool(availableParallelism(), () => open(ground));
    const { over = [], files = [] } = job;
    const { work, restored } =
      job.work === undefined
        ? await trees.work(target, job.tests)
        : { work: await job.work(target), restored: [] };
    const laid = { ...work, from: ground.from, files: () => joined(work.files(), over) };
    const attempt = async (boxes: Pool): Promise<Omit<RawRun, "label" | "restored">> =>
      boxes.use(laid, async (box) => {
        if (files.length > 0) await box.put(CHECK_FOLDER, () => files);
        if (job.setup !== undefined && !ground.isSetUp) {
          const result = await inTime(box, job.setup);
          if (result.outcome !== "exited" || result.exit_code !== 0) return { result };
        }
        const result = await inTime(box, job.command);
        if (job.leaves === undefined || result.outcome !== "exited") return { result };
        const left = await box.read(job.leaves.path, job.leaves.maxBytes);
        if ("reason" in left) return { result: { ...result, outcome: left.outcome, reason: left.reason } };
        return { result, left };
      });
    const first = await attempt(pool);
    // What the sandbox lost says nothing about the code, and from a box laid anew it can be asked once more.
    const last = first.result.outcome === "sandbox_failed" ? await attempt(pool) : first;
    return { ...last, restored };
  };
  return {
    workdir: wanted.place?.workdir ?? WORK_DIR,
    async run(targets, job) {
      const once = new Map<string, Promise<Omit<RawRun, "label">>>();
      return Promise.all(
        targets.map(async (target) => {
          const running = once.get(target.tree) ?? runOne(target, job);
          once.set(target.tree, running);
          return { label: target.label, ...(await running) };
        }),
      );
    },
    listBase: () => trees.listBase(),
    close: async () => pool?.close(),
  };
}

/** A run that was not made says nothing about the code. */
const NO_TIME_LEFT = { outcome: "unavailable", reason: "the time for this group is nearly over" } as const;
const NOTHING = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), truncated: false, wall_ms: 0 };
const NO_TIME: RunResult = { ...NO_TIME_LEFT, ...NOTHING };

async function* joined(
  first: AsyncIterable<FileEntry> | Iterable<FileEntry>,
  second: readonly FileEntry[],
): AsyncGenerator<FileEntry> {
  yield* first;
  yield* second;
}
