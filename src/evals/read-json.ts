import { readFile } from "node:fs/promises";
import type * as z from "zod";
import { GraderError } from "../index.ts";

/** A JSON file that must have a shape. @throws GraderError `bad_input` with the file and the field. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T> {
  return checked(parsed(await readText(file), file), schema, { file });
}

/** @throws GraderError `bad_input` when the file cannot be read. */
export async function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch((cause: unknown) => {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const why = missing ? "no such file" : `cannot be read: ${String(cause)}`;
    throw new GraderError("bad_input", why, { file }, { cause });
  });
}

/** @throws GraderError `bad_input` with the file and, for JSON Lines, the line. */
export function parsed(text: string, file: string, line?: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const where = { file, ...(line === undefined ? {} : { line }) };
    throw new GraderError("bad_input", `no JSON: ${why}`, where, { cause });
  }
}

/** @throws GraderError `bad_input` with the place and the field that has another shape. */
export function checked<T>(value: unknown, schema: z.ZodType<T>, where: { file: string; line?: number }): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.map(String).join(".") ?? "";
  throw new GraderError("bad_input", issue?.message ?? "has another shape", {
    ...where,
    ...(field === "" ? {} : { field }),
  });
}
