import type { Note } from "../notes.ts";
import { asList, asString, dig, firstText, isObject, type JsonObject } from "../shape.ts";
import { describeCall, isUnparsed } from "./calls.ts";
import { conversationOf } from "./chat-rows.ts";
import type { Item } from "./content.ts";
import { EventLog } from "./events.ts";
import {
  contentText,
  leadingReturnCode,
  statusOf,
  textOfUnknown,
  timeOf,
  trailingExitCode,
} from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";
import { callsIn, type CallStyle, resultsIn, styleOf } from "./text-calls.ts";

/**
 * OpenAI chat messages: a list, an object with `messages`, a row of a training set, or one message per line. Tool and
 * function messages are results. In a conversation whose first call stands in the text, calls are read from the text
 * and what answers them are user messages; in every other one what a message imitates stays text.
 */
export const openaiChat: TrajectoryReader = {
  format: "openai-chat",
  matches: (content) =>
    conversationOf(content).messages.some(({ value }) => ROLES.has(asString(dig(value, "role")) ?? "")),
  read(content, note) {
    const { messages, facts } = conversationOf(content, note);
    const log = new EventLog();
    const style = styleOfCalls(messages);
    let hasTask = false;
    for (const { value, damage, at } of messages) {
      const noteHere: Note = (code, text) => note(code, text, at);
      const message = isObject(value) ? inPlainForm(value) : value;
      if (damage !== undefined) log.context("env", damage);
      else if (!isObject(message)) noteHere("message_unreadable", "not a message; left out");
      else if (message["role"] === "assistant") readAssistant(log, message, style, noteHere);
      else if (message["role"] === "tool" || message["role"] === "function") readResult(log, message);
      else if (style !== undefined && message["role"] === "user" && log.awaitsResult) {
        for (const content of resultsIn(contentText(message["content"]), style))
          readResult(log, { ...message, content });
      } else hasTask = readOther(log, message, hasTask, noteHere);
    }
    return { format: "openai-chat", events: log.finish(note), ...facts };
  },
};

const ROLES = new Set(["system", "developer", "user", "assistant", "tool", "function", "ai"]);

/** nebius rows say `ai`, and have `text` or `system_prompt` in place of `content`. */
function inPlainForm(message: JsonObject): JsonObject {
  const content = message["content"] ?? firstText(message["text"], message["system_prompt"]);
  const role = message["role"] === "ai" ? "assistant" : message["role"];
  return content === message["content"] && role === message["role"] ? message : { ...message, role, content };
}

/** By the first message that calls anything: what stands later in a damaged file must not decide. */
function styleOfCalls(messages: Item[]): CallStyle | undefined {
  for (const { value } of messages) {
    if (dig(value, "role") === "ai") return "fence";
    if (dig(value, "role") !== "assistant") continue;
    if (asList(dig(value, "tool_calls")).length > 0 || isObject(dig(value, "function_call")))
      return undefined;
    const style = styleOf(contentText(dig(value, "content")));
    if (style !== undefined) return style;
  }
  return undefined;
}

function readAssistant(log: EventLog, message: JsonObject, style: CallStyle | undefined, note: Note): void {
  const at = { timestamp: timeOf(message["timestamp"]) };
  log.beginTurn();
  log.reasoning(reasoningOf(message), at);
  const text = contentText(message["content"]);
  const { said, calls } = style === undefined ? { said: text, calls: [] } : callsIn(text, style);
  log.text("agent", said, at);
  for (const call of calls) log.call(call, undefined, at);
  const legacy = isObject(message["function_call"]) ? [{ function: message["function_call"] }] : [];
  for (const call of [...asList(message["tool_calls"]), ...legacy]) {
    const body = dig(call, "function") ?? dig(call, "custom");
    const given = dig(body, "arguments") ?? dig(body, "input");
    if (dig(body, "arguments") !== undefined && isUnparsed(given))
      note("arguments_unparsed", "arguments are not JSON; kept as text");
    log.call(describeCall(asString(dig(body, "name")), given), firstText(dig(call, "id")), at);
  }
}

function reasoningOf(message: JsonObject): string {
  const blocks = asList(message["thinking_blocks"]).map((block) => asString(dig(block, "thinking")) ?? "");
  return contentText(message["reasoning_content"] ?? message["reasoning"]) || blocks.join("\n");
}

function readResult(log: EventLog, message: JsonObject): void {
  const text = contentText(message["content"]);
  const exitCode = leadingReturnCode(text) ?? trailingExitCode(text);
  log.observe(text, {
    nativeId: firstText(message["tool_call_id"]),
    exitCode,
    status: message["is_error"] === true ? "error" : statusOf(exitCode),
    timestamp: timeOf(message["timestamp"]),
  });
}

/** System, user and unknown roles. Returns whether the task has been seen. */
function readOther(log: EventLog, message: JsonObject, hasTask: boolean, note: Note): boolean {
  const text = contentText(message["content"]);
  const at = { timestamp: timeOf(message["timestamp"]) };
  switch (message["role"]) {
    case "system":
    case "developer":
      log.text("system", text, at);
      return hasTask;
    case "user":
      log.text(hasTask ? "user" : "task", text, at);
      return true;
    default:
      note("message_unknown", `role ${JSON.stringify(message["role"])}; kept as context`);
      log.context("env", textOfUnknown(message, message["content"]), at);
      return hasTask;
  }
}
