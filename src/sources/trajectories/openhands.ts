import type { TrajectoryEvent } from "../../schema/trajectory.ts";
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
import type { Item } from "./content.ts";
import { EventLog } from "./events.ts";
import { callOf, commandOutput, factFields, rowFacts, runOf } from "./openhands-run.ts";
import { contentText, safeJson, timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";

/**
 * OpenHands before its SDK (to 0.5x and some of 1.x): a list of events, or a row of `output.jsonl` with them. An event
 * is an action or an observation by the key that it has: its `source` says "agent" for results too. Event ids have gaps.
 */
export const openhands: TrajectoryReader = {
  format: "openhands",
  matches(content) {
    const { items, row } = runOf(content);
    return items.some(({ value }) => isEvent(value)) || (row !== undefined && items.length === 0);
  },
  read(content, note) {
    const run = runOf(content);
    const state: Reading = {
      log: new EventLog(),
      note,
      hasTask: false,
      tokens: new Map(),
      asides: new Set(),
    };
    if (run.items.length === 0) state.log.text("task", contentText(run.row?.["instruction"]));
    for (const { value, damage, at } of run.items) {
      if (damage !== undefined) state.log.context("env", damage);
      else if (isObject(value)) readEvent(state, value, at);
      else note("event_unreadable", "not an object; left out", at);
    }
    const facts = rowFacts(run, note);
    const written = [...state.tokens.values()].filter((tokens) => tokens !== undefined);
    const tokens = written.length === 0 ? undefined : written.reduce((sum, tokens) => sum + tokens, 0);
    return {
      format: "openhands",
      events: state.log.finish(note),
      ...optional("version", state.version),
      ...factFields({ ...facts, exit: facts.exit ?? state.exit, tokens: facts.tokens ?? tokens }),
    };
  },
};

interface Reading {
  log: EventLog;
  note: Note;
  hasTask: boolean;
  /** By completion: the tokens written. */
  tokens: Map<string, number | undefined>;
  /** Ids of actions that were not the agent's: what answers them is context. */
  asides: Set<unknown>;
  version?: string | undefined;
  exit?: string | undefined;
}

/** Actions of the program itself; what they say stands elsewhere. */
const BOOKKEEPING = new Set([
  "change_agent_state",
  "recall",
  "condensation_request",
  "null",
  "start",
  "pause",
]);

const BARE_ACTIONS = new Set(["message", "run", "run_ipython", "read", "write", "edit", "browse", "finish"]);

function isEvent(value: unknown): boolean {
  if (!isObject(value) || "role" in value) return false;
  const { action, observation } = value;
  if (typeof action === "string" && observation === undefined)
    return isObject(value["args"])
      ? "source" in value || "id" in value
      : BARE_ACTIONS.has(action) && ("thought" in value || "wait_for_response" in value);
  return typeof observation === "string" && action === undefined && "content" in value && "extras" in value;
}

function readEvent(state: Reading, event: JsonObject, at: Item["at"]): void {
  const action = asString(event["action"]);
  const observation = asString(event["observation"]);
  if (observation !== undefined) return readObservation(state, event, observation);
  if (action === undefined) {
    state.note("event_unknown", "neither action nor observation; kept as context", at);
    return state.log.context("env", safeJson(event));
  }
  // Resolver logs have the arguments in the event itself.
  return readAction(state, event, action, isObject(event["args"]) ? event["args"] : event, at);
}

function readAction(
  state: Reading,
  event: JsonObject,
  action: string,
  args: JsonObject,
  at: Item["at"],
): void {
  const { log } = state;
  const details = { timestamp: timeOf(event["timestamp"]) };
  const source =
    event["source"] ?? (action === "message" && args["wait_for_response"] !== true ? "user" : "agent");
  if (action === "system") {
    state.version ??= firstText(args["openhands_version"]);
    return log.text("system", contentText(args["content"]), details);
  }
  if (action === "message" && source === "user") {
    state.asides.add(event["id"]);
    log.text(state.hasTask ? "user" : "task", contentText(args["content"]), details);
    state.hasTask = true;
    return;
  }
  if (action === "condensation") return log.context("system", contentText(args["summary"]), details);
  if (BOOKKEEPING.has(action)) return void state.asides.add(event["id"]);
  if (source !== "agent") {
    state.asides.add(event["id"]);
    return log.context(
      source === "user" ? "user" : "env",
      safeJson({ action, ...ownArguments(args) }),
      details,
    );
  }
  readAgent(state, event, action, args, at);
}

function readAgent(
  state: Reading,
  event: JsonObject,
  action: string,
  args: JsonObject,
  at: Item["at"],
): void {
  const { log } = state;
  const details = { timestamp: timeOf(event["timestamp"]) };
  const metadata = event["tool_call_metadata"];
  const response = dig(metadata, "model_response");
  const message = dig(asList(dig(response, "choices"))[0], "message");
  // The completion is repeated whole on each of its actions.
  const key = firstText(dig(response, "id"));
  const isNew = key === undefined || !state.tokens.has(key);
  log.beginTurn(key);
  if (key !== undefined) state.tokens.set(key, asInteger(dig(response, "usage", "completion_tokens")));

  const said = action === "message" ? args["content"] : action === "think" ? undefined : args["thought"];
  if (isNew) {
    log.reasoning(contentText(dig(message, "reasoning_content")), details);
    log.text("agent", firstText(contentText(dig(message, "content"))) ?? contentText(said), details);
  }
  if (action === "message") return void state.asides.add(event["id"]);

  const id = firstText(dig(metadata, "tool_call_id"));
  const call = asList(dig(message, "tool_calls")).find((one) => id !== undefined && dig(one, "id") === id);
  const own = ownArguments(args);
  if (action === "think") own["thought"] = args["thought"];
  const given = dig(call, "function", "arguments") ?? own;
  const tool = asString(dig(metadata, "function_name")) ?? action;
  log.call(
    callOf(tool, given, own, (code, text) => state.note(code, text, at)),
    idOf(event["id"]),
    details,
  );
}

/** Fields that the program adds to what the model asked for. */
const ADDED =
  /^(?:action|args|id|timestamp|source|message|cause|timeout|thought|hidden|blocking|is_static|is_input|impl_source|translated_ipython_code|keep_prompt|kernel_init_code|tool_call_metadata|llm_metrics|security_risk|action_risk|is_confirmed|confirmation_state)$/;

function ownArguments(args: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(args).filter(([key, value]) => !ADDED.test(key) && value !== null),
  );
}

function idOf(id: unknown): string | undefined {
  return typeof id === "number" || typeof id === "string" ? String(id) : undefined;
}

function readObservation(state: Reading, event: JsonObject, kind: string): void {
  const { log } = state;
  const { extras, cause } = event;
  const details = { timestamp: timeOf(event["timestamp"]) };
  if (kind === "agent_state_changed") {
    const ended = /^(?:finished|error|stopped|rejected|awaiting_user_input)$/;
    const after = firstText(dig(extras, "agent_state"));
    state.exit = after !== undefined && ended.test(after) ? after : undefined;
    return;
  }
  const content = contentText(event["content"]);
  if (kind === "null" && content.trim() === "") return;
  if (cause !== undefined && state.asides.has(cause)) {
    const more = isObject(extras) && kind === "recall" ? `\n${safeJson(extras)}` : "";
    return log.context("env", content + more, details);
  }
  // An answer of the model that was no valid call: there is no action that this would answer.
  if (kind === "error" && cause === undefined && !log.awaitsResult)
    return log.context("env", content, details);

  const output = firstText(content) ?? asString(dig(extras, "formatted_output_and_error")) ?? content;
  const stated = dig(extras, "exit_code") ?? event["exit_code"];
  const { text, exitCode, status } = commandOutput(output, dig(extras, "metadata"), stated);
  log.observe(text, {
    ...details,
    nativeId: idOf(cause),
    exitCode,
    status: failureOf(event, kind, content) ?? status ?? (event["success"] === false ? "error" : undefined),
  });
}

/** Tools that are no commands tell failures in their text alone. */
function failureOf(event: JsonObject, kind: string, content: string): TrajectoryEvent["status"] {
  if (kind === "user_rejected") return "rejected";
  if (kind === "error" || (/^(?:edit|read)$/.test(kind) && content.startsWith("ERROR:"))) return "error";
  return event["is_error"] === true ? "error" : undefined;
}
