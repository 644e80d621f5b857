import { GraderError } from "../errors.ts";
import { spawnGit } from "./git.ts";
import type { Oid } from "./types.ts";

export interface BlobReader {
  /** The object's bytes; undefined when it is larger than `maxBytes` or no blob. */
  read(oid: Oid, maxBytes: number): Promise<Buffer | undefined>;
  close(): void;
}

/** One long-lived `git cat-file` process that answers requests in order. */
function batchProcess(gitDir: string, mode: "--batch" | "--batch-check") {
  const child = spawnGit(["cat-file", mode], { gitDir });
  let pending = Buffer.alloc(0);
  let ended = false;
  let wake: (() => void) | undefined;
  const notify = () => {
    wake?.();
    wake = undefined;
  };
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    notify();
  });
  child.on("close", () => {
    ended = true;
    notify();
  });
  child.on("error", () => {
    ended = true;
    notify();
  });
  child.stdin.on("error", () => {});
  child.stderr.resume();
  const fill = async () => {
    while (chunks.length === 0) {
      if (ended) throw new GraderError("git_failed", "git cat-file ended early");
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    pending = Buffer.concat([pending, ...chunks.splice(0)]);
  };
  return {
    async line(request: string): Promise<string> {
      child.stdin.write(`${request}\n`);
      let end = pending.indexOf(10);
      while (end < 0) {
        await fill();
        end = pending.indexOf(10);
      }
      const line = pending.toString("utf8", 0, end);
      pending = pending.subarray(end + 1);
      return line;
    },
    async bytes(size: number): Promise<Buffer> {
      while (pending.length < size) await fill();
      const bytes = Buffer.from(pending.subarray(0, size));
      pending = pending.subarray(size);
      return bytes;
    },
    close() {
      child.stdin.end();
      child.kill();
    },
  };
}

/** Reads blobs by id. The size is asked for first, so that no object larger than the limit is ever loaded. */
export function openBlobReader(gitDir: string): BlobReader {
  const sizes = batchProcess(gitDir, "--batch-check");
  const contents = batchProcess(gitDir, "--batch");
  let queue: Promise<unknown> = Promise.resolve();

  const read = async (oid: Oid, maxBytes: number): Promise<Buffer | undefined> => {
    if (!/^[0-9a-f]{40,64}$/.test(oid)) throw new GraderError("internal", `not an object id: ${oid}`);
    const [, type, size] = (await sizes.line(oid)).split(" ");
    if (type !== "blob" || Number(size) > maxBytes) return undefined;
    await contents.line(oid);
    const bytes = await contents.bytes(Number(size) + 1);
    return bytes.subarray(0, -1);
  };

  return {
    read(oid, maxBytes) {
      const answer = queue.then(() => read(oid, maxBytes));
      queue = answer.catch(() => {});
      return answer;
    },
    close() {
      sizes.close();
      contents.close();
    },
  };
}
