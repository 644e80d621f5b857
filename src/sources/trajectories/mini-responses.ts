import type { Note } from "../notes.ts";
import { asList, asString, dig, firstText, type JsonObject } from "../shape.ts";
import { describeCall, isUnparsed } from "./calls.ts";
import type { Item } from "./content.ts";
import type { Details, EventLog } from "./events.ts";
import { contentText, safeJson } from "./parts.ts";

/** True for a message that is a whole answer of the OpenAI Responses API, as mini-swe-agent 2 keeps it. */
export function isResponse(message: JsonObject): boolean {
  return message["object"] === "response" && Array.isArray(message["output"]);
}

/** Reads the output items of such an answer into a turn of its own. */
export function readResponse(
  log: EventLog,
  message: JsonObject,
  details: Details,
  note: Note,
  at: Item["at"],
): void {
  log.beginTurn();
  for (const item of asList(message["output"])) {
    switch (dig(item, "type")) {
      case "reasoning":
        log.reasoning(contentText(dig(item, "summary")), details);
        log.reasoning(contentText(dig(item, "content")), details);
        break;
      case "message":
        log.text("agent", contentText(dig(item, "content")), details);
        break;
      case "function_call": {
        const given = dig(item, "arguments");
        if (isUnparsed(given)) note("arguments_unparsed", "arguments are not JSON; kept as text", at);
        const id = firstText(dig(item, "call_id"), dig(item, "id"));
        log.call(describeCall(asString(dig(item, "name")), given), id, details);
        break;
      }
      default:
        note("message_unknown", `output item ${JSON.stringify(dig(item, "type"))}; kept as context`, at);
        log.context("env", safeJson(item), details);
    }
  }
}
