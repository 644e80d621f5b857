import type { Inspector } from "../models/inspector.ts";
import type { GradingState } from "./state.ts";

/** What one grading may spend. */
export interface Budget {
  model_calls: number;
  tool_calls: number;
  /** What is run in the sandbox. When they are spent the tools say so, and the grading goes on without. */
  checks: number;
  /** Tokens in and out together. */
  tokens: number;
  /** Wall clock in seconds, from the start of the group to its answer. */
  wall_s: number;
}

export const DEFAULT_BUDGET: Budget = {
  model_calls: 100,
  tool_calls: 1000,
  checks: 100,
  tokens: 2_000_000,
  wall_s: 600,
};

/** Which limit a grading has reached, or undefined. The offline grader costs nothing but time. */
export function exhausted(state: GradingState, budget: Budget, kind: Inspector["kind"]): string | undefined {
  if (kind === "offline") return undefined;
  if (state.model_calls >= budget.model_calls) return `budget: ${budget.model_calls} model calls are spent`;
  if (state.tool_calls >= budget.tool_calls) return `budget: ${budget.tool_calls} tool calls are spent`;
  if (state.tokens_in + state.tokens_out >= budget.tokens) return `budget: ${budget.tokens} tokens are spent`;
  return undefined;
}

/** Share of a budget after which the inspector is told to conclude. */
const NEARLY = 0.8;

/** Whether any limit is nearly reached. @param elapsed_s - Seconds since the group was begun. */
export function nearlySpent(state: GradingState, budget: Budget, elapsed_s: number): boolean {
  return (
    state.model_calls >= NEARLY * budget.model_calls ||
    state.tool_calls >= NEARLY * budget.tool_calls ||
    state.tokens_in + state.tokens_out >= NEARLY * budget.tokens ||
    elapsed_s >= NEARLY * budget.wall_s
  );
}
