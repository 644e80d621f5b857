import type { Cell } from "./cell.ts";
import { execute, type Executed, type ExecuteLimits } from "./execute.ts";
import { SandboxFault } from "./fault.ts";
import { LAID, LAY, LAY_AND_RUN } from "./scripts.ts";
import { tarStream } from "./tar.ts";
import { INPUT_DIR, PREPARED, type RunResult, type Work } from "./types.ts";

/** Filling a folder, or reading a file, takes no longer than this, in milliseconds. */
export const CHORE = { wall_ms: 120_000, output_bytes: 64 * 1024 };

/** What is to be laid in a cell. */
export interface Laying {
  workdir: string;
  work: Work;
  /**
   * `all` empties everything that commands can write and begins anew; `over` puts a difference on a folder in which no
   * command has run since it was laid.
   */
  manner: "all" | "over";
}

/** How a folder that holds `held`, or is not known, becomes what is wanted. */
export function mannerOf(held: Work | undefined, wanted: Work): Laying["manner"] {
  const plain = held !== undefined && held.files === undefined && held.remove === undefined;
  return plain && held.from === wanted.from ? "over" : "all";
}

/** @throws SandboxFault when it cannot be laid; what the work's own files throw goes through as it is. */
export async function lay(cell: Cell, laying: Laying): Promise<void> {
  const { argv, stdin, check } = await begin(cell, laying);
  const result = await execute(cell, { argv: ["/bin/sh", "-c", LAY, ...argv], stdin }, CHORE);
  check(result);
}

/** A command as `layAndRun` takes it: without input, and with variables that a shell can set. */
export interface PlainCommand {
  cwd: string;
  argv: readonly string[];
  env: Record<string, string>;
}

export const canFollow = (env: Record<string, string>): boolean =>
  Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name));

/**
 * Lays the work and becomes the command, in one go: starting a process in a container costs more than most layings.
 * Nothing of the command's environment is set while files are laid, and its time begins after that.
 */
export async function layAndRun(
  cell: Cell,
  laying: Laying,
  { cwd, argv: program, env }: PlainCommand,
  limits: ExecuteLimits,
): Promise<Executed> {
  const { argv, stdin, check } = await begin(cell, laying);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const all = [
    "/bin/sh",
    "-c",
    LAY_AND_RUN,
    ...argv,
    cwd,
    String(variables.length),
    ...variables,
    ...program,
  ];
  const opening = { text: Buffer.from(LAID), wall_ms: CHORE.wall_ms };
  const result = await execute(cell, { argv: all, stdin }, { ...limits, opening });
  if (result.opened || !result.started) return result;
  check(result);
  throw new SandboxFault("sandbox_failed", "files were laid, and the command did not begin");
}

async function begin(cell: Cell, { workdir, work, manner }: Laying) {
  if (manner === "all") await cell.renew?.();
  const list = Buffer.from((work.remove ?? []).map((path) => `${path}\0`).join(""));
  const { from = "" } = work;
  const source = from === "" || from === PREPARED ? from : `${INPUT_DIR}/${from}`;
  const folders = [workdir, "/tmp", "/dev/shm", ...(cell.folders ?? [])];
  let broken: unknown;
  async function* stdin() {
    if (list.length > 0) yield list;
    try {
      yield* tarStream(work.files?.() ?? []);
    } catch (error) {
      broken = error;
    }
  }
  return {
    argv: ["lay", workdir, String(list.length), source, manner, folders.join("\n")],
    stdin: stdin(),
    check: (result: RunResult): void => {
      if (broken !== undefined) throw broken;
      if (result.outcome === "exited" && result.exit_code === 0) return;
      if ("reason" in result) throw new SandboxFault(result.outcome, result.reason);
      const said = result.stderr.toString("utf8").trim().split("\n").slice(0, 3).join(" ");
      throw new SandboxFault("sandbox_failed", `the work folder cannot be laid (${result.outcome}): ${said}`);
    },
  };
}
