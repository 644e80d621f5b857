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
import { describeCall, isUnparsed } from "./calls.ts";
import { elements, type Item, itemsOf } from "./content.ts";
import { EventLog } from "./events.ts";
import { isResponse, readResponse } from "./mini-responses.ts";
import { contentText, leadingReturnCode, statusOf, textOfUnknown, timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";

/**
 * mini-swe-agent `.traj.json`: a bare message list (v0), `mini-swe-agent-1` (v1) and `mini-swe-agent-1.1` (what v2
 * writes; later minors too). Commands stand in a fenced block of the assistant's text or, in v2, in tool calls or answers
 * of the Responses API; results are user or tool messages with `<returncode>`, and v2 keeps the whole output and the code in `extra`.
 */
export const miniSweAgent: TrajectoryReader = {
  format: "mini-swe-agent",
  matches(content) {
    const value = content.kind === "document" ? content.value : undefined;
    const info = dig(value, "info");
    return (
      asString(dig(value, "trajectory_format"))?.startsWith("mini-swe-agent-") ||
      (Array.isArray(dig(value, "messages")) &&
        (dig(info, "mini_version") !== undefined || dig(info, "exit_status") !== undefined)) ||
      (Array.isArray(value) && isFencedDialogue(value))
    );
  },
  read(content, note) {
    const root = content.kind === "document" ? content.value : undefined;
    const log = new EventLog();
    const state: Reading = { log, note, begun: false, tokens: undefined };
    const items = Array.isArray(root) ? itemsOf(content) : elements(dig(root, "messages"), "messages");
    for (const { value, at } of items) {
      if (isObject(value)) readMessage(state, value, at);
      else note("message_unreadable", "not an object; left out", at);
    }

    const version = asString(dig(root, "trajectory_format"))?.replace(/^mini-swe-agent-/, "");
    if (version !== undefined && !/^1(?:\.|$)/.test(version))
      note("version_unknown", `mini-swe-agent format ${version}; read as 1.x`);
    const info = dig(root, "info");
    const submission = asString(dig(info, "submission")) ?? state.submission;
    return {
      format: "mini-swe-agent",
      events: log.finish(note),
      ...optional("version", version),
      ...optional("exit", firstText(dig(info, "exit_status")) ?? state.exit),
      ...optional("submission", submission),
      ...optional("completion_tokens", state.tokens),
    };
  },
};

interface Reading {
  log: EventLog;
  note: Note;
  /** The task has been seen. */
  begun: boolean;
  tokens: number | undefined;
  exit?: string | undefined;
  submission?: string | undefined;
}

function isFencedDialogue(messages: unknown[]): boolean {
  const answers = messages.some(
    (message) =>
      dig(message, "role") === "user" &&
      leadingReturnCode(contentText(dig(message, "content"))) !== undefined,
  );
  return answers && !messages.some((message) => dig(message, "tool_calls") !== undefined);
}

function readMessage(state: Reading, message: JsonObject, place: Item["at"]): void {
  const { log } = state;
  const text = contentText(message["content"]);
  const extra = message["extra"];
  const at = { timestamp: timeOf(dig(extra, "timestamp")) };
  switch (message["role"]) {
    case "system":
      return log.text("system", text, at);
    case "assistant":
      return readAssistant(state, message, text, at, place);
    case "tool":
      return observe(log, text, extra, firstText(message["tool_call_id"]));
    case "exit":
      state.exit = firstText(dig(extra, "exit_status"));
      state.submission = asString(dig(extra, "submission"));
      return log.context("env", text, at);
    case "user":
      if (!state.begun) log.text("task", text, at);
      // With no command waiting this is the harness speaking: a format error, a limit.
      else if (log.awaitsResult) observe(log, text, extra, undefined);
      else log.context("env", text, at);
      state.begun = true;
      return;
    default:
      if (isResponse(message)) {
        addTokens(state, dig(message, "usage", "output_tokens"));
        return readResponse(log, message, at, state.note, place);
      }
      if (message["type"] === "function_call_output")
        return observe(log, contentText(message["output"]), extra, firstText(message["call_id"]));
      state.note("message_unknown", `role ${JSON.stringify(message["role"])}; kept as context`, place);
      return log.context("env", textOfUnknown(message, message["content"]), at);
  }
}

function readAssistant(
  state: Reading,
  message: JsonObject,
  text: string,
  at: { timestamp: string | undefined },
  place: Item["at"],
): void {
  const { log } = state;
  const extra = message["extra"];
  log.beginTurn();
  log.reasoning(contentText(message["reasoning_content"]), at);
  log.text("agent", text, at);
  addTokens(state, dig(extra, "response", "usage", "completion_tokens"));

  const calls = asList(message["tool_calls"]);
  for (const call of calls) {
    const given = dig(call, "function", "arguments");
    if (isUnparsed(given)) state.note("arguments_unparsed", "arguments are not JSON; kept as text", place);
    log.call(describeCall(asString(dig(call, "function", "name")), given), firstText(dig(call, "id")), at);
  }
  if (calls.length > 0) return;
  for (const command of commandsOf(extra, text)) log.call(describeCall("bash", { command }), undefined, at);
}

function addTokens(state: Reading, written: unknown): void {
  const tokens = asInteger(written);
  if (tokens !== undefined) state.tokens = (state.tokens ?? 0) + tokens;
}

const FENCE = /```(?:bash|mswea_bash_command)[ \t]*\r?\n([^]*?)\r?\n?```/g;

/** What the harness ran: it says so in `extra.actions`, or it takes the fenced block when there is exactly one. */
function commandsOf(extra: unknown, text: string): string[] {
  const actions = dig(extra, "actions");
  if (Array.isArray(actions)) return actions.flatMap((action) => firstText(dig(action, "command")) ?? []);
  const blocks = [...text.matchAll(FENCE)].flatMap((match) => firstText(match[1]) ?? []);
  return blocks.length === 1 ? blocks : [];
}

function observe(log: EventLog, text: string, extra: unknown, nativeId: string | undefined): void {
  const raw = asString(dig(extra, "raw_output"));
  const exception = firstText(dig(extra, "exception_info"));
  const exitCode = asInteger(dig(extra, "returncode")) ?? leadingReturnCode(text);
  log.observe(raw === undefined ? text : [raw, exception].filter((part) => part !== undefined).join("\n"), {
    nativeId,
    exitCode,
    status: failureOf(raw === undefined ? text : "", extra, exception) ?? statusOf(exitCode),
    timestamp: timeOf(dig(extra, "timestamp")),
  });
}

/** What the harness says went wrong: in a field of its own, or by its message in place of the output. */
function failureOf(
  said: string,
  extra: unknown,
  exception: string | undefined,
): "error" | "timeout" | "rejected" | undefined {
  if (dig(extra, "interrupt_type") === "FormatError") return "rejected";
  if (/^The last command <command>[^]*<\/command> timed out/.test(said)) return "timeout";
  if (exception === undefined) return undefined;
  return /timed out|TimeoutExpired/.test(exception) ? "timeout" : "error";
}
