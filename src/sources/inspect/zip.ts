import * as zlib from "node:zlib";
import { decompress } from "fzstd";
import { MAX_BYTES } from "../files.ts";
import type { Note } from "../notes.ts";

/** One file of an archive, not yet unpacked. */
export interface ZipEntry {
  name: string;
  /** 0 stored, 8 deflate, 93 zstd. */
  method: number;
  packed: Buffer;
  /** Unpacked length in bytes, as the archive says. */
  size: number;
  /** CRC-32 of what is unpacked, as the archive says; 0 where its writer left it out. */
  crc: number;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

export function isZip(bytes: Buffer): boolean {
  return bytes.length >= 4 && (bytes.readUInt32LE(0) === LOCAL || bytes.readUInt32LE(0) === END);
}

/**
 * The entries of a zip archive (PKWARE APPNOTE 4.3), the last one where a name repeats. An archive whose directory is
 * missing, because its writer died, is walked by the headers of its files as far as they go.
 */
export function zipEntries(bytes: Buffer, note: Note): ZipEntry[] {
  const listed = fromDirectory(bytes);
  if (listed === undefined) note("zip_truncated", "the archive has no readable directory; read file by file");
  return [...new Map((listed ?? fromHeaders(bytes)).map((entry) => [entry.name, entry])).values()];
}

/** The bytes of an entry, or undefined with a note. */
export function unpack(entry: ZipEntry, note: Note): Buffer | undefined {
  const { name, method, packed } = entry;
  const refuse = (message: string): undefined => {
    note("entry_unreadable", message, { field: name });
  };
  try {
    if (method === 0) return packed;
    if (method === 8) return zlib.inflateRawSync(packed, { maxOutputLength: MAX_BYTES });
    if (method === 93) return unpackZstd(entry);
    return refuse(`packed by method ${method}, which is not known; left out`);
  } catch (error) {
    return refuse(`cannot be unpacked: ${error instanceof Error ? error.message : String(error)}; left out`);
  }
}

/**
 * Unpacked into a buffer of the stated size, which bounds what a hostile archive can cost. Node itself reads zstd only
 * from version 22.15 on.
 * @throws Error when the stated size is too large or wrong, or the content is damaged.
 */
function unpackZstd({ packed, size, crc }: ZipEntry): Buffer {
  if (size > MAX_BYTES) throw new Error(`${size} bytes, more than ${MAX_BYTES}`);
  const { buffer, byteOffset, length } = decompress(packed, new Uint8Array(size));
  const unpacked = Buffer.from(buffer, byteOffset, length);
  if (unpacked.length !== size || (crc !== 0 && zlib.crc32(unpacked) !== crc))
    throw new Error("not what the archive says by size or checksum");
  return unpacked;
}

function fromDirectory(bytes: Buffer): ZipEntry[] | undefined {
  // Behind the end record stands at most a comment of 65535 bytes.
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end < 0 || end + 22 > bytes.length || end < bytes.length - 22 - 0xffff) return undefined;
  const count = bytes.readUInt16LE(end + 10);
  const entries: ZipEntry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) return undefined;
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL) return undefined;
    const data = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    entries.push({
      name: bytes.toString("utf8", at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.subarray(data, data + bytes.readUInt32LE(at + 20)),
      size: bytes.readUInt32LE(at + 24),
      crc: bytes.readUInt32LE(at + 16),
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function fromHeaders(bytes: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 30 <= bytes.length && bytes.readUInt32LE(at) === LOCAL;) {
    const name = at + 30;
    const data = name + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const size = bytes.readUInt32LE(at + 18);
    if (size === 0 || data + size > bytes.length) break;
    entries.push({
      name: bytes.toString("utf8", name, name + bytes.readUInt16LE(at + 26)),
      method: bytes.readUInt16LE(at + 8),
      packed: bytes.subarray(data, data + size),
      size: bytes.readUInt32LE(at + 22),
      crc: bytes.readUInt32LE(at + 14),
    });
    at = data + size;
  }
  return entries;
}
