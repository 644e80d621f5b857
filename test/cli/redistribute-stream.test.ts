import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decode, lineBatches } from "../../src/cli/redistribute-stream.ts";

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

async function linesOf(text: string, sizes: readonly number[]): Promise<[number, string][]> {
  const lines: [number, string][] = [];
  for await (const batch of lineBatches(cut(Buffer.from(text), sizes))) {
    for (const { bytes, number } of batch) lines.push([number, decode(bytes, {})]);
  }
  return lines;
}

test("however the bytes are cut, the lines and their numbers are the same", async () => {
  const line = fc.constantFrom("", " ", "\t\r", "a", "é", "😀x", "\ufeffa", "a\r", "\u2028", "\u0085");
  const lines = fc.array(line, { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.boolean(),
      fc.array(fc.nat(3), { maxLength: 20 }),
      async (texts, ends, sizes) => {
        const wanted = texts
          .map((text, index): [number, string] => [
            index + 1,
            index === 0 ? text.replace(/^\ufeff/, "") : text,
          ])
          .filter(([, text]) => !/^[ \t\r]*$/.test(text));
        expect(await linesOf(texts.join("\n") + (ends && texts.length > 0 ? "\n" : ""), sizes)).toStrictEqual(
          wanted,
        );
      },
    ),
    { numRuns: 500 },
  );
});

test.each([[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]])(
  "bytes that are not UTF-8 are refused: %j",
  (...bytes) => {
    expect(() => decode(Buffer.from(bytes), { file: "f", line: 3 })).toThrow("f:3: is not UTF-8");
  },
);
