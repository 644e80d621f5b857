import type { Note } from "../notes.ts";
import { asInteger, asString, dig, firstText, isObject, type JsonObject, optional } from "../shape.ts";
import { type Item, recordsOf } from "./content.ts";
import { type Details, EventLog } from "./events.ts";
import { contentText, safeJson, timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";
import { readResponseItem, type ResponseReading } from "./responses.ts";

/**
 * Codex sessions (`~/.codex/sessions/.../rollout-*.jsonl`): lines `{timestamp, type, payload}`; in those of mid 2025
 * the items stand bare. `response_item` is what the model saw and wrote; `event_msg` repeats it for the screen, so of
 * these only aborts, errors and token counts are read. Source: openai/codex, codex-rs/protocol/src/protocol.rs.
 */
export const codex: TrajectoryReader = {
  format: "codex",
  matches: (content) => recordsOf(content).some(({ value }) => isSessionLine(value)),
  read(content, note) {
    const log = new EventLog();
    const state: Reading = { log, hasTask: false, between: true, isHarness, unknown: new Map() };
    for (const { value, damage, at } of recordsOf(content)) {
      const noteHere: Note = (code, text) => note(code, text, at);
      if (damage !== undefined) log.context("env", damage);
      else if (isObject(value)) readLine(state, value, at, noteHere);
      else noteHere("record_unreadable", "not an object; left out");
    }
    for (const [type, count] of state.unknown)
      note("record_unknown", `lines of the unknown type ${type}: ${count}; kept as context`);
    return {
      format: "codex",
      events: log.finish(note),
      ...optional("version", state.version),
      ...optional("completion_tokens", state.tokens),
    };
  },
};

interface Reading extends ResponseReading {
  unknown: Map<string, number>;
  version?: string | undefined;
  tokens?: number | undefined;
}

const LINE_TYPES = new Set(["session_meta", "response_item", "event_msg", "turn_context", "compacted"]);

function isSessionLine(value: unknown): boolean {
  if (asString(dig(value, "record_type")) === "state") return true;
  return LINE_TYPES.has(asString(dig(value, "type")) ?? "") && isObject(dig(value, "payload"));
}

/** Written by the program in the user's name: never the task. */
function isHarness(text: string): boolean {
  return /^\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted|user_shell_command|skill)\b|# AGENTS\.md instructions)/i.test(
    text,
  );
}

function readLine(state: Reading, line: JsonObject, at: Item["at"], note: Note): void {
  const details = { timestamp: timeOf(line["timestamp"]) };
  const { payload, type } = line;
  if (!isObject(payload)) {
    // Old sessions: the first line says what the session is, the rest are items and states.
    if (line["record_type"] !== undefined) return;
    if (typeof type === "string") return readResponseItem(state, line, details, note);
    if (line["id"] === undefined) return note("record_unknown", "has no type; left out");
    return state.log.text("system", contentText(line["instructions"]), details);
  }
  switch (type) {
    case "session_meta":
      state.version ??= firstText(payload["cli_version"]);
      return readInstructions(state, payload, details);
    case "response_item":
      return readResponseItem(state, payload, details, note);
    case "event_msg":
      return readEvent(state, payload, details);
    case "turn_context":
      state.between = true;
      return;
    case "compacted":
      state.between = true;
      return state.log.context("system", firstText(payload["message"]) ?? "[compacted]", details);
    default: {
      const name = String(type);
      state.unknown.set(name, (state.unknown.get(name) ?? 0) + 1);
      state.log.context("env", safeJson(line), details);
    }
  }
}

/** A session that was resumed or forked says them again. */
function readInstructions({ log }: Reading, meta: JsonObject, details: Details): void {
  if (log.turn > 0) return;
  log.text("system", firstText(dig(meta["base_instructions"], "text"), meta["instructions"]) ?? "", details);
}

function readEvent(state: Reading, event: JsonObject, details: Details): void {
  switch (event["type"]) {
    case "token_count":
      state.tokens = asInteger(dig(event["info"], "total_token_usage", "output_tokens")) ?? state.tokens;
      return;
    case "turn_aborted":
      return state.log.context(
        "env",
        `turn aborted: ${firstText(event["reason"]) ?? "no reason given"}`,
        details,
      );
    case "error":
    case "stream_error":
      return state.log.context("env", contentText(event["message"]), details);
  }
}
