import { StateSchema } from "@langchain/langgraph";
import * as z from "zod";
import { Placement } from "../schema/verdict.ts";

/**
 * State of one grading. Ids and small values only: the transcript, findings and trees lie in the workspace, where a
 * step does not have to copy them (5 MB of state cost 270 ms a step in a SQLite checkpoint).
 */
export const GradingState = new StateSchema({
  status: z.enum(["open", "graded", "skipped", "fallback"]).default("open"),
  /** Why it was skipped or fell back; empty while open. */
  reason: z.string().default(""),
  /** Requests to a model so far, repeated ones included. */
  model_calls: z.int().default(0),
  tool_calls: z.int().default(0),
  tokens_in: z.int().default(0),
  tokens_out: z.int().default(0),
  /** Times the inspector was reminded that a verdict is missing. */
  nudges: z.int().default(0),
  /** Whether it was told that the budget is nearly spent. */
  concluding: z.boolean().default(false),
  placements: z.record(z.string(), Placement).default({}),
});
export type GradingState = typeof GradingState.State;
export type GradingUpdate = typeof GradingState.Update;

/** Where every grading starts, and what a fallback from outside the graph is made of. */
export const INITIAL: GradingState = {
  status: "open",
  reason: "",
  model_calls: 0,
  tool_calls: 0,
  tokens_in: 0,
  tokens_out: 0,
  nudges: 0,
  concluding: false,
  placements: {},
};
