import { asString, firstText, isObject, type JsonObject, optional } from "../shape.ts";
import type { Item } from "./content.ts";
import { EventLog } from "./events.ts";
import { type LegacyRun, ownArguments, readAgentAction } from "./openhands-action.ts";
import { readObservation } from "./openhands-observation.ts";
import { factFields, isBroken, rowFacts, runOf } from "./openhands-run.ts";
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
    return items.some(({ value }) => isEvent(value)) || isBroken(row);
  },
  read(content, note) {
    const run = runOf(content);
    const state: LegacyRun = {
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

function readEvent(state: LegacyRun, event: JsonObject, at: Item["at"]): void {
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
  state: LegacyRun,
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
  readAgentAction(state, event, action, args, at);
}
