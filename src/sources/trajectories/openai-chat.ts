import type { Note } from "../notes.ts";
import { asList, asString, dig, firstText, isObject, type JsonObject, optional } from "../shape.ts";
import { describeCall, isUnparsed } from "./calls.ts";
import { type Content, elements, type Item, itemsOf } from "./content.ts";
import { EventLog } from "./events.ts";
import { contentText, leadingReturnCode, statusOf, textOfUnknown, timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";

/**
 * OpenAI chat messages: a list, an object with `messages` (with the last completion in `response`, as LiteLLM logs it),
 * or one message per line. Only tool and function messages are results; whatever a user or assistant message imitates
 * stays text.
 */
export const openaiChat: TrajectoryReader = {
  format: "openai-chat",
  matches: (content) =>
    messagesOf(content).some(({ value }) => ROLES.has(asString(dig(value, "role")) ?? "")),
  read(content, note) {
    const log = new EventLog();
    let hasTask = false;
    for (const { value: message, damage, at } of messagesOf(content)) {
      const noteHere: Note = (code, text) => note(code, text, at);
      if (damage !== undefined) log.context("env", damage);
      else if (!isObject(message)) noteHere("message_unreadable", "not a message; left out");
      else if (message["role"] === "assistant") readAssistant(log, message, noteHere);
      else if (message["role"] === "tool" || message["role"] === "function") readResult(log, message);
      else hasTask = readOther(log, message, hasTask, noteHere);
    }
    const root = content.kind === "document" ? content.value : undefined;
    return {
      format: "openai-chat",
      events: log.finish(note),
      ...optional("submission", asString(dig(root, "submission"))),
    };
  },
};

const ROLES = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

function messagesOf(content: Content): Item[] {
  if (content.kind !== "document" || Array.isArray(content.value)) return itemsOf(content);
  if (dig(content.value, "role") !== undefined) return [{ value: content.value, at: { line: 1 } }];
  const messages = elements(dig(content.value, "messages"), "messages");
  const answer = dig(asList(dig(content.value, "response", "choices"))[0], "message");
  return answer === undefined
    ? messages
    : [...messages, { value: answer, at: { field: "response.choices[0].message" } }];
}

function readAssistant(log: EventLog, message: JsonObject, note: Note): void {
  const at = { timestamp: timeOf(message["timestamp"]) };
  log.beginTurn();
  log.reasoning(reasoningOf(message), at);
  log.text("agent", contentText(message["content"]), at);
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
  const exitCode = leadingReturnCode(text);
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
