import { asInteger, asString, dig, firstText, isObject, type JsonObject } from "../shape.ts";
import { describeCall } from "./calls.ts";
import type { Details, EventLog } from "./events.ts";
import { contentText } from "./parts.ts";

/** Content of an Anthropic message as a list of blocks: text alone is one of them. */
export function blocksOf(content: unknown): unknown[] {
  return Array.isArray(content) ? content : [content];
}

/** What the model wrote, block by block, into the current turn. */
export function logBlocks(log: EventLog, content: unknown, details: Details): void {
  for (const block of blocksOf(content)) {
    if (!isObject(block)) log.text("agent", contentText(block), details);
    else if (/^(?:server_|mcp_)?tool_use$/.test(String(block["type"])))
      log.call(describeCall(asString(block["name"]), block["input"]), firstText(block["id"]), details);
    else if (block["type"] === "thinking") log.reasoning(contentText(block["thinking"]), details);
    // A tool of the provider is answered in the message that calls it.
    else if (isResult(block)) logResult(log, block, undefined, details);
    // Encrypted by the provider: there is nothing to read.
    else if (block["type"] !== "redacted_thinking") log.text("agent", contentText([block]), details);
  }
}

/** Whether a block of a message is the result of a call. */
export function isResult(block: unknown): block is JsonObject {
  const type = dig(block, "type");
  return typeof type === "string" && type.endsWith("tool_result") && dig(block, "tool_use_id") !== undefined;
}

/** A result; `extra` is what the harness recorded beside it. */
export function logResult(log: EventLog, block: JsonObject, extra: unknown, details: Details): void {
  const text = contentText(block["content"]);
  const failed = block["is_error"] === true;
  const rejected =
    failed &&
    /^(?:Error: )?The user doesn't want to (?:proceed with this tool use|take this action)/.test(text);
  log.observe(text, {
    nativeId: firstText(block["tool_use_id"]),
    status: rejected ? "rejected" : failed || dig(extra, "interrupted") === true ? "error" : "ok",
    exitCode: asInteger(dig(extra, "exitCode")) ?? asInteger(dig(extra, "returnCode")),
    ...details,
  });
}

/** Whether a message holds a block that only Anthropic's messages have. */
export function hasBlocks(message: unknown): boolean {
  const content = dig(message, "content");
  return (
    Array.isArray(content) &&
    content.some((block) =>
      /^(?:tool_use|tool_result|thinking|redacted_thinking|server_tool_use)$/.test(
        String(dig(block, "type")),
      ),
    )
  );
}
