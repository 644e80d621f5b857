import type { Note } from "../notes.ts";
import { asList, asString, dig, isObject } from "../shape.ts";
import { isRow } from "./chat-rows.ts";
import { type Content, elements, type Item, recordsOf } from "./content.ts";
import { EventLog } from "./events.ts";
import { contentText, timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";
import { isResponseItem, readResponseItem, type ResponseReading } from "./responses.ts";

/**
 * OpenAI Responses: a list of items, one item or one response per line, or an object with `input` and `output`
 * (a request with its response). A turn begins where the model writes after something was given to it.
 */
export const openaiResponses: TrajectoryReader = {
  format: "openai-responses",
  matches: (content) =>
    (content.kind === "document" && isRequest(content.value)) ||
    itemsIn(content).some(({ value }) => isResponseItem(value) && !isRow(value)),
  read(content, note) {
    const log = new EventLog();
    const state: ResponseReading = { log, hasTask: false, between: true, isHarness: () => false };
    const root = content.kind === "document" ? content.value : undefined;
    log.text("system", contentText(dig(root, "instructions")));
    for (const { value, damage, at } of itemsIn(content)) {
      const noteHere: Note = (code, text) => note(code, text, at);
      const details = { timestamp: timeOf(dig(value, "timestamp")) };
      if (damage !== undefined) log.context("env", damage);
      else if (typeof value === "string")
        readResponseItem(state, { role: "user", content: value }, {}, noteHere);
      else if (isObject(value)) readResponseItem(state, value, details, noteHere);
      else noteHere("record_unreadable", "not an object; left out");
    }
    return { format: "openai-responses", events: log.finish(note) };
  },
};

/** The items in order, those of whole responses in the place of their response. */
function itemsIn(content: Content): Item[] {
  return recordsOf(content).flatMap((item) => {
    if (!isWrapper(item.value)) return [item];
    const input = dig(item.value, "input");
    const before = typeof input === "string" ? [{ value: input, at: item.at }] : elements(input, "input");
    const inner = [...before, ...elements(dig(item.value, "output"), "output")];
    const isLine = content.kind === "lines";
    return isLine ? inner.map((one) => ({ ...one, at: { ...one.at, ...item.at } })) : inner;
  });
}

/** Told by its head, which a file that is cut still has. */
function isRequest(value: unknown): boolean {
  return asString(dig(value, "instructions")) !== undefined && asList(dig(value, "input")).some(isObject);
}

/** No item has a list as its input: a type beside one is what damage makes. */
function isWrapper(value: unknown): boolean {
  if (asList(dig(value, "input")).length > 0) return true;
  return asString(dig(value, "type")) === undefined && asList(dig(value, "output")).length > 0;
}
