import type { TrajectoryEvent } from "../../schema/trajectory.ts";
import type { Note } from "../notes.ts";
import { wellFormed } from "../unicode.ts";
import { asInteger, asString, dig, firstText, isObject, type JsonObject, optional } from "../shape.ts";
import { type CallFacts, describeCall, isUnparsed } from "./calls.ts";
import { type Content, elements, type Item, itemsOf } from "./content.ts";
import { statusOf } from "./parts.ts";

/** The events of one OpenHands run, of either generation, and the row of `output.jsonl` that holds them, if one does. */
export interface OpenHandsRun {
  items: Item[];
  row?: JsonObject;
  /** Rows of other runs in the same file. */
  others: number;
}

/**
 * Events stand in a list, one a line, or in the `history` of a row; old histories hold pairs of an action and its
 * observation. A file of several rows holds several runs, and the first is read.
 */
export function runOf(content: Content): OpenHandsRun {
  const isSingle = content.kind === "document" && !Array.isArray(content.value);
  const items = isSingle ? [{ value: content.value, at: {} }] : itemsOf(content);
  const rows = items.filter(({ value }) => isRow(value));
  const [first] = rows;
  if (first === undefined || !isObject(first.value)) return { items: unpaired(items), others: 0 };
  const events = elements(first.value["history"], [first.at.field, "history"].filter(Boolean).join("."));
  const here = events.map(({ value, at }): Item => ({ value, at: { ...first.at, ...at } }));
  return { items: unpaired(here), row: first.value, others: rows.length - 1 };
}

function isRow(value: unknown): boolean {
  return isObject(value) && (Array.isArray(value["history"]) || isBroken(value));
}

/** A row without events, told by what else is in it: the run broke before its first event. */
export function isBroken(row: unknown): boolean {
  if (!isObject(row) || !("history" in row)) return false;
  const { history } = row;
  const isEmpty = history === null || (Array.isArray(history) && history.length === 0);
  return isEmpty && ["test_result", "git_patch", "instruction"].some((key) => key in row);
}

function unpaired(items: Item[]): Item[] {
  if (!items.some(({ value }) => Array.isArray(value))) return items;
  return items.flatMap((item) => {
    if (!Array.isArray(item.value)) return [item];
    const pair = elements(item.value, item.at.field ?? "");
    return pair.map(({ value, at }) => ({ value, at: { ...item.at, ...at } }));
  });
}

/** What the row says about its run: how it ended, the patch, the tokens. */
export function rowFacts({ row, others }: OpenHandsRun, note: Note): RowFacts {
  if (others > 0)
    note(
      "rows_unread",
      `the file holds ${others + 1} rows; only the first was read. Given as an input, every row with an instance_id is a rollout`,
    );
  return {
    exit: firstText(row?.["error"]),
    submission: asString(dig(row, "test_result", "git_patch")) ?? asString(row?.["git_patch"]),
    tokens: completionTokens(row?.["metrics"]),
  };
}

export interface RowFacts {
  exit: string | undefined;
  submission: string | undefined;
  tokens: number | undefined;
}

/** The fields of a trajectory from these facts; what is absent is left out. */
export function factFields({ exit, submission, tokens }: RowFacts): {
  exit?: string;
  submission?: string;
  completion_tokens?: number;
} {
  return {
    ...optional("exit", exit),
    ...optional("submission", submission),
    ...optional("completion_tokens", tokens),
  };
}

export function completionTokens(metrics: unknown): number | undefined {
  return asInteger(dig(metrics, "accumulated_token_usage", "completion_tokens"));
}

/**
 * A call by the arguments that the model wrote. Where these are not JSON they stay its text, and what the program made
 * of them tells the rest.
 */
export function callOf(tool: string | undefined, given: unknown, ran: JsonObject, note: Note): CallFacts {
  const facts = describeCall(tool, given);
  if (facts.arguments !== undefined || typeof given !== "string" || !isUnparsed(given)) return facts;
  note("arguments_unparsed", "arguments are not JSON; kept as text");
  return Object.keys(ran).length === 0 ? facts : { ...describeCall(tool, ran), text: wellFormed(given) };
}

interface Output {
  text: string;
  exitCode: number | undefined;
  status: TrajectoryEvent["status"];
}

/** The output of a command with its metadata. Code -1 is a command that has not ended; the suffix then says why. */
export function commandOutput(output: string, metadata: unknown, stated: unknown): Output {
  const code = asInteger(dig(metadata, "exit_code")) ?? asInteger(stated);
  const exitCode = code === -1 ? undefined : code;
  const suffix = exitCode === undefined ? (asString(dig(metadata, "suffix")) ?? "") : "";
  return {
    text: `${asString(dig(metadata, "prefix")) ?? ""}${output}${suffix}`,
    exitCode,
    status: /no new output after|timed out/.test(suffix) ? "timeout" : statusOf(exitCode),
  };
}
