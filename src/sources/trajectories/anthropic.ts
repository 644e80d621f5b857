import type { Note } from "../notes.ts";
import { asInteger, asList, asString, dig, isObject, type JsonObject, optional } from "../shape.ts";
import { blocksOf, hasBlocks, isResult, logBlocks, logResult } from "./anthropic-blocks.ts";
import { type Content, elements, type Item, itemsOf } from "./content.ts";
import { EventLog } from "./events.ts";
import { contentText, textOfUnknown, timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";

/**
 * Messages of the Anthropic API: a list, one per line, or a request (`system`, `messages`) with its last answer in
 * `response`. Calls and results are blocks; results come in the user message that follows.
 */
export const anthropic: TrajectoryReader = {
  format: "anthropic",
  matches(content) {
    const messages = messagesOf(content).map(({ value }) => value);
    const isChat = messages.some(
      (one) => dig(one, "tool_calls") !== undefined || dig(one, "role") === "tool",
    );
    // A request is told by its head, which a file that is cut still has.
    const isRequest = content.kind === "document" && messages.length > 0 && hasSystem(content.value);
    return !isChat && (isRequest || messages.some((one) => dig(one, "role") !== undefined && hasBlocks(one)));
  },
  read(content, note) {
    const log = new EventLog();
    const state: Reading = { log, hasTask: false, tokens: [] };
    if (content.kind === "document") log.text("system", contentText(dig(content.value, "system")));
    for (const { value: message, damage, at } of messagesOf(content)) {
      if (damage !== undefined) log.context("env", damage);
      else if (isObject(message)) readMessage(state, message, (code, text) => note(code, text, at));
      else note("message_unreadable", "not a message; left out", at);
    }
    // Known of every message or of none: a sum over some would be too small.
    const tokens = state.tokens.reduce(
      (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
      0,
    );
    return {
      format: "anthropic",
      events: log.finish(note),
      ...optional("completion_tokens", state.tokens.length === 0 ? undefined : tokens),
    };
  },
};

interface Reading {
  log: EventLog;
  hasTask: boolean;
  tokens: (number | undefined)[];
}

function hasSystem(request: unknown): boolean {
  const system = dig(request, "system");
  return typeof system === "string" || Array.isArray(system);
}

function messagesOf(content: Content): Item[] {
  if (content.kind !== "document" || Array.isArray(content.value)) return itemsOf(content);
  const messages = elements(dig(content.value, "messages"), "messages");
  // A list of messages goes before a role beside it, which damage can make.
  if (messages.length === 0 && dig(content.value, "role") !== undefined)
    return [{ value: content.value, at: { line: 1 } }];
  const answer = dig(content.value, "response");
  return dig(answer, "role") === "assistant"
    ? [...messages, { value: answer, at: { field: "response" } }]
    : messages;
}

function readMessage(state: Reading, message: JsonObject, note: Note): void {
  const { log } = state;
  const details = { timestamp: timeOf(message["timestamp"]) };
  switch (message["role"]) {
    case "assistant":
      log.beginTurn(asString(message["id"]));
      state.tokens.push(asInteger(dig(message, "usage", "output_tokens")));
      return logBlocks(log, message["content"], details);
    case "user":
      for (const block of blocksOf(message["content"])) {
        if (isResult(block)) {
          logResult(log, block, undefined, details);
          continue;
        }
        const text = contentText(asList(message["content"]).length === 0 ? block : [block]);
        log.text(state.hasTask ? "user" : "task", text, details);
        state.hasTask = true;
      }
      return;
    case "system":
      return log.text("system", contentText(message["content"]), details);
    default:
      note("message_unknown", `role ${JSON.stringify(message["role"])}; kept as context`);
      log.context("env", textOfUnknown(message, message["content"]), details);
  }
}
