import { recordFlags } from "./rerun-findings.ts";
import type { Session } from "./session.ts";
import type { GradingUpdate } from "./state.ts";
import { countsOf, lastTurn } from "./transcript.ts";

/**
 * Makes the calls of the last step that have no reply yet, one after the other, so that their order is the record's.
 * What runs of the tests have shown of forging is on record before the next call, whoever grades.
 */
export async function callTools(session: Session): Promise<GradingUpdate> {
  const { transcript, tools } = session;
  const entries = await transcript.read();
  // Models may use the ids of their calls again in a later step.
  const step = entries.filter((entry) => entry.type === "assistant").length;
  for (const call of lastTurn(entries)?.open ?? []) {
    const answer = await tools.call(call.name, call.args, `${step}.${call.id}`);
    if (call.name === "run_tests") await recordFlags(session);
    await transcript.append({ type: "reply", call, answer });
  }
  return countsOf(await transcript.read());
}
