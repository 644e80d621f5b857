import type { ImageFiles, ImagePlace } from "../workspace/types.ts";

/**
 * The contract of a sandbox. Results are values: a program that fails, a limit that was reached and a sandbox that
 * broke are different outcomes, and nothing here throws because of what code under test did.
 */
export interface Sandbox {
  name: SandboxName;
  describe(): Promise<Description>;
  /**
   * Starts a box and waits until it can run commands. When that fails the box is there all the same, and its commands
   * answer `unavailable` or `sandbox_failed` with the reason, each after one more attempt to start.
   */
  open(spec?: BoxSpec): Promise<Box>;
  /** Where images can be had. */
  images?: Images;
  /** Ends every box that is still open, and waits until nothing of them is left. */
  close(): Promise<void>;
}

/** Images of the engine, and what is made of them. Whatever is made is kept by the engine under a name by content. */
export interface Images {
  /**
   * The files of a folder of an image.
   *
   * @throws GraderError `base_unavailable`
   */
  read: (place: ImagePlace) => Promise<ImageFiles>;
  /** Makes an image that boxes start from, unless it is there. Its work folder's content lies at `PREPARED`. */
  prepare: (wanted: Preparation) => Promise<Prepared>;
}

export interface Preparation {
  /** Default: the default image. */
  image?: string;
  /** Default `/work`. */
  workdir?: string;
  /** What the work folder holds, with a name for the content. Default: what the image has there. */
  base?: { key: string; files: FileSource };
  /** Run by root in the work folder, without the rights that a container's root has besides. */
  setup?: { command: string; network: boolean; wall_ms: number };
  limits?: Partial<Limits>;
}

/** The image's name, or why there is none. A setup that fails is the sandbox's failure, with the end of its output. */
export type Prepared = { outcome: "prepared"; image: string } | SandboxFailure;

/** Where a prepared image has the content of the work folder: a source for `Work.from`. */
export const PREPARED = "/gagar/work";

export const SANDBOX_NAMES = ["docker", "bubblewrap", "none"] as const;
export type SandboxName = (typeof SANDBOX_NAMES)[number];

export interface Description {
  name: SandboxName;
  available: boolean;
  /** Engine or tool with its version; the reason when it is not available. */
  found: string;
  /** What the boxes run on: an image, or a folder of the host. */
  root: string;
  /** What this backend cannot promise on this machine, a sentence each. */
  cannot: string[];
}

/** The folder that code under test works in, unless a box names another. */
export const WORK_DIR = "/work";

/** Where `put` lays folders. Code under test can read it and not write it. */
export const INPUT_DIR = "/input";

export interface BoxSpec {
  /** An image other than the default one. It needs sh, tar, cp, dd, find and xargs in /usr/bin or /bin. */
  image?: string;
  /** The folder that code under test works in and owns. Default `/work`. */
  workdir?: string;
  limits?: Partial<Limits>;
}

/** Each limit is enforced from outside of the code under test. */
export interface Limits {
  /** Wall clock of one command, in milliseconds. */
  wall_ms: number;
  /** stdout and stderr of one command together, in bytes. A command that prints more is ended. */
  output_bytes: number;
  /** All processes and all files of a box together, in bytes: its folders lie in memory. */
  memory_bytes: number;
  /** Processes and threads at one time. */
  pids: number;
  /** Processors, as far as the machine has them. */
  cpus: number;
  open_files: number;
  /** Largest file that a process can write, in bytes. */
  file_bytes: number;
  input_bytes: number;
  input_files: number;
  work_bytes: number;
  work_files: number;
  /** /tmp, in bytes; it holds as many files as the work folder. */
  temp_bytes: number;
}

const MIB = 1024 * 1024;

/** The folders' sizes add up to less than the memory, so that a full disk is ENOSPC and not the end of the box. */
export const DEFAULT_LIMITS: Readonly<Limits> = {
  wall_ms: 120_000,
  output_bytes: 8 * MIB,
  memory_bytes: 2048 * MIB,
  pids: 256,
  cpus: 2,
  open_files: 4096,
  file_bytes: 512 * MIB,
  input_bytes: 512 * MIB,
  input_files: 200_000,
  work_bytes: 512 * MIB,
  work_files: 100_000,
  temp_bytes: 256 * MIB,
};

/** `path` is slash-separated and relative; folders come into being with their files. */
export type FileEntry =
  | { path: string; kind: "file"; executable: boolean; content: Uint8Array }
  | { path: string; kind: "symlink"; target: Uint8Array }
  /** Another name of a file that came earlier in the same source. */
  | { path: string; kind: "hardlink"; target: string };

/** Called again when a box has to be made anew. */
export type FileSource = () => AsyncIterable<FileEntry> | Iterable<FileEntry>;

/** What the work folder holds at the start: a copy of `from`, without `remove`, with `files` over it. */
export interface Work {
  /** The name of a folder that was put, `<name>.tar` of an archive, or `PREPARED`. */
  from?: string;
  /** Paths of files or whole folders. */
  remove?: readonly string[];
  files?: FileSource;
}

/**
 * A place to run commands in, for one rollout at a time. Its operations are done one after the other. After every
 * outcome but `exited` the box is made anew: folders that were put and the work that was laid are there again, what
 * commands wrote is gone. No process outlives its command.
 */
export interface Box {
  /**
   * Lays files at `/input/<folder>` in place of what was there; as an archive, which is only a source for `Work.from`,
   * at `/input/<folder>.tar`. A folder's name has letters, digits and dashes.
   */
  put(folder: string, files: FileSource, as?: "folder" | "archive"): Promise<void>;
  /**
   * Before the next command: empties every place that commands can write to, ends what still runs and lays the work
   * folder anew, owned by the user that commands run as. Between two calls of this, nothing leaks. What the work's
   * files throw, that command throws.
   */
  lay(work: Work): Promise<void>;
  /** Does at once what `lay` leaves to the next command, so that this one begins without it. */
  warm(): Promise<void>;
  run(command: Command): Promise<RunResult>;
  /** Reads a regular file as the user that commands run as. Links are not followed. */
  read(path: string, maxBytes: number): Promise<ReadResult>;
  close(): Promise<void>;
}

export interface Command {
  /** Program and arguments; no shell reads them. */
  argv: readonly [string, ...string[]];
  /** Default: the work folder. */
  cwd?: string;
  /** Besides PATH, HOME, LANG and what the image sets. Nothing of the host's environment is visible inside. */
  env?: Record<string, string>;
  /** Default: no input. */
  stdin?: Uint8Array;
  wall_ms?: number;
  output_bytes?: number;
  /** Ends the command; the promise then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export type SandboxFailure =
  /** The sandbox broke, and nothing is known about the program. */
  | { outcome: "sandbox_failed"; reason: string }
  /** There is no sandbox to run it in. */
  | { outcome: "unavailable"; reason: string };

export type RunOutcome =
  /** `signal` is what a status above 128 stands for by convention; a program can also exit with such a status. */
  | { outcome: "exited"; exit_code: number; signal?: string }
  | { outcome: "timed_out" }
  /** The kernel ended a process of this command for want of memory, whatever the command itself then made of it. */
  | { outcome: "out_of_memory" }
  | { outcome: "output_limit" }
  | SandboxFailure;

export type RunResult = RunOutcome & {
  stdout: Buffer;
  stderr: Buffer;
  /** The command printed more than is returned here. */
  truncated: boolean;
  /** Milliseconds. */
  wall_ms: number;
};

export type ReadResult =
  | { outcome: "read"; bytes: Buffer }
  /** `not_a_file`: a link, a pipe, a device. */
  | { outcome: "missing" | "directory" | "not_a_file" | "denied" | "too_large" }
  | SandboxFailure;
