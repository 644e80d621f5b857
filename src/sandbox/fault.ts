import type { SandboxFailure } from "./types.ts";

/** Thrown inside `src/sandbox` when a backend breaks; `openBox` turns it into an outcome. */
export class SandboxFault extends Error {
  override readonly name = "SandboxFault";
  readonly outcome: SandboxFailure["outcome"];

  constructor(outcome: SandboxFailure["outcome"], message: string, cause?: unknown) {
    super(message, { cause });
    this.outcome = outcome;
  }
}

/** A command that never had a process: it can be run again, since nothing of it has happened. */
export class NotStarted extends SandboxFault {
  constructor(message: string) {
    super("sandbox_failed", message);
  }
}

/** The text of anything thrown, for a reason. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * The promise, or a fault when it takes longer than `ms`: an engine that hangs must not hang a grading.
 * What the promise does later is of no interest then.
 */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new SandboxFault("sandbox_failed", `${what} took longer than ${ms / 1000} s`)),
      ms,
    );
  });
  promise.catch(() => {});
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
