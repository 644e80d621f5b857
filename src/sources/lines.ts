/** One line of a file, with its newline. */
export interface RawLine {
  /** Undefined when it is longer than what is kept; such a line is never held. */
  bytes: Buffer | undefined;
  /** From 1 on. */
  number: number;
  /** Where it begins, and how long it is, in bytes. */
  offset: number;
  length: number;
}

/** The lines of a stream, one at a time: memory is that of a chunk and a line of at most `maxBytes`. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<RawLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let offset = 0;
  let number = 1;
  const end = (): RawLine => {
    const bytes = length > maxBytes ? undefined : Buffer.concat(parts);
    const line = { bytes, number: number++, offset, length };
    offset += length;
    parts = [];
    length = 0;
    return line;
  };
  const keep = (piece: Buffer): void => {
    length += piece.length;
    if (length > maxBytes) parts = [];
    else parts.push(piece);
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, newline + 1));
      yield end();
      from = newline + 1;
    }
    keep(chunk.subarray(from));
  }
  if (length > 0) yield end();
}
