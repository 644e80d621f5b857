import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type RawLine, splitLines } from "../../src/sources/lines.ts";

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0;
  for (const size of [...sizes, bytes.length]) {
    if (from < bytes.length) yield bytes.subarray(from, from + size);
    from += size;
  }
}

async function linesOf(text: string, maxBytes: number, sizes: readonly number[] = []): Promise<RawLine[]> {
  const lines: RawLine[] = [];
  for await (const line of splitLines(cut(Buffer.from(text), sizes), maxBytes)) lines.push(line);
  return lines;
}

test("lines have their place, and one that is too long is passed over without losing the next", async () => {
  expect(await linesOf("ab\n\nabcdefgh\nend", 4)).toEqual([
    { bytes: Buffer.from("ab\n"), number: 1, offset: 0, length: 3 },
    { bytes: Buffer.from("\n"), number: 2, offset: 3, length: 1 },
    { bytes: undefined, number: 3, offset: 4, length: 9 },
    { bytes: Buffer.from("end"), number: 4, offset: 13, length: 3 },
  ]);
  expect(await linesOf("", 4)).toEqual([]);
});

test("however a stream is cut, the lines are the same and give the text again", async () => {
  const text = fc
    .array(fc.constantFrom("a", "é", "\n", "bc"), { maxLength: 30 })
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 12 }),
      async (given, sizes) => {
        const lines = await linesOf(given, 1000, sizes);
        expect(lines).toEqual(await linesOf(given, 1000));
        expect(Buffer.concat(lines.map(({ bytes }) => bytes ?? Buffer.alloc(0))).toString()).toBe(given);
      },
    ),
  );
});
