import type { Note } from "../notes.ts";
import { readings } from "../trajectories/content.ts";

/**
 * A JSON document of a log. Of a damaged one what stands before the damage, with a note; undefined when there is
 * nothing.
 * @param field what the document is called in notes.
 */
export function readLogJson(bytes: Buffer, note: Note, field?: string): unknown {
  const at = field === undefined ? {} : { field };
  for (const reading of readings(bytes)) {
    if (reading.kind !== "document") continue;
    if (reading.rest !== undefined)
      note("json_damaged", `${reading.rest.reason}; what follows is left out`, {
        ...at,
        line: reading.rest.line,
      });
    return reading.value;
  }
  note("json_unreadable", "is not JSON; left out", at);
  return undefined;
}
