import type { Place } from "../../errors.ts";
import { positionOf, scanJson } from "../json-scan.ts";
import { asList } from "../shape.ts";
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
  | { kind: "text" };

/** One element of a list of records, wherever the list stands. `damage` is text in place of a value. */
export interface Item {
  value?: unknown;
  damage?: string;
  at: Pick<Place, "line" | "field">;
}

/** The lines of JSON Lines, or the elements of a document that is a list. */
export function itemsOf(content: Content): Item[] {
  if (content.kind === "lines")
    return content.entries.map((entry) =>
      "value" in entry
        ? { value: entry.value, at: { line: entry.line } }
        : { damage: entry.text, at: { line: entry.line } },
    );
  return content.kind === "document" && Array.isArray(content.value) ? elements(content.value, "") : [];
}

/** The elements of a list that stands at `field` of a document. */
export function elements(list: unknown, field: string): Item[] {
  return asList(list).map((value, index) => ({ value, at: { field: `${field}[${index}]` } }));
}

/** One JSON document, whole or up to where it is damaged; or JSON Lines; or neither. */
export function parseContent(text: string): Content {
  try {
    return { kind: "document", value: JSON.parse(text) };
  } catch {
    const entries = /^\s*\[/.test(text) ? undefined : readJsonLines(text);
    return entries === undefined ? parseDamaged(text) : { kind: "lines", entries };
  }
}

function parseDamaged(text: string): Content {
  if (!/^\s*[[{]/.test(text)) return { kind: "text" };
  const scan = scanJson(text);
  const whole = { json: text.slice(0, scan.end), end: scan.end };
  const intact = scan.error === undefined ? whole : scan.intact;
  if (intact === undefined) return { kind: "text" };
  const { line, column } = positionOf(text, scan.end);
  const reason = `${scan.error ?? "something follows the document"} (column ${column})`;
  return {
    kind: "document",
    value: JSON.parse(intact.json),
    rest: { text: text.slice(intact.end), line, reason },
  };
}
