import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is gone at the end of the block: `using dir = tempDir()`. */
export function tempDir(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "gagar-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
