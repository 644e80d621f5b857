import { constants } from "node:os";
import type { Cell, CellCommand } from "./cell.ts";
import { NotStarted, reasonOf, SandboxFault } from "./fault.ts";
import type { RunOutcome, RunResult } from "./types.ts";

export interface ExecuteLimits {
  wall_ms: number;
  output_bytes: number;
  signal?: AbortSignal;
  /** What is printed on stdout before the command itself begins; until then it has this time, and output is not its. */
  opening?: { text: Buffer; wall_ms: number };
}

export type Executed = RunResult & { started: boolean; opened: boolean };

/**
 * Runs one command in a cell under limits that are kept from here: when time or output is used up the answer is given
 * at once, whether or not the command's streams ever end. The caller has to kill the cell after every outcome but
 * `exited`. `started` is false when the command certainly never had a process, `opened` when its opening never came.
 */
export async function execute(cell: Cell, command: CellCommand, limits: ExecuteLimits): Promise<Executed> {
  const { opening } = limits;
  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let started = performance.now();
  let opened = opening === undefined;
  let head = Buffer.alloc(0);
  let room = limits.output_bytes;
  let truncated = false;
  let over = false;
  let didStart = true;
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;

  const outcome = await new Promise<RunOutcome>((resolve, reject) => {
    const allow = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => resolve({ outcome: "timed_out" }), ms);
    };
    allow(opening?.wall_ms ?? limits.wall_ms);
    onAbort = () => reject(limits.signal?.reason);
    limits.signal?.addEventListener("abort", onAbort);
    if (limits.signal?.aborted === true) onAbort();
    /** What is left of the output once the opening has come. */
    const afterOpening = (bytes: Buffer): Buffer => {
      const { text } = opening ?? { text: head };
      head = Buffer.concat([head, bytes]);
      if (!head.subarray(0, text.length).equals(text)) return head.subarray(0, 0);
      opened = true;
      started = performance.now();
      allow(limits.wall_ms);
      return head.subarray(text.length);
    };
    const running = cell.exec(command, (stream, printed) => {
      if (over) return;
      const bytes = opened || stream === "stderr" ? printed : afterOpening(printed);
      if (room > 0) output[stream].push(bytes.subarray(0, room));
      room -= bytes.length;
      if (room >= 0) return;
      truncated = true;
      resolve({ outcome: "output_limit" });
    });
    running.then(
      (status) => resolve(exited(status)),
      (error) => {
        didStart = !(error instanceof NotStarted);
        resolve(failure(error));
      },
    );
  }).finally(() => {
    over = true;
    clearTimeout(timer);
    if (onAbort !== undefined) limits.signal?.removeEventListener("abort", onAbort);
  });

  return {
    ...outcome,
    started: didStart,
    opened,
    stdout: Buffer.concat(output.stdout),
    stderr: Buffer.concat(output.stderr),
    truncated,
    wall_ms: performance.now() - started,
  };
}

/** An outcome of anything that a cell threw. */
export function failure(error: unknown): RunOutcome {
  return {
    outcome: error instanceof SandboxFault ? error.outcome : "sandbox_failed",
    reason: reasonOf(error),
  };
}

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

function exited(status: number): RunOutcome {
  const signal = status > 128 ? SIGNALS.get(status - 128) : undefined;
  return { outcome: "exited", exit_code: status, ...(signal === undefined ? {} : { signal }) };
}
