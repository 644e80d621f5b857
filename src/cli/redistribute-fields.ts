import { GraderError, type Place } from "../errors.ts";

/** A JSON object whose values have not been looked at. */
export type Fields = Record<string, unknown>;
/** Place of one field of the object that is being read. */
export type At = (field: string) => Place;

/*
 * Typed values from a JSON object. Absent and null both mean that there is no value: tables that have a column for every
 * field write null. Nothing is converted; what has another type is refused with its place. The value is given beside the
 * field's name, since a property that is named in the source is read much faster.
 */

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown, field: string, at: At): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : refuse("must be a text", at(field));
}

export function flagOf(value: unknown, field: string, at: At): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "boolean" ? value : refuse("must be true or false", at(field));
}

export function numberOf(value: unknown, field: string, at: At): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number") return refuse("must be a number", at(field));
  return Number.isFinite(value) ? value : refuse("must be a finite number", at(field));
}

export function listOf(value: unknown, field: string, at: At): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value : refuse("must be a list", at(field));
}

/** Refuses a value. */
export function refuse(message: string, place: Place): never {
  throw new GraderError("bad_input", message, place);
}
