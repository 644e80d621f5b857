import { posix } from "node:path";
import type { Cell } from "./cell.ts";
import { execute, failure, type ExecuteLimits } from "./execute.ts";
import { SandboxFault } from "./fault.ts";
import { LAY, READ, READ_STATUS, RUN, SWEEP } from "./scripts.ts";
import { tarStream } from "./tar.ts";
import {
  DEFAULT_LIMITS,
  INPUT_DIR,
  PREPARED,
  WORK_DIR,
  type Box,
  type BoxSpec,
  type Command,
  type FileSource,
  type ReadResult,
  type RunResult,
  type Work,
} from "./types.ts";

/** Filling a folder, or reading a file, takes no longer than this, in milliseconds. */
const CHORE = { wall_ms: 120_000, output_bytes: 64 * 1024 };

const CLOSED = new SandboxFault("sandbox_failed", "the box is closed");

/**
 * A box over the cells of a backend. It knows what the box should hold, so that a cell which broke, or which had to be
 * killed, is replaced by an equal one before the next command.
 */
export async function openBox(start: () => Promise<Cell>, spec: BoxSpec, onClose: () => void): Promise<Box> {
  const limits = { ...DEFAULT_LIMITS, ...spec.limits };
  const workdir = spec.workdir ?? WORK_DIR;
  const folders = new Map<string, FileSource>();
  let work: Work = {};
  let cell: Cell | undefined;
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
    oomKills = 0;
    try {
      if (closed) throw CLOSED;
      for (const [folder, files] of folders) await fresh.put(folder, tarStream(files()));
      if (work.from !== undefined || work.files !== undefined) await layIn(fresh, workdir, work);
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

  /** A command that never started is tried once more, in a cell made anew. */
  const runIn = async (command: Command, bounds: ExecuteLimits): Promise<RunResult> => {
    const cwd = posix.resolve(workdir, command.cwd ?? ".");
    const given = {
      argv: ["/bin/sh", "-c", RUN, "sh", cwd, ...command.argv],
      ...(command.stdin === undefined ? {} : { stdin: [command.stdin] }),
    };
    for (let tries = 1; ; tries += 1) {
      let used: Cell;
      try {
        used = await ready();
      } catch (error) {
        if (!(error instanceof SandboxFault)) throw error;
        return nothingRan(error);
      }
      try {
        const { started, ...result } = await execute(
          used,
          { ...given, env: { ...used.env, ...command.env } },
          bounds,
        );
        const settled = await settle(used, result);
        if (started || tries === 2) return settled;
      } catch (aborted) {
        await discard();
        throw aborted;
      }
    }
  };

  await attempt(ready);
  return {
    put: (folder, files) =>
      inTurn(async () => {
        if (!/^[A-Za-z0-9-]+$/.test(folder)) throw new RangeError(`not a folder's name: ${folder}`);
        folders.set(folder, files);
        await attempt(async () => {
          if (cell === undefined) await ready();
          else await cell.put(folder, tarStream(files()));
        });
      }),
    lay: (next) =>
      inTurn(async () => {
        work = next;
        await attempt(async () => {
          const left = await cell?.state();
          if (left === undefined || left.ended || left.ipcObjects > 0) {
            await discard();
            await ready();
          } else if (cell !== undefined) await layIn(cell, workdir, work);
        });
      }),
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

const sourceOf = ({ from = "" }: Work): string =>
  from === "" || from === PREPARED ? from : `${INPUT_DIR}/${from}`;

async function layIn(cell: Cell, workdir: string, work: Work): Promise<void> {
  const list = Buffer.from((work.remove ?? []).map((path) => `${path}\0`).join(""));
  const argv = ["/bin/sh", "-c", LAY, "lay", workdir, String(list.length), sourceOf(work)];
  let broken: unknown;
  async function* stdin() {
    if (list.length > 0) yield list;
    try {
      yield* tarStream(work.files?.() ?? []);
    } catch (error) {
      broken = error;
    }
  }
  const result = await execute(cell, { argv, stdin: stdin() }, CHORE);
  if (broken !== undefined) throw broken;
  if (result.outcome === "exited" && result.exit_code === 0) return;
  if ("reason" in result) throw new SandboxFault(result.outcome, result.reason);
  const said = result.stderr.toString("utf8").trim().split("\n").slice(0, 3).join(" ");
  throw new SandboxFault("sandbox_failed", `the work folder cannot be laid (${result.outcome}): ${said}`);
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
