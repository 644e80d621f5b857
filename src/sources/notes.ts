import type { Place, Warning } from "../errors.ts";

export type Warn = (warning: Warning) => void;

/** Says what could not be read. `at` is the place inside the file or value that is being read. */
export type Note = (code: string, message: string, at?: Pick<Place, "line" | "field">) => void;

/** Notes about one file or value, as warnings with the whole place. */
export function notesAt(warn: Warn, where: Place): Note {
  return (code, message, at = {}) => warn({ code, message, where: { ...where, ...at } });
}
