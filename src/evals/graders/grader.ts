import type { LoadedGroup } from "../../index.ts";
import type { Answer } from "../types.ts";

export interface GradingContext {
  seed: number;
  /** Aborts when the time for one group is over. */
  signal: AbortSignal;
  /** Seconds for one group. */
  deadline: number;
  /** Folder for what an interrupted grading can go on with; absent where nothing is kept. */
  dir?: string;
  /** Whether to go on with what lies there. */
  resume: boolean;
  onStep?: (step: string) => void;
}

/** An answer without what the runner knows by itself. */
export type Graded = Pick<Answer, "status" | "reason" | "places" | "findings" | "flags"> & {
  usage: Omit<Answer["usage"], "seconds" | "price">;
};

/** Anything that maps a group to tiers and an order. It sees the group and nothing that is known about it. */
export interface Grader {
  name: string;
  model?: string;
  /** SHA-256 of what decides its answers beside the group: a prompt, a file of scores, the code of a module. */
  prompt_hash?: string;
  /** What it costs: nothing, tokens of a model, or something that is not known here. */
  cost: "free" | "tokens" | "unknown";
  /** Times that it is asked at least, with a seed each: one draw of a lottery says little. */
  draws?: number;
  /** Needs no time worth showing. */
  quick?: boolean;
  /** Can go on in `GradingContext.dir`. */
  resumable?: boolean;
  /** A throw is an answer too: `fallback` of a GraderError with that code, else `error`. */
  grade(loaded: LoadedGroup, context: GradingContext): Promise<Graded>;
}

export const NO_USAGE: Graded["usage"] = {
  model_calls: 0,
  tokens_in: 0,
  tokens_out: 0,
  tool_calls: 0,
  checks: 0,
};

/** Places without evidence, at no cost. */
export function placed(places: Answer["places"]): Graded {
  return { status: "graded", places, findings: [], flags: [], usage: NO_USAGE };
}

/** No answer, and why. */
export function unplaced(status: "skipped" | "fallback", reason: string, usage = NO_USAGE): Graded {
  return { status, reason, places: {}, findings: [], flags: [], usage };
}

/** Ids of the rollouts that a grader places: those that passed. */
export function passing({ group }: LoadedGroup): string[] {
  return group.rollouts.filter(({ passed }) => passed === true).map(({ id }) => id);
}
