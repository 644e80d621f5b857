import { CONCLUDE, VERDICT_MISSING } from "../models/prompt.ts";
import type { AssistantTurn, Entry, ToolCall } from "../models/inspector.ts";
import { Verdict } from "../schema/verdict.ts";
import type { GradingState } from "./state.ts";

type Counts = Pick<
  GradingState,
  "model_calls" | "tool_calls" | "tokens_in" | "tokens_out" | "nudges" | "concluding"
>;

/**
 * What a transcript has cost. The transcript is the record and the state follows it, so that a step which is repeated
 * after a crash counts once.
 */
export function countsOf(entries: readonly Entry[]): Counts {
  const turns = entries.flatMap((entry) => (entry.type === "assistant" ? [entry.turn] : []));
  const sum = (of: (turn: AssistantTurn) => number) => turns.reduce((total, turn) => total + of(turn), 0);
  const nudges = entries.flatMap((entry) => (entry.type === "nudge" ? [entry.text] : []));
  return {
    model_calls: sum((turn) => turn.model_calls),
    tokens_in: sum((turn) => turn.tokens_in),
    tokens_out: sum((turn) => turn.tokens_out),
    tool_calls: entries.filter((entry) => entry.type === "reply").length,
    nudges: nudges.filter((text) => text === VERDICT_MISSING).length,
    concluding: nudges.includes(CONCLUDE),
  };
}

/** The last step of the inspector, with those of its calls that have no reply yet. */
export function lastTurn(entries: readonly Entry[]): { turn: AssistantTurn; open: ToolCall[] } | undefined {
  const at = entries.findLastIndex((entry) => entry.type === "assistant");
  const entry = entries[at];
  if (entry?.type !== "assistant") return undefined;
  const answered = new Set(
    entries.slice(at).flatMap((later) => (later.type === "reply" ? [later.call.id] : [])),
  );
  return { turn: entry.turn, open: entry.turn.calls.filter((call) => !answered.has(call.id)) };
}

/** Whether the last step still has to be followed up: by its tools, or by a reminder when it called none. */
export function isPending(entries: readonly Entry[]): boolean {
  const last = lastTurn(entries);
  return last !== undefined && (last.open.length > 0 || entries.at(-1)?.type === "assistant");
}

/** The verdict that was accepted, if any. */
export function acceptedVerdict(entries: readonly Entry[]): Verdict | undefined {
  const entry = entries.findLast(
    (entry) => entry.type === "reply" && entry.call.name === "submit_verdict" && !entry.answer.error,
  );
  return entry?.type === "reply" ? Verdict.parse(entry.call.args) : undefined;
}
