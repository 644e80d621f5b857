/**
 * One running instance of a box, as a backend makes it: a container, or a set of mounts that bubblewrap is run in.
 * When anything about it is in doubt it is killed and another one is made. All of these throw SandboxFault.
 */
export interface Cell {
  /** What commands of the code under test find set, besides what every command does. */
  env?: Record<string, string>;
  /** Folders that commands can write besides the work folder, /tmp and /dev/shm. */
  folders?: readonly string[];
  /** Makes the work folder, /tmp and /dev/shm anew, where that can be done with nothing left of the old ones. */
  renew?: () => Promise<void>;
  /** Lays a folder under /input from a tar, or keeps the tar there when the name is `<folder>.tar`. Errors of `tar` itself are passed on. */
  put(name: string, tar: AsyncIterable<Buffer>): Promise<void>;
  /** Runs until the main process has ended, with its status. Output is handed over as it comes. */
  exec(command: CellCommand, onOutput: OnOutput): Promise<number>;
  /** What there is after a command, told by something that commands cannot touch. */
  state(): Promise<CellState>;
  /** Ends everything in it; later calls do nothing. Resolves when no process of it is left; never rejects. */
  kill(): Promise<void>;
}

export interface CellCommand {
  argv: readonly string[];
  env?: Record<string, string>;
  stdin?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export type OnOutput = (stream: "stdout" | "stderr", bytes: Buffer) => void;

export interface CellState {
  /** Processes that a command left running. */
  processes: number;
  /** Processes that the kernel has ended for want of memory since the cell began. */
  oomKills: number;
  /** Zero when there are no message queues, semaphores or shared memory, which outlive their makers. */
  ipcObjects: number;
  /** The cell is gone; only `oomKills` still says something. */
  ended: boolean;
}
