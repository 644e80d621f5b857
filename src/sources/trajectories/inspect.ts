import { isLog, samplesOf } from "../inspect/log.ts";
import { resolveSample } from "../inspect/resolve.ts";
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
import { elements, type Item } from "./content.ts";
import { EventLog } from "./events.ts";
import { contentText, textOfUnknown, timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";

/**
 * A sample of an Inspect AI log, or a `.json` log whose first sample is read. `messages` are the run; of `events` only
 * those of tools are read, for times and for calls whose messages are gone (compaction, sub-agents): these follow at
 * the end, so that ids never depend on them.
 */
export const inspect: TrajectoryReader = {
  format: "inspect",
  matches: ({ kind, ...content }) =>
    kind === "document" && "value" in content && (isLog(content.value) || isSample(content.value)),
  read(content, note) {
    const root = content.kind === "document" ? content.value : undefined;
    const samples = isLog(root) ? samplesOf(root, note) : [];
    if (samples.length > 1)
      note(
        "samples_unread",
        `the log holds ${samples.length} samples; only the first was read. Given as an input, every sample is a rollout`,
        { field: "samples" },
      );
    const given = isLog(root) ? (samples[0]?.trajectory ?? {}) : root;
    const sample = isObject(given) ? resolveSample(given) : {};
    const log = new EventLog();
    const tools = asList(sample["events"]).filter(isToolEvent);
    const times = new Map(tools.map((event) => [asString(event["id"]) ?? "", event]));

    const known = new Set<string>();
    const state: Reading = { log, note, times, known, hasTask: false };
    const messages = elements(sample["messages"], "messages");
    if (messages.length === 0) readInput(log, sample["input"]);
    for (const { value, at } of messages) {
      if (isObject(value)) readMessage(state, value, at);
      else note("message_unreadable", "not a message; left out", at);
    }
    readHidden(log, tools, known, note);
    const limit = firstText(dig(sample["limit"], "type"), sample["limit"]);
    return {
      format: "inspect",
      events: log.finish(note),
      ...optional("version", (asInteger(dig(root, "version")) ?? asInteger(sample["version"]))?.toString()),
      ...optional("completion_tokens", tokensOf(sample["model_usage"])),
      ...optional("exit", limit ?? (isSet(sample["error"]) ? "error" : undefined)),
    };
  },
};

interface Reading {
  log: EventLog;
  note: Note;
  /** By call: the event of its tool. */
  times: Map<string, JsonObject>;
  /** Ids of calls and results that messages hold. */
  known: Set<string>;
  hasTask: boolean;
}

function isSample(value: unknown): boolean {
  const id = dig(value, "id");
  return (
    (typeof id === "string" || typeof id === "number") &&
    typeof dig(value, "epoch") === "number" &&
    Array.isArray(dig(value, "messages"))
  );
}

/** What the models wrote, together; undefined where it is not said for each. */
function tokensOf(usage: unknown): number | undefined {
  if (!isObject(usage)) return undefined;
  const written = Object.values(usage).map((model) => asInteger(dig(model, "output_tokens")));
  if (written.length === 0) return undefined;
  return written.reduce(
    (sum, tokens) => (sum === undefined || tokens === undefined ? undefined : sum + tokens),
    0,
  );
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isToolEvent(event: unknown): event is JsonObject {
  return dig(event, "event") === "tool";
}

function readInput(log: EventLog, input: unknown): void {
  if (typeof input === "string") log.text("task", input);
  for (const message of asList(input)) log.text("task", contentText(dig(message, "content")));
}

function readMessage(state: Reading, message: JsonObject, place: Item["at"]): void {
  const { log, note } = state;
  switch (message["role"]) {
    case "system":
      return log.text("system", contentText(message["content"]));
    case "user":
      log.text(state.hasTask ? "user" : "task", contentText(message["content"]));
      state.hasTask = true;
      return;
    case "assistant":
      return readAssistant(state, message, place);
    case "tool":
      return readResult(state, message);
    default:
      note("message_unknown", `role ${JSON.stringify(message["role"])}; kept as context`, place);
      log.context("env", textOfUnknown(message, message["content"]));
  }
}

function readAssistant({ log, note, times, known }: Reading, message: JsonObject, place: Item["at"]): void {
  log.beginTurn();
  const parts = asList(message["content"]);
  const thoughts = parts.filter((part) => dig(part, "type") === "reasoning");
  log.reasoning(
    thoughts.length === 0
      ? contentText(message["reasoning"])
      : thoughts
          .map((part) => (dig(part, "redacted") === true ? dig(part, "summary") : dig(part, "reasoning")))
          .map(contentText)
          .join("\n"),
  );
  log.text(
    "agent",
    contentText(parts.length === 0 ? message["content"] : parts.filter((part) => !thoughts.includes(part))),
  );
  for (const call of asList(message["tool_calls"])) {
    const id = firstText(dig(call, "id"));
    if (id !== undefined) known.add(id);
    if (firstText(dig(call, "parse_error")) !== undefined)
      note("arguments_unparsed", "arguments did not parse; kept as Inspect recorded them", place);
    log.call(describeCall(asString(dig(call, "function")), dig(call, "arguments")), id, {
      timestamp: timeOf(dig(times.get(id ?? ""), "timestamp")),
    });
  }
}

function readResult({ log, times, known }: Reading, message: JsonObject): void {
  const id = firstText(message["tool_call_id"]);
  if (id !== undefined) known.add(id);
  log.observe(resultText(message["content"], message["error"]), {
    nativeId: id,
    status: statusOfError(message["error"]),
    timestamp: timeOf(dig(times.get(id ?? ""), "completed")),
  });
}

/** What the model saw of a failed call is the message of the error. */
function resultText(content: unknown, error: unknown): string {
  const text = contentText(content);
  const said = firstText(dig(error, "message"));
  return said === undefined || text.includes(said) ? text : [text, said].filter(Boolean).join("\n");
}

function statusOfError(error: unknown): "ok" | "error" | "timeout" | "rejected" {
  if (!isSet(error)) return "ok";
  const type = dig(error, "type");
  return type === "timeout" ? "timeout" : type === "approval" ? "rejected" : "error";
}

function readHidden(log: EventLog, tools: JsonObject[], known: Set<string>, note: Note): void {
  const first = tools.findIndex((event) => known.has(asString(event["id"]) ?? ""));
  let hidden = 0;
  for (const [index, event] of tools.entries()) {
    const nativeId = firstText(event["id"]);
    if (nativeId !== undefined && known.has(nativeId)) continue;
    hidden++;
    // Before the first call that is left the conversation was cut; after it a sub-agent worked.
    const branch = first >= 0 && index > first ? ("sidechain" as const) : undefined;
    log.beginTurn();
    log.call(describeCall(asString(event["function"]), event["arguments"]), nativeId, {
      branch,
      timestamp: timeOf(event["timestamp"]),
    });
    if (event["pending"] === true) continue;
    log.observe(resultText(event["result"], event["error"]), {
      nativeId,
      branch,
      status: statusOfError(event["error"]),
      timestamp: timeOf(event["completed"]),
    });
  }
  if (hidden > 0)
    note("messages_missing", `${hidden} calls are recorded as events alone; they stand at the end`);
}
