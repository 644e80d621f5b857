import type { Note } from "../notes.ts";
import { readings } from "../trajectories/content.ts";

/**
 * JSON as Python writes it: NaN and the infinities become null. Of a damaged document what stands before the damage,
 * with a note; undefined when there is nothing.
 * @param field what the text is called in notes.
 */
export function readPythonJson(text: string, note: Note, field?: string): unknown {
  const at = field === undefined ? {} : { field };
  const [reading] = /NaN|Infinity/.test(text) ? readings(withoutNonFinite(text)) : readings(text);
  if (reading?.kind !== "document") {
    note("json_unreadable", "is not JSON; left out", at);
    return undefined;
  }
  if (reading.rest !== undefined)
    note("json_damaged", `${reading.rest.reason}; what follows is left out`, {
      ...at,
      line: reading.rest.line,
    });
  return reading.value;
}

function withoutNonFinite(text: string): string {
  const pieces: string[] = [];
  const pattern = /"|-?\b(?:NaN|Infinity)\b/g;
  let from = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '"') {
      pattern.lastIndex = behindString(text, pattern.lastIndex);
      continue;
    }
    pieces.push(text.slice(from, match.index), "null");
    from = pattern.lastIndex;
  }
  return pieces.join("") + text.slice(from);
}

/** Behind the quote that ends the string whose first character is at `from`. */
function behindString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
