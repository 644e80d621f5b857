import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { devNull } from "node:os";
import { GraderError } from "../errors.ts";

export interface GitOptions {
  gitDir: string;
  indexFile?: string;
  input?: Uint8Array;
  /** Bytes of standard output after which the run is refused. Default 64 MiB. */
  maxOutput?: number;
  /** Milliseconds. Default 60,000. */
  timeout?: number;
  /** Exit statuses that are answers, not failures. Default [0]. */
  accept?: readonly number[];
  /** Protocols that a fetch may use, for example "file:https". None by default. */
  protocols?: string;
}

export interface GitResult {
  status: number;
  stdout: Buffer;
  stderr: string;
}

/** Address space of one git process, in KiB: a 0.5 MB patch can otherwise make `git apply` take hundreds of MB. */
const ADDRESS_SPACE_KIB = 2 * 1024 * 1024;

/**
 * Only what git needs: no user or system configuration, no prompts, no lazy fetches, no replaced objects.
 * The repository is always our own; an untrusted repository's configuration is never read (design section 3).
 */
function gitEnv(options: GitOptions): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: devNull,
    LC_ALL: "C",
    GIT_DIR: options.gitDir,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOW_PROTOCOL: options.protocols ?? "",
    ...(options.indexFile === undefined ? {} : { GIT_INDEX_FILE: options.indexFile }),
  };
}

/** Starts git under the address-space limit; `ulimit` is best effort where the system has none. */
export function spawnGit(args: readonly string[], options: GitOptions): ChildProcessWithoutNullStreams {
  const script = `ulimit -v ${ADDRESS_SPACE_KIB} 2>/dev/null; exec git "$@"`;
  return spawn("/bin/sh", ["-c", script, "git", ...args], { env: gitEnv(options), cwd: "/" });
}

/**
 * Runs git to its end and returns what it printed.
 *
 * @throws GraderError `git_failed` on an unexpected status, more output than `maxOutput`, or the timeout.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const child = spawnGit(args, options);
  const what = `git ${args.find((arg) => !arg.startsWith("-")) ?? ""}`;
  const maxOutput = options.maxOutput ?? 64 * 1024 * 1024;
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let size = 0;
  let errorSize = 0;
  let refused: string | undefined;
  const stop = (reason: string) => {
    refused ??= reason;
    child.kill("SIGKILL");
  };
  const timeout = options.timeout ?? 60_000;
  const timer = setTimeout(() => stop(`took longer than ${timeout} ms`), timeout);
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxOutput) stop(`printed more than ${maxOutput} bytes`);
    else stdout.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errorSize += chunk.length;
    if (errorSize < 64 * 1024) stderr.push(chunk);
  });
  // git may exit before it has read everything; its status says more than EPIPE.
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  const status = await new Promise<number>((resolve, reject) => {
    child.on("error", (cause) =>
      reject(new GraderError("git_failed", "git cannot be started", {}, { cause })),
    );
    child.on("close", (code) => resolve(code ?? -1));
  }).finally(() => clearTimeout(timer));
  const message = Buffer.concat(stderr).toString("utf8").trim();
  if (refused !== undefined) throw new GraderError("git_failed", `${what} ${refused}`);
  if (!(options.accept ?? [0]).includes(status))
    throw new GraderError("git_failed", `${what} ended with status ${status}: ${message}`);
  return { status, stdout: Buffer.concat(stdout), stderr: message };
}
