import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import type { ImportEntry } from "./import.ts";

/** Unpacked bytes after which an archive is refused: a small archive must not fill the disk. */
const MAX_UNPACKED = 8 * 1024 * 1024 * 1024;

type OnSkip = (path: string, why: string) => void;

/** Entries of a tar or tar.gz, told apart by content. */
export async function* tarEntries(path: string, onSkip: OnSkip): AsyncGenerator<ImportEntry> {
  const plain = (await isGzip(path)) ? createGunzip() : new PassThrough();
  yield* unpackTar([createReadStream(path), plain], onSkip);
}

/** Entries of a tar that comes through streams. Only files, links and symlinks; a device or FIFO is reported. */
export async function* unpackTar(
  streams: readonly NodeJS.ReadableStream[],
  onSkip: OnSkip,
): AsyncGenerator<ImportEntry> {
  const parser = extract();
  const feeding = pipeline([...streams, parser]);
  // Read errors surface through the parser; this only keeps them from being unhandled first.
  feeding.catch(() => {});
  let total = 0;
  for await (const entry of parser) {
    const { name, type, mode, linkname, size } = entry.header;
    total += size ?? 0;
    if (total > MAX_UNPACKED) throw new Error(`the archive unpacks to more than ${MAX_UNPACKED} bytes`);
    const executable = ((mode ?? 0) & 0o100) !== 0;
    if (type === "file" || type === "contiguous-file")
      yield { path: name, mode: executable ? "100755" : "100644", size: size ?? 0, body: buffers(entry) };
    else if (type === "symlink") yield { path: name, mode: "120000", link: linkname ?? "" };
    else if (type === "link") yield { path: name, hardlink: linkname ?? "" };
    else if (type !== "directory") onSkip(name, `a ${type} is no file`);
    entry.resume();
  }
  await feeding;
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

/** The stream's own types leave the chunks open; they are buffers. */
async function* buffers(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk;
}
