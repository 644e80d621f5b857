import { asList, asString, dig, isObject, type JsonObject } from "../shape.ts";

/** Deeper values stay as they are: walking them could exhaust the stack. */
const MAX_DEPTH = 200;
/** Most messages that references may bring in, over a whole sample. */
const MAX_REFERENCES = 2_000_000;

/** By content, or in chunked samples by number. */
const REFERENCE = /^(?:attachment|tc):\/\/([0-9a-f]{32}|\d{1,12})$/;

/**
 * A sample as it was before Inspect condensed it: long strings stand in `attachments` and are named
 * `attachment://<hash>` (older `tc://<hash>`), and the inputs of model events are ranges `[start, end)` of a pool of
 * messages (`message_pool`, or `events_data.messages`). References that lead nowhere stay as they are.
 */
export function resolveSample(sample: JsonObject): JsonObject {
  const resolved = withAttachments(sample);
  const pool = asList(resolved["message_pool"] ?? dig(resolved, "events_data", "messages"));
  if (pool.length === 0) return resolved;
  let left = MAX_REFERENCES;
  const events = asList(resolved["events"]).map((event) => {
    if (!isObject(event) || !Array.isArray(event["input_refs"])) return event;
    const input: unknown[] = [];
    for (const range of event["input_refs"]) {
      const [from, to] = asList(range);
      if (typeof from !== "number" || typeof to !== "number") continue;
      const messages = pool.slice(from, Math.min(to, from + left));
      left -= messages.length;
      for (const message of messages) input.push(message);
    }
    return { ...event, input };
  });
  return { ...resolved, events };
}

function withAttachments(sample: JsonObject): JsonObject {
  const attachments = sample["attachments"];
  if (!isObject(attachments) || Object.keys(attachments).length === 0) return sample;
  const resolved = replaceStrings(sample, (text) => {
    const hash = REFERENCE.exec(text)?.[1];
    return (hash === undefined ? undefined : asString(attachments[hash])) ?? text;
  });
  return isObject(resolved) ? resolved : sample;
}

/** The value with every string in it replaced, keys apart. */
function replaceStrings(value: unknown, replace: (text: string) => string, depth = MAX_DEPTH): unknown {
  if (typeof value === "string") return replace(value);
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => replaceStrings(item, replace, depth - 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "attachments" ? item : replaceStrings(item, replace, depth - 1),
    ]),
  );
}
