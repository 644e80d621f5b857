import { constants, isUtf8 } from "node:buffer";
import { asGraderError, GraderError, type Place } from "../errors.ts";
import { redistributeLine, type LineOptions, type LineResult } from "./redistribute-line.ts";

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** What has happened so far; `status` is the exit status that the bad lines ask for. */
export interface Tally {
  redistributed: number;
  unchanged: number;
  notConserved: number;
  bad: number;
  status: number;
}

/**
 * The redistributed lines of a file, a text for every chunk of it.
 *
 * @param report - `tally` is counted up; `onBad` is told of every line that is left out. With `strict` the first bad line
 *   is thrown instead, after what came before it.
 */
export async function* redistributeLines(
  chunks: AsyncIterable<Buffer>,
  file: string,
  options: LineOptions,
  report: { readonly tally: Tally; readonly strict: boolean; onBad(error: GraderError): void },
): AsyncGenerator<string> {
  const { tally } = report;
  for await (const batch of lineBatches(chunks)) {
    let text = "";
    for (const line of batch) {
      const result = attempt(line, file, options);
      if (!(result instanceof GraderError)) {
        tally[result.changed ? "redistributed" : "unchanged"] += 1;
        if (!result.conserved) tally.notConserved += 1;
        text += `${result.text}\n`;
        continue;
      }
      tally.bad += 1;
      tally.status = Math.max(tally.status, result.exitStatus);
      if (report.strict) {
        yield text;
        throw result;
      }
      report.onBad(result);
    }
    if (text !== "") yield text;
  }
}

function attempt({ bytes, number }: Line, file: string, options: LineOptions): LineResult | GraderError {
  const where = { file, line: number };
  try {
    return redistributeLine(decode(bytes, where), options, where);
  } catch (error) {
    if (error instanceof GraderError) return error;
    const { code, message } = asGraderError(error);
    return new GraderError(code, message, where, { cause: error });
  }
}

/** One line of a text file, without its end; `number` counts from 1. */
export interface Line {
  readonly bytes: Buffer;
  readonly number: number;
}

/**
 * The lines that each chunk completes, in batches, so that whoever writes can do so once a chunk. Memory is bounded by
 * a chunk and the longest line. Blank lines are counted and left out; a carriage return before the end is left in,
 * since it is white space to JSON.
 */
export async function* lineBatches(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  let number = 0;
  let open: Buffer[] = [];
  const close = (end: Buffer): Line[] => {
    const whole = open.length === 0 ? end : Buffer.concat([...open, end]);
    open = [];
    number += 1;
    const marked = number === 1 && whole.subarray(0, 3).equals(BYTE_ORDER_MARK);
    const bytes = marked ? whole.subarray(3) : whole;
    return isBlank(bytes) ? [] : [{ bytes, number }];
  };
  for await (const chunk of chunks) {
    const batch: Line[] = [];
    let at = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, at)) {
      batch.push(...close(chunk.subarray(at, end)));
      at = end + 1;
    }
    if (at < chunk.length) open.push(chunk.subarray(at));
    yield batch;
  }
  if (open.length > 0) yield close(Buffer.alloc(0));
}

/**
 * A line as text.
 *
 * @throws GraderError `bad_input` when it is not UTF-8, whose wrong bytes would become other characters, or
 *   longer than a text can be.
 */
export function decode(bytes: Buffer, where: Place): string {
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new GraderError("bad_input", `is longer than ${constants.MAX_STRING_LENGTH} bytes`, where);
  }
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new GraderError("bad_input", "is not UTF-8", where);
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
