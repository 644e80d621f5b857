import type { TrajectoryEvent } from "../../schema/trajectory.ts";
import type { Note } from "../notes.ts";
import { asList, asString, dig, firstText, isObject, type JsonObject } from "../shape.ts";
import type { Item } from "./content.ts";
import { type Details, EventLog } from "./events.ts";
import { callOf, commandOutput, completionTokens, factFields, rowFacts, runOf } from "./openhands-run.ts";
import { contentText, safeJson, timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";

/**
 * Events of the OpenHands SDK: a list, one a line, the files of a conversation, or the `history` of a row. Actions of one
 * completion share `llm_response_id`. Results have their text in `output` (2025) or in `content` parts (2026).
 */
export const openhandsSdk: TrajectoryReader = {
  format: "openhands-sdk",
  matches: (content) => runOf(content).items.some(({ value }) => isEvent(value)),
  read(content, note) {
    const run = runOf(content);
    const state: Reading = { log: new EventLog(), note, hasTask: false, unknown: new Map() };
    for (const { value, damage, at } of run.items) {
      if (damage !== undefined) state.log.context("env", damage);
      else if (isObject(value)) readEvent(state, value, at);
      else note("event_unreadable", "not an object; left out", at);
    }
    for (const [kind, count] of state.unknown)
      note("event_unknown", `events of the unknown kind ${kind}: ${count}; kept as context`);
    const facts = rowFacts(run, note);
    return {
      format: "openhands-sdk",
      events: state.log.finish(note),
      ...factFields({ ...facts, exit: facts.exit ?? state.exit, tokens: facts.tokens ?? state.tokens }),
    };
  },
};

interface Reading {
  log: EventLog;
  note: Note;
  hasTask: boolean;
  unknown: Map<string, number>;
  tokens?: number | undefined;
  exit?: string | undefined;
}

const TELLING =
  /^(?:(?:SystemPrompt|Message|Action|Observation|AgentError|ConversationError|ConversationStateUpdate)Event|UserRejectObservation)$/;

/** Say nothing about the work. */
const BOOKKEEPING =
  /^(?:(?:Pause|Interrupt|Token|LLMCompletionLog|StreamingDelta)Event|CondensationRequest)$/;

function isEvent(value: unknown): boolean {
  return TELLING.test(asString(dig(value, "kind")) ?? "") && asString(dig(value, "source")) !== undefined;
}

function readEvent(state: Reading, event: JsonObject, at: Item["at"]): void {
  const { log } = state;
  const details = { timestamp: timeOf(event["timestamp"]) };
  const kind = asString(event["kind"]) ?? "";
  switch (kind) {
    case "SystemPromptEvent":
      log.text("system", contentText(event["system_prompt"]), details);
      return log.text("system", contentText(event["dynamic_context"]), details);
    case "MessageEvent":
      return readMessage(state, event, details);
    case "ActionEvent":
      return readAction(state, event, details, at);
    case "ObservationEvent":
      return readObservation(log, event, details);
    case "AgentErrorEvent":
      return answer(log, event, contentText(event["error"]), { ...details, status: "error" });
    case "UserRejectObservation":
      return answer(log, event, contentText(event["rejection_reason"]), { ...details, status: "rejected" });
    case "Condensation":
    case "CondensationSummaryEvent":
      return log.context("system", summaryOf(event), details);
    case "ConversationStateUpdateEvent":
      return readState(state, event);
    case "ConversationErrorEvent":
      state.exit = firstText(event["code"]) ?? "error";
      return log.context("env", contentText(event["detail"]), details);
    default:
      if (BOOKKEEPING.test(kind)) return;
      state.unknown.set(kind, (state.unknown.get(kind) ?? 0) + 1);
      return log.context("env", safeJson(event), details);
  }
}

function readMessage(state: Reading, event: JsonObject, details: Details): void {
  const { log } = state;
  const message = event["llm_message"];
  const text = contentText(dig(message, "content"));
  if (event["source"] === "agent") {
    log.beginTurn(firstText(event["llm_response_id"]));
    log.reasoning(reasoningOf(isObject(message) ? message : {}), details);
    return log.text("agent", text, details);
  }
  if (event["source"] === "user") {
    log.text(state.hasTask ? "user" : "task", text, details);
    state.hasTask = true;
  } else log.context("env", text, details);
  // Knowledge that the program adds to what the user said.
  log.context("env", contentText(event["extended_content"]), details);
}

function readAction(state: Reading, event: JsonObject, details: Details, at: Item["at"]): void {
  const { log, note } = state;
  log.beginTurn(firstText(event["llm_response_id"]));
  log.reasoning(reasoningOf(event), details);
  log.text("agent", contentText(event["thought"]), details);
  const call = event["tool_call"];
  const { kind, ...action } = isObject(event["action"]) ? event["action"] : {};
  const given = dig(call, "arguments") ?? dig(call, "function", "arguments") ?? action;
  const name =
    firstText(event["tool_name"], dig(call, "name"), dig(call, "function", "name")) ?? asString(kind);
  const facts = callOf(name, given, action, (code, text) => note(code, text, at));
  log.call(facts, firstText(event["tool_call_id"], event["id"]), details);
}

function reasoningOf(event: JsonObject): string {
  const blocks = asList(event["thinking_blocks"]).map((block) => asString(dig(block, "thinking")) ?? "");
  return firstText(event["reasoning_content"]) ?? blocks.join("\n");
}

function readObservation(log: EventLog, event: JsonObject, details: Details): void {
  const seen = event["observation"];
  const metadata = dig(seen, "metadata");
  const isSaid = isObject(seen) && ("output" in seen || "content" in seen);
  const said = isSaid ? contentText(seen["output"] ?? seen["content"]) : safeJson(seen);
  const { text, exitCode, status } = commandOutput(said, metadata, dig(seen, "exit_code"));
  const error = dig(seen, "error");
  const failed = dig(seen, "is_error") === true || error === true || firstText(error) !== undefined;
  answer(log, event, [text, asString(error) ?? ""].filter((part) => part.trim() !== "").join("\n"), {
    ...details,
    exitCode,
    status: dig(seen, "timeout") === true ? "timeout" : failed ? "error" : status,
  });
}

interface Result extends Details {
  exitCode?: number | undefined;
  status: TrajectoryEvent["status"] | undefined;
}

function answer(log: EventLog, event: JsonObject, text: string, result: Result): void {
  log.observe(text, { ...result, nativeId: firstText(event["tool_call_id"], event["action_id"]) });
}

function summaryOf(event: JsonObject): string {
  const forgotten = asList(event["forgotten_event_ids"]).length;
  return firstText(event["summary"]) ?? `[${forgotten} events left the model's view]`;
}

/** The state of the conversation, whole or one key of it: how it stands and what was spent. */
function readState(state: Reading, { key, value }: JsonObject): void {
  const whole = isObject(value) && key !== "stats" ? value : { [String(key)]: value };
  const status = firstText(whole["execution_status"], whole["agent_status"]);
  // A state that is not an end may follow one: the conversation went on.
  if (status !== undefined)
    state.exit = /^(?:idle|running|waiting_for_confirmation)$/.test(status) ? undefined : status;
  const usage = dig(whole["stats"], "usage_to_metrics") ?? dig(whole["stats"], "service_to_metrics");
  const spent = Object.values(isObject(usage) ? usage : {}).flatMap((one) => completionTokens(one) ?? []);
  if (spent.length > 0) state.tokens = spent.reduce((sum, tokens) => sum + tokens, 0);
}
