import type { Command, FileEntry } from "../../src/sandbox/types.ts";

export const file = (path: string, content: Uint8Array | string, executable = false): FileEntry => ({
  path,
  kind: "file",
  executable,
  content: Buffer.from(content),
});
export const sh = (script: string, more: Partial<Command> = {}): Command => ({
  argv: ["/bin/sh", "-c", script],
  ...more,
});
export const python = (script: string, more: Partial<Command> = {}): Command => ({
  argv: ["python3", "-c", script],
  ...more,
});
