import type { Session } from "./session.ts";
import type { GradingState, GradingUpdate } from "./state.ts";

/** Makes the calls of the last step that have no reply yet, one after the other, so that their order is the record's. */
export async function callTools(session: Session, state: GradingState): Promise<GradingUpdate> {
  const entries = await session.transcript.read();
  const last = entries.findLast((entry) => entry.type === "assistant");
  const answered = new Set(entries.flatMap((entry) => (entry.type === "reply" ? [entry.call.id] : [])));
  const open = last?.type === "assistant" ? last.turn.calls.filter((call) => !answered.has(call.id)) : [];
  for (const call of open) {
    const answer = await session.tools.call(call.name, call.args);
    await session.transcript.append({ type: "reply", call, answer });
  }
  return { tool_calls: state.tool_calls + open.length };
}
