import type { Writable } from "node:stream";

/** Writes a command's input and closes it. A program need not read all of it, and may end at any time. */
export async function feed(
  stream: Writable,
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  let wake: (() => void) | undefined;
  for (const event of ["drain", "close", "error"]) stream.on(event, () => wake?.());
  for await (const bytes of input) {
    if (stream.destroyed) return;
    if (stream.write(bytes)) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  stream.end();
}
