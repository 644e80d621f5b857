import type { Note } from "../notes.ts";
import { asList, asString, dig, firstText, isObject, optional } from "../shape.ts";
import { type Content, elements, type Item, itemsOf } from "./content.ts";

/** A conversation in the OpenAI form and what stands beside it. */
export interface Conversation {
  messages: Item[];
  /** How the run ended and what it submitted, where a row of a training set says so. */
  facts: { exit?: string; submission?: string };
}

/**
 * The messages of a document or of lines: a list, one message a line, an object with `messages` (and the last completion
 * in `response`, as LiteLLM logs it), or a row of a training set (SWE-smith, SWE-Gym, nebius: `messages` or `trajectory`,
 * a list or the JSON of one). Of several rows the first is read.
 */
export function conversationOf(content: Content, note?: Note): Conversation {
  if (content.kind === "document") {
    if (Array.isArray(content.value)) return { messages: itemsOf(content), facts: {} };
    // A list of messages goes before a role beside it, which damage can make.
    if (dig(content.value, "role") !== undefined && !isRow(content.value))
      return { messages: [{ value: content.value, at: { line: 1 } }], facts: {} };
    return fromRow(content.value);
  }
  const items = itemsOf(content);
  const rows = items.filter(({ value }) => isRow(value));
  const [first] = rows;
  if (
    first === undefined ||
    items.length === 1 ||
    items.some(({ value }) => dig(value, "role") !== undefined)
  )
    return { messages: items, facts: {} };
  if (rows.length > 1)
    note?.(
      "rows_unread",
      `the file holds ${rows.length} rows; only the first was read. Given as an input, every row with an instance_id is a rollout`,
      first.at,
    );
  const { messages, facts } = fromRow(first.value);
  return { messages: messages.map((item) => ({ ...item, at: { ...item.at, ...first.at } })), facts };
}

/** Whether a record holds a list of messages, or the JSON of one. */
export function isRow(value: unknown): boolean {
  return listOf(dig(value, "messages")).length > 0 || listOf(dig(value, "trajectory")).length > 0;
}

function fromRow(row: unknown): Conversation {
  const messages = listOf(dig(row, "messages"));
  const field = messages.length > 0 ? "messages" : "trajectory";
  const items = elements(listOf(dig(row, field)), field);
  const answer = dig(asList(dig(row, "response", "choices"))[0], "message");
  if (answer !== undefined) items.push({ value: answer, at: { field: "response.choices[0].message" } });
  return { messages: items, facts: factsOf(row) };
}

/** A list, or the JSON text of one. */
function listOf(value: unknown): unknown[] {
  if (typeof value !== "string" || !value.startsWith("[")) return asList(value);
  try {
    return asList(JSON.parse(value));
  } catch {
    return [];
  }
}

function factsOf(row: unknown): Conversation["facts"] {
  if (!isObject(row)) return {};
  // A plain `patch` is the reference of a task, unless the row is of SWE-smith, whose runs have a `traj_id`.
  const submission =
    asString(row["submission"]) ??
    asString(row["model_patch"]) ??
    asString(row["generated_patch"]) ??
    asString(dig(row["test_result"], "git_patch")) ??
    (row["traj_id"] === undefined ? undefined : asString(row["patch"]));
  return {
    ...optional("exit", firstText(row["exit_status"])),
    ...optional("submission", submission),
  };
}
