import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { extract } from "tar-stream";
import { expect, test } from "vitest";
import { tarStream } from "../../src/sandbox/tar.ts";
import type { FileEntry } from "../../src/sandbox/types.ts";

async function bytesOf(entries: FileEntry[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of tarStream(entries)) parts.push(part);
  return Buffer.concat(parts);
}

async function readBack(tar: Buffer) {
  const reader = extract();
  reader.end(tar);
  const found: Record<string, unknown>[] = [];
  for await (const entry of reader) {
    const parts: Buffer[] = [];
    for await (const part of entry) parts.push(Buffer.from(part as Uint8Array));
    const { name, type, mode, linkname } = entry.header;
    found.push({
      name,
      type,
      mode,
      link: linkname ?? undefined,
      content: Buffer.concat(parts).toString("latin1"),
    });
  }
  return found;
}

const part = fc
  .string({ unit: "binary", minLength: 1, maxLength: 120 })
  .filter((text) => !/[/\0]|^\.{1,2}$/.test(text) && Buffer.from(text).toString() === text);
const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const entry: fc.Arbitrary<FileEntry> = fc.oneof(
  fc.record({
    path,
    kind: fc.constant("file" as const),
    executable: fc.boolean(),
    content: fc.uint8Array({ maxLength: 2000 }),
  }),
  fc.record({ path, kind: fc.constant("symlink" as const), target: path.map((text) => Buffer.from(text)) }),
  fc.record({ path, kind: fc.constant("hardlink" as const), target: path }),
);

test("what is written is what is read back", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 6 }), async (entries) => {
      const tar = await bytesOf(entries);
      expect(tar.length % 512).toBe(0);
      expect(await readBack(tar)).toEqual(
        entries.map((each) => ({
          name: each.path,
          type: { file: "file", symlink: "symlink", hardlink: "link" }[each.kind],
          mode:
            each.kind === "file"
              ? each.executable
                ? 0o755
                : 0o644
              : each.kind === "symlink"
                ? 0o777
                : 0o644,
          link: each.kind === "file" ? undefined : Buffer.from(each.target).toString(),
          content: each.kind === "file" ? Buffer.from(each.content).toString("latin1") : "",
        })),
      );
    }),
    { numRuns: 200 },
  );
});

test("GNU tar reads it, and the same files give the same bytes", async () => {
  const long = "n".repeat(130);
  const entries: FileEntry[] = [
    { path: `${long}/f`, kind: "file", executable: true, content: Buffer.alloc(300_000, 7) },
    { path: "l", kind: "symlink", target: Buffer.from([0xff, 0x61]) },
  ];
  const tar = await bytesOf(entries);
  const listed = execFileSync("tar", ["--utc", "--numeric-owner", "-tvf", "-"], {
    input: tar,
    encoding: "latin1",
  });
  expect(listed.split("\n")).toEqual([
    `-rwxr-xr-x 0/0          300000 2001-09-09 01:46 ${long}/f`,
    "lrwxrwxrwx 0/0               0 2001-09-09 01:46 l -> \\377a",
    "",
  ]);
  expect((await bytesOf(entries)).equals(tar)).toBe(true);
});

test.each(["/abs", "../x", "a/../b", "a//b", "", ".", "a/.", "nul\0", "a/"])("no path %j", async (wrong) => {
  const content = Buffer.alloc(0);
  await expect(bytesOf([{ path: wrong, kind: "file", executable: false, content }])).rejects.toThrow(
    "not a path",
  );
  await expect(bytesOf([{ path: "x", kind: "hardlink", target: wrong }])).rejects.toThrow("not a path");
});
