import type { Note } from "../notes.ts";
import { asInteger, asString, dig, firstText, isObject, type JsonObject, optional } from "../shape.ts";
import { blocksOf, isResult, logBlocks, logResult } from "./anthropic-blocks.ts";
import { branchesOf } from "./claude-tree.ts";
import { type Item, recordsOf } from "./content.ts";
import { type Details, EventLog } from "./events.ts";
import { contentText, safeJson, timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";

/**
 * Claude Code sessions (`~/.claude/projects/.../*.jsonl`) and `--output-format stream-json`. One completion is spread
 * over several lines with the same `message.id`; results come in user lines.
 */
export const claudeCode: TrajectoryReader = {
  format: "claude-code",
  matches: (content) => recordsOf(content).some(({ value }) => isMessageLine(value)),
  read(content, note) {
    const state: Reading = {
      log: new EventLog(),
      note,
      hasTask: false,
      turns: new Map(),
      usage: new Map(),
      unknown: new Map(),
    };
    const lines = recordsOf(content);
    const branches = branchesOf(lines.map(({ value }) => value));
    lines.forEach(({ at, value, damage }, index) => {
      const details = { branch: branches[index], timestamp: timeOf(dig(value, "timestamp")) };
      // Sub-agents write between the lines of the main one: each goes on in its own turn.
      const turn = state.turns.get(laneOf(details, value));
      if (turn !== undefined) state.log.beginTurn(turn);
      if (damage !== undefined) state.log.context("env", damage);
      else if (isObject(value)) readLine(state, value, details, at);
      else note("record_unreadable", "not an object; left out", at);
    });
    for (const [type, count] of state.unknown)
      note("record_unknown", `lines of the unknown type ${type}: ${count}; kept as context`);
    return {
      format: "claude-code",
      events: state.log.finish(note),
      ...optional("version", lines.map(({ value }) => asString(dig(value, "version"))).find(Boolean)),
      ...optional("exit", state.exit),
      ...optional("completion_tokens", tokensOf(state.usage)),
    };
  },
};

interface Reading {
  log: EventLog;
  note: Note;
  hasTask: boolean;
  /** By lane: the latest completion. */
  turns: Map<string, string>;
  /** By message: tokens written; null while the line was logged before its completion had ended. */
  usage: Map<string, number | null>;
  unknown: Map<string, number>;
  exit?: string | undefined;
}

function isMessageLine(value: unknown): boolean {
  const type = dig(value, "type");
  return (type === "user" || type === "assistant") && dig(value, "message", "role") === type;
}

/** Lines that are bookkeeping of the program and say nothing about the work. */
const BOOKKEEPING = new Set([
  "file-history-snapshot",
  "queue-operation",
  "progress",
  "last-prompt",
  "custom-title",
]);

/** The main line, or one sub-agent: several may work at the same time. */
function laneOf({ branch }: Details, line: unknown): string {
  if (branch !== "sidechain") return "main";
  return firstText(dig(line, "agentId"), dig(line, "parent_tool_use_id")) ?? branch;
}

function readLine(state: Reading, value: JsonObject, details: Details, at: Item["at"]): void {
  const { log, note } = state;
  const type = asString(value["type"]);
  if (type === "assistant" && isObject(value["message"]))
    return readAssistant(state, value["message"], details, laneOf(details, value));
  if (type === "user" && isObject(value["message"]))
    return readUser(state, value, value["message"], details, at);
  if (type === "user" || type === "assistant")
    return note("record_unreadable", "has no message; left out", at);
  if (type === "result") state.exit = firstText(value["subtype"]);
  else if (type === "summary")
    log.context("system", contentText(value["summary"] ?? dig(value, "message", "content")), details);
  else if (type === "system") {
    if (value["subtype"] !== "init") log.context("system", contentText(value["content"]), details);
  } else if (type === undefined) note("record_unknown", "has no type; left out", at);
  else if (!BOOKKEEPING.has(type)) {
    state.unknown.set(type, (state.unknown.get(type) ?? 0) + 1);
    log.context("env", safeJson(value), details);
  }
}

function readAssistant(state: Reading, message: JsonObject, details: Details, lane: string): void {
  const { log } = state;
  const key = asString(message["id"]) ?? `completion ${state.usage.size}`;
  log.beginTurn(key);
  state.turns.set(lane, key);
  const tokens = asInteger(dig(message, "usage", "output_tokens"));
  if (typeof message["stop_reason"] === "string" && tokens !== undefined) state.usage.set(key, tokens);
  else if (!state.usage.has(key)) state.usage.set(key, null);

  logBlocks(log, message["content"], details);
}

function readUser(
  state: Reading,
  value: JsonObject,
  message: JsonObject,
  details: Details,
  at: Item["at"],
): void {
  const { log, note } = state;
  if (message["content"] === undefined)
    return note("record_unreadable", "message has no content; left out", at);
  for (const block of blocksOf(message["content"])) {
    if (isResult(block)) {
      logResult(log, block, value["toolUseResult"], details);
      continue;
    }
    const text = contentText([block]);
    if (isHarness(value, text)) log.context("env", text, details);
    else if (details.branch === "sidechain") log.text("user", text, details);
    else {
      log.text(state.hasTask ? "user" : "task", text, details);
      state.hasTask = true;
    }
  }
}

/** Written by the program in the user's name: never the task. */
function isHarness(value: JsonObject, text: string): boolean {
  return (
    value["isMeta"] === true ||
    value["isCompactSummary"] === true ||
    /^\s*(?:Caveat:|<(?:command-|local-command-)[a-z-]*>|\[Request interrupted by user)/.test(text)
  );
}

/** Tokens of the whole session, or nothing when one completion's count is not final. */
function tokensOf(usage: Map<string, number | null>): number | undefined {
  let sum = 0;
  for (const tokens of usage.values()) {
    if (tokens === null) return undefined;
    sum += tokens;
  }
  return usage.size === 0 ? undefined : sum;
}
