import { GraderError, type Place } from "../errors.ts";
import { MAX_BYTES } from "./files.ts";
import { splitLines } from "./lines.ts";
import { scanJson } from "./json-scan.ts";
import { decodeStrict, decodeText } from "./unicode.ts";
import { parseStrictJson } from "./validate.ts";

/** One value of a native file with its place in it, or why it cannot be read. */
export type NativeValue = { value: unknown; at: Pick<Place, "line" | "field"> } | { error: GraderError };

interface Line {
  bytes: Buffer;
  /** 1-based. */
  number: number;
}

/**
 * The groups of a native file, not yet checked: one JSON object, a list of them, or JSON Lines, which are told apart
 * by content and streamed. A line that is broken does not end the others.
 */
export async function* readNative(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<NativeValue> {
  const held: Buffer[] = [];
  let refusal: GraderError | undefined;
  let size = 0;
  let shape: "unknown" | "lines" | "document" = "unknown";
  for await (const line of wholeLines(chunks, file)) {
    if (shape === "unknown") shape = shapeBy(line);
    if (shape === "lines") yield* "error" in line ? [line] : asLine(line, file);
    else if ("error" in line) refusal = line.error;
    else {
      held.push(line.bytes);
      size += line.bytes.length;
    }
    if (size > MAX_BYTES)
      refusal = new GraderError("bad_input", `one value of more than ${MAX_BYTES} bytes`, { file });
    if (refusal !== undefined) {
      yield { error: refusal };
      return;
    }
  }
  if (shape === "lines") return;

  // Not JSON Lines by its first line: one document, or JSON Lines whose first line is broken.
  const values = [...asDocument(Buffer.concat(held), file)];
  const isBroken = values.some((value) => "error" in value) && held.some(isGroupLine);
  if (isBroken)
    for (const [index, bytes] of held.entries()) yield* asLine({ bytes, number: index + 1 }, file);
  else yield* values;
}

/** What the first line that is not blank tells. */
function shapeBy(line: Line | { error: GraderError }): "unknown" | "lines" | "document" {
  if ("error" in line) return "document";
  if (isRecord(line.bytes)) return "lines";
  return decodeText(line.bytes).text.trim() === "" ? "unknown" : "document";
}

function* asDocument(bytes: Buffer, file: string): Generator<NativeValue> {
  const place: Place = { file };
  try {
    const text = decodeStrict(bytes, place);
    if (text.trim() === "") throw new GraderError("bad_input", "is empty", place);
    if (!/^\s*[[{]/.test(text) && !isJson(text))
      throw new GraderError("bad_input", "is neither JSON nor anything of a run that is known", place);
    const value = parseStrictJson(text, place);
    if (!Array.isArray(value)) yield { value, at: {} };
    else for (const [index, item] of value.entries()) yield { value: item, at: { field: `[${index}]` } };
  } catch (error) {
    yield refused(error);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function* asLine({ bytes, number }: Line, file: string): Generator<NativeValue> {
  const place: Place = { file, line: number };
  try {
    const text = decodeStrict(bytes, place).trimEnd();
    if (text !== "") yield { value: parseStrictJson(text, place), at: { line: number } };
  } catch (error) {
    yield refused(error);
  }
}

function refused(error: unknown): { error: GraderError } {
  if (error instanceof GraderError) return { error };
  throw error;
}

/** A whole object on one line. */
function isRecord(bytes: Buffer): boolean {
  const { text } = decodeText(bytes);
  if (!text.startsWith("{")) return false;
  const scan = scanJson(text);
  return scan.error === undefined && text.slice(scan.end).trim() === "";
}

/** A line that holds a whole group, which no line of a document does. */
function isGroupLine(bytes: Buffer): boolean {
  return bytes.includes('"group_id"') && isRecord(bytes);
}

async function* wholeLines(
  chunks: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<Line | { error: GraderError }> {
  for await (const { bytes, number } of splitLines(chunks, MAX_BYTES)) {
    const message = `a line of more than ${MAX_BYTES} bytes`;
    yield bytes === undefined
      ? { error: new GraderError("bad_input", message, { file, line: number }) }
      : { bytes, number };
  }
}
