import type { Inspector } from "../models/inspector.ts";
import { CONCLUDE, VERDICT_MISSING } from "../models/prompt.ts";
import { exhausted, nearlySpent, type Budget } from "./budget.ts";
import type { Session } from "./session.ts";
import type { GradingState, GradingUpdate } from "./state.ts";
import { countsOf, isPending, lastTurn } from "./transcript.ts";

/** Reminders that an inspector gets when it stops without a verdict. */
const MAX_NUDGES = 1;

export interface InspectDeps {
  inspector: Inspector;
  budget: Budget;
  /** Seconds since the group was begun. */
  elapsed: () => number;
}

/**
 * One step of the inspector. A step that an interrupted run has recorded is not asked for again. Its failure ends in a
 * fallback: a group always gets an answer.
 */
export async function inspect(
  { transcript }: Session,
  deps: InspectDeps,
  state: GradingState,
  signal: AbortSignal | undefined,
): Promise<GradingUpdate> {
  const { inspector, budget } = deps;
  if (!isPending(await transcript.read())) {
    const before = { ...state, ...countsOf(await transcript.read()) };
    const spent = exhausted(before, budget, inspector.kind);
    if (spent !== undefined) return { status: "fallback", reason: spent };
    if (inspector.kind === "agent" && !before.concluding && nearlySpent(before, budget, deps.elapsed()))
      await transcript.append({ type: "nudge", text: CONCLUDE });
    try {
      const turn = await inspector.next(await transcript.read(), signal);
      await transcript.append({ type: "assistant", turn });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return {
        ...countsOf(await transcript.read()),
        status: "fallback",
        reason: `the grader failed: ${why}`,
      };
    }
  }
  const entries = await transcript.read();
  const counts = countsOf(entries);
  if (lastTurn(entries)?.turn.calls.length !== 0) return counts;
  if (counts.nudges >= MAX_NUDGES)
    return { ...counts, status: "fallback", reason: "no verdict was submitted" };
  await transcript.append({ type: "nudge", text: VERDICT_MISSING });
  return { ...counts, nudges: counts.nudges + 1 };
}
