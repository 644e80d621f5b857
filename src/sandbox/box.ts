import { posix } from "node:path";
import type { Cell } from "./cell.ts";
import { execute, failure, type ExecuteLimits } from "./execute.ts";
import { SandboxFault } from "./fault.ts";
import { canFollow, CHORE, lay, layAndRun, mannerOf, type Laying } from "./laying.ts";
import { READ, READ_STATUS, RUN, SWEEP } from "./scripts.ts";
import { tarStream } from "./tar.ts";
import {
  DEFAULT_LIMITS,
  WORK_DIR,
  type Box,
  type BoxSpec,
  type Command,
  type FileSource,
  type ReadResult,
  type RunResult,
  type Work,
} from "./types.ts";

/** A folder in which nothing was laid. */
const NOTHING: Work = {};

const CLOSED = new SandboxFault("sandbox_failed", "the box is closed");

/**
 * A box over the cells of a backend. It knows what the box should hold, so that a cell which broke, or which had to be
 * killed, is replaced by an equal one before the next command.
 */
export async function openBox(start: () => Promise<Cell>, spec: BoxSpec, onClose: () => void): Promise<Box> {
  const limits = { ...DEFAULT_LIMITS, ...spec.limits };
  const workdir = spec.workdir ?? WORK_DIR;
  const folders = new Map<string, FileSource>();
  let work = NOTHING;
  let cell: Cell | undefined;
  /** What the cell's work folder holds; undefined as soon as a command can have changed it. */
  let held: Work | undefined;
  /** The work is still to be laid. */
  let due = false;
  let oomKills = 0;
  let closed = false;
  let queue: Promise<unknown> = Promise.resolve();

  /** One operation after the other. */
  const inTurn = <T>(operation: () => Promise<T>): Promise<T> => {
    const answer = queue.then(operation);
    queue = answer.catch(() => {});
    return answer;
  };

  const discard = async () => {
    const old = cell;
    cell = undefined;
    await old?.kill();
  };

  const ready = async (): Promise<Cell> => {
    if (closed) throw CLOSED;
    if (cell !== undefined) return cell;
    const fresh = await start();
    cell = fresh;
    held = NOTHING;
    due = work !== NOTHING;
    oomKills = 0;
    try {
      if (closed) throw CLOSED;
      for (const [folder, files] of folders) await fresh.put(folder, tarStream(files()));
    } catch (error) {
      await discard();
      throw error;
    }
    return fresh;
  };

  /** Faults of the sandbox are told by the next command, which tries once more. */
  const attempt = async (operation: () => Promise<unknown>): Promise<void> => {
    try {
      await operation();
    } catch (error) {
      await discard();
      if (!(error instanceof SandboxFault)) throw error;
    }
  };

  /** Nothing of a command may live on, and a process that was killed for want of memory spoils its result. */
  const settle = async (used: Cell, result: RunResult): Promise<RunResult> => {
    if (result.outcome !== "exited") {
      await discard();
      return result;
    }
    try {
      let state = await used.state();
      if (state.processes > 0) {
        await execute(used, { argv: ["/bin/sh", "-c", SWEEP] }, CHORE);
        state = await used.state();
      }
      const { stdout, stderr, truncated, wall_ms } = result;
      const killed = state.oomKills > oomKills;
      oomKills = state.oomKills;
      if (state.processes > 0 || state.ended) await discard();
      return killed ? { outcome: "out_of_memory", stdout, stderr, truncated, wall_ms } : result;
    } catch (error) {
      await discard();
      const { stdout, stderr, truncated, wall_ms } = result;
      return { ...failure(error), stdout, stderr, truncated, wall_ms };
    }
  };

  /** A cell to work in, and how its work folder becomes what it should be. One that cannot be emptied is replaced. */
  const usable = async (): Promise<{ used: Cell; manner: Laying["manner"] | undefined }> => {
    for (;;) {
      const used = await ready();
      if (!due) return { used, manner: undefined };
      const manner = mannerOf(held, work);
      if (manner === "over") return { used, manner };
      const left = await used.state();
      if (!left.ended && left.ipcObjects === 0) return { used, manner };
      await discard();
    }
  };

  const begin = async (command: Command, bounds: ExecuteLimits) => {
    const { used, manner } = await usable();
    const { stdin } = command;
    const argv = command.argv;
    const cwd = posix.resolve(workdir, command.cwd ?? ".");
    const env = { ...used.env, ...command.env };
    const laying = manner === undefined ? undefined : { workdir, work, manner };
    held = undefined;
    due = false;
    if (laying !== undefined && stdin === undefined && canFollow(env))
      return { used, result: await layAndRun(used, laying, { cwd, argv, env }, bounds) };
    if (laying !== undefined) await lay(used, laying);
    const given = { argv: ["/bin/sh", "-c", RUN, "sh", cwd, ...argv], env };
    const result = await execute(used, stdin === undefined ? given : { ...given, stdin: [stdin] }, bounds);
    return { used, result };
  };

  /** What never began is tried once more, in a cell made anew. */
  const runIn = async (command: Command, bounds: ExecuteLimits): Promise<RunResult> => {
    for (let tries = 1; ; tries += 1)
      try {
        const { used, result } = await begin(command, bounds);
        const { started, opened: _opened, ...ended } = result;
        const settled = await settle(used, ended);
        if (started || tries === 2) return settled;
      } catch (error) {
        const had = cell !== undefined;
        await discard();
        if (!(error instanceof SandboxFault)) throw error;
        if (!had || tries === 2) return nothingRan(error);
      }
  };

  await attempt(ready);
  return {
    put: (folder, files, as = "folder") =>
      inTurn(async () => {
        if (!/^[A-Za-z0-9-]+$/.test(folder)) throw new RangeError(`not a folder's name: ${folder}`);
        const name = as === "archive" ? `${folder}.tar` : folder;
        folders.set(name, files);
        await attempt(async () => {
          if (cell === undefined) await ready();
          else await cell.put(name, tarStream(files()));
        });
      }),
    lay: (next) =>
      inTurn(async () => {
        work = next;
        due = true;
      }),
    warm: () =>
      inTurn(() =>
        attempt(async () => {
          const { used, manner } = await usable();
          if (manner === undefined) return;
          held = undefined;
          due = false;
          await lay(used, { workdir, work, manner });
          held = work;
        }),
      ),
    run: (command) =>
      inTurn(() =>
        runIn(command, {
          wall_ms: command.wall_ms ?? limits.wall_ms,
          output_bytes: command.output_bytes ?? limits.output_bytes,
          ...(command.signal === undefined ? {} : { signal: command.signal }),
        }),
      ),
    read: (path, maxBytes) =>
      inTurn(async () => {
        const argv = ["/bin/sh", "-c", READ, "read", path, String(maxBytes)] as const;
        return readResult(await runIn({ argv }, { ...CHORE, output_bytes: maxBytes + 1024 }));
      }),
    async close() {
      if (closed) return;
      closed = true;
      await discard();
      await queue;
      await discard();
      onClose();
    },
  };
}

function nothingRan(error: SandboxFault): RunResult {
  const none = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), truncated: false, wall_ms: 0 };
  return { ...failure(error), ...none };
}

function readResult(result: RunResult): ReadResult {
  if ("reason" in result) return { outcome: result.outcome, reason: result.reason };
  if (result.outcome !== "exited") return { outcome: "sandbox_failed", reason: `reading: ${result.outcome}` };
  if (result.exit_code === 0) return { outcome: "read", bytes: result.stdout };
  const known = Object.entries(READ_STATUS).find(([status]) => Number(status) === result.exit_code);
  if (known !== undefined) return { outcome: known[1] };
  const said = result.stderr.toString("utf8").trim().slice(0, 300);
  return { outcome: "sandbox_failed", reason: `reading ended with status ${result.exit_code}: ${said}` };
}
