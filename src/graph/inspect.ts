import type { Inspector } from "../models/inspector.ts";
import { CONCLUDE, VERDICT_MISSING } from "../models/prompt.ts";
import { exhausted, nearlySpent, type Budget } from "./budget.ts";
import type { Session } from "./session.ts";
import type { GradingState, GradingUpdate } from "./state.ts";

/** Reminders that an inspector gets when it stops without a verdict. */
const MAX_NUDGES = 1;

export interface InspectDeps {
  inspector: Inspector;
  budget: Budget;
  /** Seconds since the group was begun. */
  elapsed: () => number;
}

/** One step of the inspector. Its failure ends in a fallback: a group always gets an answer. */
export async function inspect(
  session: Session,
  { inspector, budget, elapsed }: InspectDeps,
  state: GradingState,
  signal: AbortSignal | undefined,
): Promise<GradingUpdate> {
  const spent = exhausted(state, budget, inspector.kind);
  if (spent !== undefined) return { status: "fallback", reason: spent };
  const conclude = inspector.kind === "agent" && !state.concluding && nearlySpent(state, budget, elapsed());
  if (conclude) await session.transcript.append({ type: "nudge", text: CONCLUDE });
  try {
    const turn = await inspector.next(await session.transcript.read(), signal);
    await session.transcript.append({ type: "assistant", turn });
    const counted = {
      concluding: state.concluding || conclude,
      model_calls: state.model_calls + turn.model_calls,
      tokens_in: state.tokens_in + turn.tokens_in,
      tokens_out: state.tokens_out + turn.tokens_out,
    };
    if (turn.calls.length > 0) return counted;
    if (state.nudges >= MAX_NUDGES)
      return { ...counted, status: "fallback", reason: "no verdict was submitted" };
    await session.transcript.append({ type: "nudge", text: VERDICT_MISSING });
    return { ...counted, nudges: state.nudges + 1 };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { status: "fallback", reason: `the grader failed: ${why}` };
  }
}
