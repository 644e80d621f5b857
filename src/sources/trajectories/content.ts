import type { Place } from "../../errors.ts";
import { parseDocument } from "../json-document.ts";
import { positionOf, scanJson } from "../json-scan.ts";
import { asList } from "../shape.ts";
import { behindMark, decodeText } from "../unicode.ts";
import { type LineEntry, readJsonLines } from "./json-lines.ts";

/** A trajectory file after parsing, before anyone knows its format. */
export type Content =
  | {
      kind: "document";
      value: unknown;
      /** What follows the damage of a document that could be read only in part. */
      rest?: { text: string; line: number; reason: string };
    }
  | { kind: "lines"; entries: LineEntry[] }
  | { kind: "text"; text: string };

/** One element of a list of records, wherever the list stands. `damage` is text in place of a value. */
export interface Item {
  value?: unknown;
  damage?: string;
  at: Pick<Place, "line" | "field">;
}

/** The items of what was read last: every format that is tried asks for them. */
const known = new WeakMap<Content, Item[]>();

/** The lines of JSON Lines, or the elements of a document that is a list. */
export function itemsOf(content: Content): Item[] {
  const items = known.get(content) ?? listItems(content);
  known.set(content, items);
  return items;
}

function listItems(content: Content): Item[] {
  if (content.kind === "lines")
    return content.entries.map((entry) =>
      "value" in entry
        ? { value: entry.value, at: { line: entry.line } }
        : { damage: entry.text, at: { line: entry.line } },
    );
  return content.kind === "document" && Array.isArray(content.value) ? elements(content.value, "") : [];
}

/** Like `itemsOf`; JSON Lines of a single line are a document, which is its only record. */
export function recordsOf(content: Content): Item[] {
  const isSingle = content.kind === "document" && !Array.isArray(content.value);
  return isSingle ? [{ value: content.value, at: { line: 1 } }] : itemsOf(content);
}

/** The elements of a list that stands at `field` of a document. */
export function elements(list: unknown, field: string): Item[] {
  return asList(list).map((value, index) => ({ value, at: { field: `${field}[${index}]` } }));
}

/**
 * The ways in which the bytes of a file can be taken, likeliest first: a whole document, JSON Lines, a damaged document,
 * a log.
 */
export function* readings(bytes: Buffer): Generator<Content> {
  const document = parseDocument(bytes);
  if (document !== undefined) {
    yield { kind: "document", value: document.value };
    return;
  }
  const entries = isOneLine(bytes) || beginsList(bytes) ? undefined : readJsonLines(bytes);
  // A single record is a document that gives a key twice: what follows the second is damage, not a record.
  if (entries !== undefined && entries.length > 1) yield { kind: "lines", entries };

  const damage = damageOf(bytes);
  const intact = damage === undefined ? undefined : parseDocument(damage.intact);
  if (damage !== undefined && intact !== undefined)
    yield { kind: "document", value: intact.value, rest: damage.rest };
  yield { kind: "text", text: decodeText(bytes).text };
}

interface Damage {
  /** The document as far as it is intact, closed behind that. */
  intact: Buffer;
  rest: { text: string; line: number; reason: string };
}

/** Where a document is damaged. Nothing that is returned keeps the text of the whole alive. */
function damageOf(bytes: Buffer): Damage | undefined {
  const { text } = decodeText(bytes);
  if (!/^\s*[[{]/.test(text)) return undefined;
  const scan = scanJson(text, 0, { uniqueKeys: "outside lists" });
  const cut = scan.error === undefined ? { end: scan.end, closers: "" } : scan.intact;
  if (cut === undefined) return undefined;
  const { line, column } = positionOf(text, scan.end);
  const reason = `${scan.error ?? "something follows the document"} (column ${column})`;
  const kept = text.slice(0, cut.end);
  const size = Buffer.byteLength(kept);
  const intact = Buffer.alloc(size + cut.closers.length);
  intact.write(kept);
  intact.write(cut.closers, size);
  return { intact, rest: { text: Buffer.from(text.slice(cut.end)).toString(), line, reason } };
}

function isOneLine(bytes: Buffer): boolean {
  const newline = bytes.indexOf(10);
  return newline < 0 || newline === bytes.length - 1;
}

/** Lines do not begin with a bracket. */
function beginsList(bytes: Buffer): boolean {
  return /^\s*\[/.test(bytes.toString("utf8", behindMark(bytes), 4096));
}
