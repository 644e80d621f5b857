import type { Box, Sandbox, SandboxFailure } from "./types.ts";

/** No sandbox: every command answers with the reason, and grading goes on with what was recorded. */
export function unavailableSandbox(reason: string): Sandbox {
  const failure: SandboxFailure = { outcome: "unavailable", reason };
  const box: Box = {
    async put() {},
    async lay() {},
    async warm() {},
    run: async () => ({
      ...failure,
      stdout: Buffer.alloc(0),
      stderr: Buffer.alloc(0),
      truncated: false,
      wall_ms: 0,
    }),
    read: async () => failure,
    async close() {},
  };
  return {
    name: "none",
    describe: async () => ({ name: "none", available: false, found: reason, root: "", cannot: [] }),
    open: async () => box,
    async close() {},
  };
}
