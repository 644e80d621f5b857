import type { ToolAnswer } from "../tools/server.ts";

export interface ToolCall {
  id: string;
  name: string;
  args: Record<string, unknown>;
}

/** One step of the grader: what it says and which tools it calls, in order. */
export interface AssistantTurn {
  text: string;
  calls: ToolCall[];
  /** Requests to a model that the step took: none for a step that code decides. */
  model_calls: number;
  tokens_in: number;
  tokens_out: number;
  /** The message as the model's library stores it, so that it can be sent back as it was. */
  raw?: unknown;
}

/** The record of an inspection so far. It lies in the workspace; the graph's state holds none of it. */
export type Entry =
  | { type: "assistant"; turn: AssistantTurn }
  | { type: "reply"; call: ToolCall; answer: ToolAnswer }
  | { type: "nudge"; text: string };

/**
 * What inspects a group: the offline grader, a scripted one in tests, or a chat model. Each step sees the whole record
 * and answers with tool calls until submit_verdict is accepted. A throw is a failure of the grading, not of the group.
 */
export interface Inspector {
  kind: "offline" | "agent" | "scripted";
  model?: string;
  /** SHA-256 of everything that the model is told before the group itself: prompt and tool schemas. */
  prompt_hash?: string;
  next(entries: readonly Entry[], signal?: AbortSignal): Promise<AssistantTurn>;
}
