import type { Session } from "./session.ts";
import type { GradingUpdate } from "./state.ts";
import { countsOf, lastTurn } from "./transcript.ts";

/** Makes the calls of the last step that have no reply yet, one after the other, so that their order is the record's. */
export async function callTools({ transcript, tools }: Session): Promise<GradingUpdate> {
  for (const call of lastTurn(await transcript.read())?.open ?? []) {
    const answer = await tools.call(call.name, call.args);
    await transcript.append({ type: "reply", call, answer });
  }
  return countsOf(await transcript.read());
}
