import { setTimeout as delay } from "node:timers/promises";
import type { Cell, CellCommand, CellState, OnOutput } from "./cell.ts";
import {
  ask,
  statusOf,
  type Container,
  type ContainerCreateOptions,
  type Engine,
  type Exec,
} from "./docker-engine.ts";
import { frameParser } from "./docker-frames.ts";
import { createContainer } from "./docker-podman.ts";
import { openKeeper, type Keeper } from "./docker-keeper.ts";
import { asLines, CODE_USER } from "./docker-options.ts";
import { NotStarted, reasonOf, SandboxFault, within } from "./fault.ts";
import { feed } from "./feed.ts";

export type ContainerCell = Cell & { container: Container; env: Record<string, string> };

/**
 * A container with its keeper.
 *
 * @param more - What commands of the code under test get besides, where they can write besides, who they run as.
 */
export async function startContainer(
  engine: Engine,
  options: ContainerCreateOptions,
  more: { env: Record<string, string>; folders?: readonly string[]; user?: number },
): Promise<ContainerCell> {
  const { env, folders = [], user = CODE_USER } = more;
  const { container, remove } = await createContainer(engine, options);
  let removed: Promise<void> | undefined;
  const kill = () => {
    removed ??= remove();
    return removed;
  };
  try {
    const attached = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true };
    const keeper = openKeeper(await ask("attaching", () => container.attach(attached)));
    await ask("starting a container", () => container.start());
    const [atRest] = await keeper.state();
    return {
      container,
      env,
      folders,
      put: (folder, tar) => keeper.put(folder, tar),
      exec: (command, onOutput) => runExec(container, user, command, onOutput),
      state: () => stateOf(container, keeper, atRest),
      kill,
    };
  } catch (error) {
    await kill();
    throw error;
  }
}

async function runExec(
  container: Container,
  user: number,
  command: CellCommand,
  onOutput: OnOutput,
): Promise<number> {
  const preparing = ask("preparing a command", () =>
    container.exec({
      Cmd: [...command.argv],
      Env: asLines(command.env ?? {}),
      User: `${user}:${user}`,
      AttachStdin: command.stdin !== undefined,
      AttachStdout: true,
      AttachStderr: true,
      Tty: false,
    }),
  );
  // A container that has ended meanwhile refuses it, and nothing has happened then.
  const exec = await preparing.catch((error: unknown) => {
    throw statusOf(error) === undefined ? error : new NotStarted(reasonOf(error));
  });
  const stream = await ask("starting a command", () =>
    exec.start({ hijack: true, stdin: command.stdin !== undefined }),
  );
  let begin = "";
  stream.on(
    "data",
    frameParser((name, bytes) => {
      if (begin.length < 300) begin += bytes.toString("utf8", 0, 300);
      onOutput(name, bytes);
    }),
  );
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stream.on(event, () => resolve());
  });
  if (command.stdin !== undefined) void feed(stream, command.stdin);
  try {
    const { status, started } = await ending(exec, ended);
    // The engine reports its own failure as if the command had printed it; such a command never had a process.
    if (!started && begin.startsWith("OCI runtime"))
      throw new NotStarted(`the command did not start: ${begin.trim()}`);
    return status;
  } finally {
    stream.destroy();
  }
}

/**
 * Waits for the main process. Its streams tell first as a rule, but a process that it leaves behind can hold them open,
 * and a process can close them and go on: so the engine is asked, too.
 */
async function ending(exec: Exec, ended: Promise<void>): Promise<{ status: number; started: boolean }> {
  for (let pause = 5; ; pause = Math.min(pause * 2, 500)) {
    const streamEnded = await Promise.race([ended.then(() => true), delay(500, false)]);
    const info = await within(15_000, "the engine's answer", exec.inspect()).catch((error: unknown) => {
      throw new SandboxFault("sandbox_failed", `the engine was lost: ${reasonOf(error)}`, error);
    });
    if (info.Running) {
      if (streamEnded) await delay(pause);
      continue;
    }
    if (typeof info.ExitCode !== "number")
      throw new SandboxFault("sandbox_failed", "the engine knows no exit status");
    // What was printed before the end may still be on its way when a survivor holds the stream open.
    if (!streamEnded) await Promise.race([ended, delay(50)]);
    return { status: info.ExitCode, started: info.Pid !== 0 };
  }
}

async function stateOf(container: Container, keeper: Keeper, atRest: number): Promise<CellState> {
  try {
    for (let tries = 0; ; tries += 1) {
      const [processes, oomKills, ipcObjects] = await keeper.state();
      // A process that has just ended is seen for a moment.
      if (processes <= atRest || tries === 5)
        return { processes: processes - atRest, oomKills, ipcObjects, ended: false };
      await delay(5);
    }
  } catch (error) {
    // The keeper is small, but the kernel may choose it all the same.
    const { State } = await ask("asking for a container's end", () => container.inspect());
    if (State.OOMKilled) return { processes: 0, oomKills: Infinity, ipcObjects: 0, ended: true };
    throw error;
  }
}
