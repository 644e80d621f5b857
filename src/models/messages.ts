import {
  AIMessage,
  HumanMessage,
  mapStoredMessageToChatMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
  type StoredMessage,
} from "@langchain/core/messages";
import type { AssistantTurn, Entry, ToolCall } from "./inspector.ts";
import { SYSTEM_PROMPT } from "./prompt.ts";

/**
 * Characters of tool answers that stay in full, newest first. Older ones become a line that names the call; findings
 * are recorded in the workspace, so nothing that was judged is lost.
 */
const KEPT_CHARACTERS = 240_000;

/** The record as a chat model reads it: prompt, then every step with the answers to its calls. */
export function messagesOf(entries: readonly Entry[]): BaseMessage[] {
  const stubbed = olderThanKept(entries);
  return [
    new SystemMessage(SYSTEM_PROMPT),
    new HumanMessage("Grade this group."),
    ...entries.map((entry, index) => {
      if (entry.type === "nudge") return new HumanMessage(entry.text);
      if (entry.type === "assistant") return assistantMessage(entry.turn);
      return new ToolMessage({
        tool_call_id: entry.call.id,
        name: entry.call.name,
        status: entry.answer.error ? "error" : "success",
        content: stubbed.has(index) ? stub(entry.call) : entry.answer.text,
      });
    }),
  ];
}

function olderThanKept(entries: readonly Entry[]): Set<number> {
  const stubbed = new Set<number>();
  let kept = 0;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.type !== "reply") continue;
    kept += entry.answer.text.length;
    if (kept > KEPT_CHARACTERS) stubbed.add(index);
  }
  return stubbed;
}

function stub({ name, args }: ToolCall): string {
  return `[the answer to ${name} ${JSON.stringify(args).slice(0, 200)} was shown earlier and is left out here; call it again if you need it]`;
}

/** A message of the model goes back as it came; a step that code decided is written as one. */
function assistantMessage(turn: AssistantTurn): BaseMessage {
  if (isStored(turn.raw)) return mapStoredMessageToChatMessage(turn.raw);
  return new AIMessage({
    content: turn.text,
    tool_calls: turn.calls.map(({ id, name, args }) => ({ id, name, args, type: "tool_call" as const })),
  });
}

function isStored(raw: unknown): raw is StoredMessage {
  return typeof raw === "object" && raw !== null && "type" in raw && "data" in raw;
}
