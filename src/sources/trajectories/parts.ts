import { createHash } from "node:crypto";
import { asString, dig, isObject } from "../shape.ts";
import { wellFormed } from "../unicode.ts";

/**
 * Message content as one text: a string as it is, the text parts of a list one under another. An image stands as
 * `[image sha256:...]`; a part of an unknown kind as its JSON, so that nothing is lost.
 */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  return (Array.isArray(content) ? content : [content]).map(partText).join("\n");
}

function partText(part: unknown): string {
  if (typeof part === "string") return part;
  const text = asString(dig(part, "text")) ?? asString(dig(part, "refusal"));
  if (text !== undefined) return text;
  const json = safeJson(part);
  if (!isObject(part) || !/image/.test(String(part["type"]))) return json;
  return `[image sha256:${createHash("sha256").update(json).digest("hex").slice(0, 16)}]`;
}

/** The text of a message of unknown kind; all of it as JSON when it has no content. */
export function textOfUnknown(message: unknown, content: unknown): string {
  const text = contentText(content);
  return text.trim() === "" ? safeJson(message) : text;
}

/** JSON text of a value from a file; a placeholder for one that nests too deep to be written. */
export function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "[nested too deep]";
  }
}

const RETURN_CODE = /^\s*<returncode>\s*(-?\d{1,9})\s*<\/returncode>/;

/** The exit code that some harnesses write in front of a result. */
export function leadingReturnCode(text: string): number | undefined {
  const digits = RETURN_CODE.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const FINISHED = /\[Command finished with exit code (-?\d{1,9})\]\s*$/;

/** The exit code that OpenHands writes behind a result. */
export function trailingExitCode(text: string): number | undefined {
  const digits = FINISHED.exec(text.slice(-200))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** `ok` or `error` by an exit code, nothing without one. */
export function statusOf(exitCode: number | undefined): "ok" | "error" | undefined {
  if (exitCode === undefined) return undefined;
  return exitCode === 0 ? "ok" : "error";
}

/** Seconds since the epoch as an ISO time; a string stays as it is. */
export function timeOf(value: unknown): string | undefined {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "number" || Math.abs(value) > 8.64e12) return undefined;
  return new Date(value * 1000).toISOString();
}
