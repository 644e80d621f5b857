import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readInspectLog } from "../../../src/sources/inspect/index.ts";
import { unpack, type ZipEntry, zipEntries } from "../../../src/sources/inspect/zip.ts";

// Made from the samples of inspect-log.json with the zstd 1.5 program at level 19: epoch 1 as a stream that does not say
// its size, with a checksum; epoch 2 with its size and none. The header is deflated.
const archive = readFileSync(
  fileURLToPath(new URL("../../fixtures/sources/inspect/zstd.eval", import.meta.url)),
);

function unpacked(entry: ZipEntry): { bytes: Buffer | undefined; notes: string[] } {
  const notes: string[] = [];
  return { bytes: unpack(entry, (code) => notes.push(code)), notes };
}

describe("entries packed by zstd", () => {
  const entry = zipEntries(archive, () => undefined).find(({ method }) => method === 93);
  if (entry === undefined) throw new Error("the fixture holds no such entry");

  test("are read as others are", () => {
    const notes: string[] = [];
    const log = readInspectLog(archive, (code) => notes.push(code));
    expect(log?.samples.map(({ id, epoch }) => [id, epoch])).toEqual([
      ["gate", 1],
      ["gate", 2],
    ]);
    expect(log?.samples[0]?.messages).toEqual(log?.samples[1]?.messages);
    expect(log?.samples[0]?.messages).not.toEqual([]);
    expect(notes).toEqual([]);
  });

  test("are read by the headers of files where the directory is missing", () => {
    const cut = archive.subarray(0, archive.lastIndexOf("PK\u0001\u0002samples"));
    expect(
      readInspectLog(cut.subarray(0, cut.indexOf("PK\u0001\u0002")), () => undefined)?.samples,
    ).toHaveLength(2);
  });

  test.each([
    ["a size that is too small", { size: entry.size - 1 }],
    ["a size that is too large", { size: entry.size + 1 }],
    ["a size of nothing", { size: 0 }],
    ["a size beyond what is read", { size: 0xfffffffe }],
    ["another checksum", { crc: entry.crc ^ 1 }],
    ["half of it", { packed: entry.packed.subarray(0, entry.packed.length >> 1) }],
    ["nothing", { packed: Buffer.alloc(0) }],
    ["two frames", { packed: Buffer.concat([entry.packed, entry.packed]), size: 2 * entry.size }],
  ])("with %s are left out", (_, change) => {
    expect(unpacked({ ...entry, ...change })).toEqual({ bytes: undefined, notes: ["entry_unreadable"] });
  });

  test("without a checksum are believed", () => {
    expect(unpacked({ ...entry, crc: 0 }).bytes?.length).toBe(entry.size);
  });

  test("give what was packed or nothing, whatever bytes change", () => {
    const whole = unpacked(entry).bytes;
    fc.assert(
      fc.property(
        fc.nat({ max: entry.packed.length - 1 }),
        fc.uint8Array({ minLength: 1, maxLength: 8 }),
        (at, put) => {
          const packed = Buffer.from(entry.packed);
          packed.set(put.subarray(0, packed.length - at), at);
          const { bytes, notes } = unpacked({ ...entry, packed });
          if (bytes === undefined) expect(notes).toEqual(["entry_unreadable"]);
          else expect(bytes).toEqual(whole);
        },
      ),
      { numRuns: 500 },
    );
  });
});
