import type { OnOutput } from "./cell.ts";

/**
 * Takes apart the engine's multiplexed output: 8 bytes of header (stream, three zero bytes, length) before each piece.
 * Pieces are handed on as they come in, so that no length that a header claims is ever held in memory.
 */
export function frameParser(onOutput: OnOutput): (chunk: Buffer) => void {
  let head = Buffer.alloc(0);
  let left = 0;
  let stream: "stdout" | "stderr" = "stdout";
  return (chunk) => {
    let rest = chunk;
    while (rest.length > 0)
      if (left > 0) {
        const piece = rest.subarray(0, left);
        left -= piece.length;
        rest = rest.subarray(piece.length);
        onOutput(stream, piece);
      } else {
        const missing = 8 - head.length;
        head = Buffer.concat([head, rest.subarray(0, missing)]);
        rest = rest.subarray(missing);
        if (head.length < 8) return;
        stream = head[0] === 2 ? "stderr" : "stdout";
        left = head.readUInt32BE(4);
        head = Buffer.alloc(0);
      }
  };
}
