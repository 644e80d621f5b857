import { GraderError } from "../errors.ts";
import type { FileEntry } from "./types.ts";

const BLOCK = 512;
/** Small blocks are gathered to pieces of about this size. */
const PIECE = 256 * 1024;
/** The same files give the same bytes. Archivers refuse times before 1980. */
const MTIME = 1_000_000_000;

const NONE = Buffer.alloc(0);

const TYPES = { file: "0", hardlink: "1", symlink: "2", longName: "L", longLink: "K" } as const;

/**
 * The entries as an uncompressed tar in GNU's format, ending with two empty blocks. It is written here and not by git
 * or tar, so that no attribute, filter or user name of the host has a say in the bytes.
 *
 * @throws GraderError `internal` for a path that is absolute or leaves the folder.
 */
export async function* tarStream(
  entries: AsyncIterable<FileEntry> | Iterable<FileEntry>,
): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const entry of entries)
    for (const part of entryBlocks(entry)) {
      parts.push(part);
      size += part.length;
      if (size < PIECE) continue;
      yield Buffer.concat(parts);
      parts = [];
      size = 0;
    }
  parts.push(Buffer.alloc(2 * BLOCK));
  yield Buffer.concat(parts);
}

function entryBlocks(entry: FileEntry): Uint8Array[] {
  const name = checkedPath(entry.path);
  if (entry.kind === "symlink") return record(name, TYPES.symlink, 0o777, 0, entry.target);
  if (entry.kind === "hardlink") return record(name, TYPES.hardlink, 0o644, 0, checkedPath(entry.target));
  const mode = entry.executable ? 0o755 : 0o644;
  return [...record(name, TYPES.file, mode, entry.content.length), ...padded(entry.content)];
}

/** A header, after the records that hold a name or a link target of more than 100 bytes. */
function record(name: Uint8Array, type: string, mode: number, size: number, link: Uint8Array = NONE) {
  return [
    ...(name.length > 100 ? longRecord(TYPES.longName, name) : []),
    ...(link.length > 100 ? longRecord(TYPES.longLink, link) : []),
    header(name, type, mode, size, link),
  ];
}

function longRecord(type: string, text: Uint8Array): Uint8Array[] {
  const content = Buffer.concat([text, Buffer.alloc(1)]);
  return [header(Buffer.from("././@LongLink"), type, 0o644, content.length, NONE), ...padded(content)];
}

function header(name: Uint8Array, type: string, mode: number, size: number, link: Uint8Array): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, width: number) =>
    block.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at, "latin1");
  block.set(name.subarray(0, 100), 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(MTIME, 136, 12);
  block.write(" ".repeat(8), 148, "latin1");
  block.write(type, 156, "latin1");
  block.set(link.subarray(0, 100), 157);
  block.write("ustar  \0", 257, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

function padded(content: Uint8Array): Uint8Array[] {
  const rest = content.length % BLOCK;
  return rest === 0 ? [content] : [content, Buffer.alloc(BLOCK - rest)];
}

function checkedPath(path: string): Buffer {
  const wrong = path.includes("\0") || path.split("/").some((part) => ["", ".", ".."].includes(part));
  if (wrong) throw new GraderError("internal", `not a path inside a folder: ${JSON.stringify(path)}`);
  return Buffer.from(path);
}
