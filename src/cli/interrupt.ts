import { removeTemporary } from "../run-folder.ts";
import type { Sandbox } from "../sandbox/types.ts";

/** Statuses that a shell expects of what a signal has ended. */
const STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

/** On Ctrl-C boxes and temporary folders go at once, and are not left to the next run. A second one ends it as it is. */
export function cleanUpOnSignals(sandbox: Sandbox): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      void sandbox.close().finally(() => {
        removeTemporary();
        process.exit(STATUS[signal]);
      });
    });
}
