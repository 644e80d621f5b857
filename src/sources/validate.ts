import type * as z from "zod";
import { GraderError, type Place } from "../errors.ts";
import { Group } from "../schema/group.ts";
import { positionOf, scanJson } from "./json-scan.ts";
import { asList, asString, dig, firstText, isObject, optional } from "./shape.ts";

/**
 * JSON text of one group as a value, refusing what JSON.parse would bend: a key given twice, a number beyond 64 bits.
 * @throws GraderError `bad_input` with the line; `where.line` is the line the text begins at.
 */
export function parseStrictJson(text: string, where: Place): unknown {
  const scan = scanJson(text, 0, { uniqueKeys: "everywhere", finiteNumbers: true });
  const end = scan.error === undefined ? firstBehind(text, scan.end) : undefined;
  if (scan.error === undefined && end === undefined) return JSON.parse(text);
  const offset = end ?? scan.end;
  const { line, column } = positionOf(text, offset);
  throw new GraderError(
    "bad_input",
    `${scan.error ?? "something follows the JSON value"} (column ${column})`,
    {
      ...where,
      line: (where.line ?? 1) + line - 1,
      ...optional("field", scan.field),
    },
  );
}

function firstBehind(text: string, end: number): number | undefined {
  const next = text.slice(end).search(/\S/);
  return next < 0 ? undefined : end + next;
}

/**
 * A parsed value as a group. Nothing is converted. `where.field` is where the value stands in its file.
 * @throws GraderError `already_redistributed` for graded output, `bad_input` naming group, rollout and field.
 */
export function checkGroup(value: unknown, where: Place): Group {
  const place = { ...where, ...optional("group", asString(dig(value, "group_id"))) };
  if (isObject(value) && Object.hasOwn(value, "redistributed"))
    throw new GraderError(
      "already_redistributed",
      "its advantages are redistributed already; a second time would change them again",
      { ...place, field: "redistributed" },
    );
  if (isObject(value) && !GROUP_KEYS.some((key) => Object.hasOwn(value, key)))
    throw new GraderError("bad_input", "is neither a group nor anything of a run that is known", place);
  const result = Group.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw new GraderError("bad_input", "not a group", place);
  const more = result.error.issues.length - 1;
  throw new GraderError("bad_input", messageOf(issue, value) + (more > 0 ? ` (and ${more} more)` : ""), {
    ...place,
    ...optional("rollout", rolloutOf(value, issue.path)),
    ...optional("field", fieldOf(issue, where.field)),
  });
}

/** What lacks all of these was never meant as a group. */
const GROUP_KEYS = ["group_id", "task", "repo", "rollouts"];

/** What the fields of a group hold, for people. */
const EXPECTED: Record<string, string> = {
  passed: "true, false or null",
  reward: "a finite number or null",
  advantage: "a finite number or null",
  tokens: "a whole number of 0 or more",
  patch: "a string or null",
  repo: "{path}, {archive}, {git, commit} or {image, workdir}",
  rollouts: "a list of rollouts",
};
const ARTICLES: Record<string, string> = {
  object: "an object",
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
};

function messageOf(issue: z.core.$ZodIssue, root: unknown): string {
  if (issue.code === "custom") return issue.message;
  if (issue.code === "unrecognized_keys")
    return `unknown field ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
  const given = issue.path.reduce<unknown>(
    (value, key) => (Array.isArray(value) ? value[Number(key)] : dig(value, String(key))),
    root,
  );
  const name = String(issue.path.at(-1) ?? "");
  return `expected ${EXPECTED[name] ?? expectedBy(issue)}, got ${shown(given)}`;
}

function expectedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return ARTICLES[issue.expected] ?? `a ${issue.expected}`;
  if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value)).join(", ");
  if (issue.code === "too_small" && issue.origin === "string")
    return issue.minimum === 1
      ? "a string that is not empty"
      : `a string of ${issue.minimum} characters or more`;
  return issue.message;
}

/** A value as the reader of an error would recognise it: short, and never empty. */
function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return "an object";
  const json = typeof value === "number" ? String(value) : JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 60)}...` : json;
}

function fieldOf(issue: z.core.$ZodIssue, prefix = ""): string | undefined {
  const way = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  const field = `${prefix}${way}`.replace(/^\./, "");
  return field === "" ? undefined : field;
}

function rolloutOf(root: unknown, path: PropertyKey[]): string | undefined {
  if (path[0] !== "rollouts" || typeof path[1] !== "number") return undefined;
  return firstText(dig(asList(dig(root, "rollouts"))[path[1]], "id"));
}
