import type { Note } from "../notes.ts";
import { asInteger, asString, asList, dig, firstText, type JsonObject, optional } from "../shape.ts";
import { type CallFacts, describeCall, isUnparsed } from "./calls.ts";
import type { Details, EventLog, Seen } from "./events.ts";
import { contentText, safeJson, statusOf } from "./parts.ts";

/** Reads the items of the Responses API one by one, as a list, a response or a Codex session holds them. */
export interface ResponseReading {
  log: EventLog;
  hasTask: boolean;
  /** The next thing the model writes begins a turn: something was given to it since. */
  between: boolean;
  /** Whether a user message was written by the harness. */
  isHarness(text: string): boolean;
}

/** Whether a value is an item that no other format has. A message is one by the types of its parts. */
export function isResponseItem(item: unknown): boolean {
  const type = asString(dig(item, "type")) ?? "";
  if (type === "message")
    return asList(dig(item, "content")).some((part) =>
      /^(?:input|output)_text$/.test(String(dig(part, "type"))),
    );
  return /^(?:function|custom_tool|local_shell|computer|mcp|web_search|file_search)_call(?:_output)?$/.test(
    type,
  );
}

/** One item. Bookkeeping says nothing, an unknown kind is kept as context. */
export function readResponseItem(
  state: ResponseReading,
  item: JsonObject,
  details: Details,
  note: Note,
): void {
  const type = asString(item["type"]) ?? (item["role"] === undefined ? "" : "message");
  if (type === "message") return readMessage(state, item, details, note);
  if (type === "ghost_snapshot" || type === "mcp_list_tools" || type === "item_reference") return;
  if (type.endsWith("_output")) {
    state.log.observe(...outcomeOf(item, details));
    state.between = true;
  } else if (type === "reasoning") {
    beginCompletion(state);
    // The raw thoughts where the provider shows them, else its summary; often both are encrypted.
    state.log.reasoning(contentText(item["content"]) || contentText(item["summary"]), details);
  } else if (type.endsWith("_call")) readCall(state, type, item, details, note);
  else if (/compaction/.test(type))
    state.log.context("system", firstText(item["summary"]) ?? `[${type}]`, details);
  else {
    note("record_unknown", `item of the unknown type ${JSON.stringify(item["type"])}; kept as context`);
    state.log.context("env", safeJson(item), details);
  }
}

/** The model speaks: in its turn, or in the next one. */
export function beginCompletion(state: Pick<ResponseReading, "log" | "between">): void {
  if (state.between || state.log.turn === 0) state.log.beginTurn();
  state.between = false;
}

function readMessage(state: ResponseReading, item: JsonObject, details: Details, note: Note): void {
  const { log } = state;
  const text = contentText(item["content"]);
  switch (item["role"]) {
    case "assistant":
      beginCompletion(state);
      return log.text("agent", text, details);
    case "system":
    case "developer":
      return log.text("system", text, details);
    case "user":
      state.between = true;
      if (state.isHarness(text)) return log.context("env", text, details);
      log.text(state.hasTask ? "user" : "task", text, details);
      state.hasTask = true;
      return;
    default:
      note("message_unknown", `role ${JSON.stringify(item["role"])}; kept as context`);
      log.context("env", text || safeJson(item), details);
  }
}

function readCall(
  state: ResponseReading,
  type: string,
  item: JsonObject,
  details: Details,
  note: Note,
): void {
  const { log } = state;
  beginCompletion(state);
  const nativeId = firstText(item["call_id"], item["id"]);
  const kind = type.slice(0, -"_call".length);
  const given = item["arguments"] ?? item["input"] ?? item["action"] ?? item["operation"];
  const rest = given ?? { ...optional("queries", item["queries"]), ...optional("code", item["code"]) };
  const facts = describeCall(firstText(item["name"]) ?? kind, rest);
  if (type === "function_call" && facts.arguments === undefined && isUnparsed(given))
    note("arguments_unparsed", "arguments are not JSON; kept as text");
  log.call(withPatchPath(facts), nativeId, details);
  // The provider's own tools are called and answered in one item, inside one completion.
  if (!/^(?:mcp|web_search|file_search|code_interpreter|image_generation)$/.test(kind)) return;
  const failed = item["status"] === "failed" || (item["error"] !== undefined && item["error"] !== null);
  const result = item["output"] ?? item["results"] ?? item["outputs"] ?? item["error"];
  log.observe(contentText(result), { nativeId, status: failed ? "error" : "ok", ...details });
}

/** A patch in the form of `apply_patch` names its files in the text. */
function withPatchPath(facts: CallFacts): CallFacts {
  if (facts.path !== undefined || !facts.text.includes("*** Begin Patch")) return facts;
  const paths = [...facts.text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(
    ([, path]) => path,
  );
  return paths.length === 1 ? { ...facts, ...optional("path", firstText(paths[0]?.trim())) } : facts;
}

/**
 * What a call gave. Codex writes the output of a command as JSON `{output, metadata: {exit_code}}` (until 0.4x), later
 * as text that says the exit code above the output.
 */
function outcomeOf(item: JsonObject, details: Details): [string, Seen] {
  const output = item["output"];
  const wrapped = typeof output === "string" && output.startsWith("{") ? parse(output) : output;
  const inner = asString(dig(wrapped, "output")) ?? dig(wrapped, "content");
  const text = contentText(inner ?? output);
  const exitCode =
    inner === undefined ? statedExitCode(text) : asInteger(dig(wrapped, "metadata", "exit_code"));
  const failed = dig(wrapped, "success") === false || item["status"] === "failed";
  return [
    text,
    {
      nativeId: firstText(item["call_id"]),
      exitCode,
      status: saidStatus(text) ?? (failed ? "error" : statusOf(exitCode)),
      ...details,
    },
  ];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The exit code that the harness writes above an output. */
function statedExitCode(text: string): number | undefined {
  const head = text.slice(0, 400);
  const said = /^(?:Exit code:|Process exited with code) (-?\d{1,9})$/m.exec(head);
  if (said === null || /^Output:/m.test(head.slice(0, said.index))) return undefined;
  return Number(said[1]);
}

/** What Codex says in place of an output. */
function saidStatus(text: string): "timeout" | "rejected" | "error" | undefined {
  if (/^(?:command timed out after|execution error: .*timed out)/i.test(text)) return "timeout";
  if (/^(?:exec command |patch )?rejected by user/i.test(text)) return "rejected";
  return /^(?:failed in sandbox|execution error:|failed to parse function arguments)/i.test(text)
    ? "error"
    : undefined;
}
