import type { Note } from "../notes.ts";
import {
  asInteger,
  asList,
  asString,
  dig,
  firstText,
  isObject,
  type JsonObject,
  optional,
} from "../shape.ts";
import { describeCall } from "./calls.ts";
import { recordsOf } from "./content.ts";
import { EventLog, type Seen } from "./events.ts";
import { contentText, safeJson, statusOf, timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";
import { beginCompletion } from "./responses.ts";

/**
 * The stream of `codex exec --json`: what a session did, told by items that start, are updated and complete under one
 * id. The task is not in it. Source: openai/codex, codex-rs/exec/src/exec_events.rs.
 */
export const codexExec: TrajectoryReader = {
  format: "codex-exec",
  matches: (content) => recordsOf(content).some(({ value }) => isStreamLine(value)),
  read(content, note) {
    const state: Reading = { log: new EventLog(), between: true, running: new Map() };
    for (const { value, damage, at } of recordsOf(content)) {
      if (damage !== undefined) state.log.context("env", damage);
      else if (isObject(value)) readLine(state, value, (code, text) => note(code, text, at));
      else note("record_unreadable", "not an object; left out", at);
    }
    return {
      format: "codex-exec",
      events: state.log.finish(note),
      ...optional("exit", state.exit),
      ...optional("completion_tokens", state.tokens),
    };
  },
};

interface Reading {
  log: EventLog;
  between: boolean;
  /** By item whose result is to come: its call as it was read. */
  running: Map<string, RunningCall>;
  exit?: string;
  tokens?: number;
}

interface RunningCall {
  text: string;
  nativeId: string;
}

function isStreamLine(value: unknown): boolean {
  const type = asString(dig(value, "type")) ?? "";
  return (
    type === "thread.started" ||
    (/^item\.(?:started|updated|completed)$/.test(type) && isObject(dig(value, "item")))
  );
}

function readLine(state: Reading, line: JsonObject, note: Note): void {
  const type = asString(line["type"]) ?? "";
  const { item } = line;
  if (type.startsWith("item.") && isObject(item)) return readItem(state, type, item, line, note);
  if (type === "turn.completed" || type === "turn.failed") {
    state.exit = type;
    const tokens = asInteger(dig(line["usage"], "output_tokens"));
    if (tokens !== undefined) state.tokens = (state.tokens ?? 0) + tokens;
  }
  if (type === "turn.started") state.between = true;
  else if (type === "turn.failed" || type === "error")
    state.log.context("env", contentText(dig(line["error"], "message") ?? line["message"]));
  else if (type !== "thread.started" && type !== "turn.completed") {
    note("record_unknown", `line of the unknown type ${JSON.stringify(line["type"])}; kept as context`);
    state.log.context("env", safeJson(line));
  }
}

function readItem(state: Reading, type: string, item: JsonObject, line: JsonObject, note: Note): void {
  const { log } = state;
  const details = { timestamp: timeOf(line["timestamp"]) };
  const kind = asString(item["type"]) ?? asString(item["item_type"]) ?? "";
  const isDone = type === "item.completed";
  switch (kind) {
    case "reasoning":
    case "agent_message":
    case "assistant_message":
      if (!isDone) return;
      beginCompletion(state);
      if (kind === "reasoning") log.reasoning(contentText(item["text"]), details);
      else log.text("agent", contentText(item["text"]), details);
      return;
    case "todo_list":
      // A plan, which changes while it stands: as it was in the end.
      if (isDone) readCall(state, kind, isDone, item, details, note);
      return;
    case "error":
      return isDone ? log.context("env", contentText(item["message"]), details) : undefined;
    case "command_execution":
    case "file_change":
    case "mcp_tool_call":
    case "web_search":
      return readCall(state, kind, isDone, item, details, note);
    default:
      if (!isDone) return;
      note("record_unknown", `item of the unknown type ${JSON.stringify(kind)}; kept as context`);
      log.context("env", safeJson(item), details);
  }
}

function readCall(
  state: Reading,
  kind: string,
  isDone: boolean,
  item: JsonObject,
  details: { timestamp: string | undefined },
  note: Note,
): void {
  const facts = callOf(kind, item);
  const id = firstText(item["id"]) ?? `${kind} ${facts.text}`;
  const known = state.running.get(id);
  // A search is begun before its words are known.
  if (!isDone && kind === "web_search" && firstText(item["query"]) === undefined) return;
  let nativeId = known?.nativeId;
  if (known?.text !== facts.text) {
    if (known !== undefined) note("item_changed", `${id} is told twice, and not alike; both are kept`);
    nativeId = known === undefined ? id : `${known.nativeId}'`;
    beginCompletion(state);
    state.log.call(facts, nativeId, details);
    state.running.set(id, { text: facts.text, nativeId });
  }
  if (!isDone) return;
  state.running.delete(id);
  state.log.observe(...outcomeOf(kind, item, { nativeId, ...details }));
  state.between = true;
}

function callOf(kind: string, item: JsonObject): ReturnType<typeof describeCall> {
  if (kind === "command_execution") return describeCall("shell", { command: item["command"] });
  if (kind === "mcp_tool_call")
    return describeCall(
      `mcp__${String(asString(item["server"]))}__${String(asString(item["tool"]))}`,
      item["arguments"],
    );
  if (kind === "web_search") return describeCall(kind, { query: item["query"] });
  if (kind === "todo_list") return describeCall(kind, { items: item["items"] });
  const changes = asList(item["changes"]);
  const path = changes.length === 1 ? firstText(dig(changes[0], "path")) : undefined;
  return { ...describeCall(kind, { changes }), ...optional("path", path) };
}

function outcomeOf(kind: string, item: JsonObject, seen: Seen): [string, Seen] {
  const exitCode = asInteger(item["exit_code"]);
  const failure =
    item["status"] === "failed" ? "error" : item["status"] === "declined" ? "rejected" : undefined;
  const text =
    kind === "command_execution"
      ? contentText(item["aggregated_output"])
      : contentText(dig(item["result"], "content") ?? dig(item["error"], "message"));
  const fallback = kind === "command_execution" ? undefined : "ok";
  return [text, { ...seen, exitCode, status: failure ?? statusOf(exitCode) ?? fallback }];
}
