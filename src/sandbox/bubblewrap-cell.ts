import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { boxCommand, holderCommand, HOST_ENV } from "./bubblewrap-arguments.ts";
import type { Cell, CellCommand, OnOutput } from "./cell.ts";
import { createCgroup } from "./cgroup.ts";
import { NotStarted, SandboxFault, within } from "./fault.ts";
import { feed } from "./feed.ts";
import { PUT } from "./scripts.ts";
import { seccompFilter } from "./seccomp.ts";
import { INPUT_DIR, type Limits } from "./types.ts";

const UNPACK_MS = 120_000;
const FILTER = seccompFilter();

export interface BubblewrapInput {
  /** What shows the programs (`rootArguments`). */
  root: readonly string[];
  workdir: string;
  limits: Limits;
}

/** Folders in memory that bubblewrap is run over, with fresh namespaces for every command. */
export async function startMounts(input: BubblewrapInput): Promise<Cell> {
  const group = await createCgroup(input.limits);
  const holder = await startHolder(input.limits).catch(async (error: unknown) => {
    await group.remove();
    throw error;
  });
  const running = new Set<ChildProcess>();
  let killed: Promise<void> | undefined;

  const exec = (command: CellCommand, onOutput: OnOutput, inputWritable: boolean): Promise<number> => {
    const { joinFiles, controllers } = group;
    const { argv, env = {}, stdin } = command;
    const filtered = FILTER !== undefined;
    const all = { ...input, holder: holder.id, joinFiles, controllers, inputWritable, filtered, argv, env };
    return runBwrap(boxCommand(all), stdin, onOutput, running);
  };

  return {
    async put(folder, tar) {
      let said = "";
      let broken: unknown;
      async function* stdin() {
        try {
          yield* tar;
        } catch (error) {
          broken = error;
        }
      }
      const keep: OnOutput = (_stream, bytes) => {
        said = (said + bytes.toString("utf8")).slice(0, 500);
      };
      const command = { argv: ["/bin/sh", "-c", PUT, "put", folder], stdin: stdin() };
      const status = await within(UNPACK_MS, "unpacking files", exec(command, keep, true));
      if (broken !== undefined) throw broken;
      if (status === 0) return;
      const reason = `files cannot be laid in ${INPUT_DIR}/${folder}: ${said.trim()}`;
      throw new SandboxFault("sandbox_failed", reason);
    },
    exec: (command, onOutput) => exec(command, onOutput, false),
    renew: () => holder.renew(),
    state: async () => ({
      processes: 0,
      oomKills: await group.oomKills(),
      ipcObjects: 0,
      ended: !(await runs(holder.id)),
    }),
    kill() {
      killed ??= (async () => {
        for (const child of running) child.kill("SIGKILL");
        holder.child.kill("SIGKILL");
        await group.remove();
        await untilEnded(holder.id).catch(() => {});
        while (running.size > 0) await delay(2);
      })();
      return killed;
    },
  };
}

interface Holder {
  child: ChildProcess;
  id: number;
  renew: () => Promise<void>;
}

async function startHolder(limits: Limits): Promise<Holder> {
  const [program, ...argv] = holderCommand(limits);
  if (program === undefined) throw new Error("a command has a program");
  const child = spawn(program, argv, { env: HOST_ENV, cwd: "/", stdio: "pipe" });
  child.stdin.on("error", () => {});
  let said = "";
  child.stderr.on("data", (bytes: Buffer) => {
    said = (said + bytes.toString("utf8")).slice(-300);
  });
  const ended = new Promise<never>((_resolve, reject) => {
    const fail = (why: string) =>
      reject(new SandboxFault("unavailable", `namespaces cannot be made here: ${why.trim()}`));
    child.on("error", (error) => fail(error.message));
    child.on("close", () => fail(said));
  });
  ended.catch(() => {});
  const lines = createInterface({ input: child.stdout });
  const line = async (what: string): Promise<string> => {
    const next = new Promise<string>((resolve) => {
      lines.once("line", resolve);
    });
    return within(10_000, what, Promise.race([next, ended]));
  };
  try {
    const ready = await line("mounting the folders of a box");
    return {
      child,
      id: Number(ready.slice("ready ".length)),
      async renew() {
        const answer = line("mounting the folders of a box anew");
        child.stdin.write("\n");
        await answer;
      },
    };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

async function runBwrap(
  [program = "", ...argv]: readonly string[],
  stdin: CellCommand["stdin"],
  onOutput: OnOutput,
  running: Set<ChildProcess>,
): Promise<number> {
  const child = spawn(program, argv, {
    env: HOST_ENV,
    cwd: "/",
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe", "pipe", "pipe"],
  });
  const filter = child.stdio[4];
  if (filter instanceof Writable) filter.on("error", () => {}).end(FILTER);
  running.add(child);
  let status = "";
  let said = "";
  child.stdio[3]?.on("data", (bytes: Buffer) => {
    status += bytes.toString("utf8");
  });
  child.stdout?.on("data", (bytes: Buffer) => onOutput("stdout", bytes));
  child.stderr?.on("data", (bytes: Buffer) => {
    if (said.length < 300) said += bytes.toString("utf8");
    onOutput("stderr", bytes);
  });
  if (stdin !== undefined && child.stdin !== null) void feed(child.stdin, stdin);
  const closed = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
  });
  await new Promise<void>((resolve, reject) => {
    child.on("error", (error) => reject(new SandboxFault("sandbox_failed", error.message, error)));
    child.on("exit", () => resolve());
  }).finally(() => running.delete(child));
  // Every process of the command has ended by now, but what it printed may still be on its way.
  await Promise.race([closed, delay(1000)]);
  const code = /"exit-code": (\d+)/.exec(status)?.[1];
  if (code !== undefined) return Number(code);
  const reason = said.slice(0, 300).trim();
  if (!status.includes('"child-pid"')) throw new NotStarted(`bubblewrap did not run the command: ${reason}`);
  throw new SandboxFault("sandbox_failed", `bubblewrap did not tell the command's end: ${reason}`);
}

async function untilEnded(id: number): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (!(await runs(id))) return;
    await delay(2);
  }
  throw new SandboxFault("sandbox_failed", "the processes of a command cannot be ended");
}

/** A process that has ended but was not yet waited for is over. */
async function runs(id: number): Promise<boolean> {
  const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) [ZX] /.test(stat);
}
