import { END, START, StateGraph } from "@langchain/langgraph";
import { asGraderError } from "../errors.ts";
import { callTools } from "./call-tools.ts";
import { inspect, type InspectDeps } from "./inspect.ts";
import { rank } from "./rank.ts";
import type { Session } from "./session.ts";
import { GradingState, type GradingUpdate } from "./state.ts";

/** What the nodes close over. The state itself is plain and small. */
export interface GraphDeps {
  /** Builds the session once; later calls give the same one. */
  session(): Promise<Session>;
  inspect: InspectDeps;
  /** Makes the answer from the final state. The last node, whatever happened before. */
  finish(state: typeof GradingState.State): Promise<void>;
  onStep(node: string): void;
}

type State = typeof GradingState.State;

/**
 * prepare -> inspect <-> tools -> rank -> redistribute (design section 5). A failure anywhere sets the status to
 * fallback, and the last node then leaves every advantage as it was given.
 */
export function buildGraph(deps: GraphDeps) {
  const node = (
    name: string,
    run: (session: Session, state: State, signal: AbortSignal | undefined) => Promise<GradingUpdate>,
  ) => {
    return async (state: State, config: { signal?: AbortSignal }): Promise<GradingUpdate> => {
      deps.onStep(name);
      try {
        return await run(await deps.session(), state, config.signal);
      } catch (error) {
        return { status: "fallback", reason: asGraderError(error).message };
      }
    };
  };
  return new StateGraph(GradingState)
    .addNode(
      "prepare",
      node("prepare", async ({ eligibility }) => skipped(eligibility.skip)),
    )
    .addNode(
      "inspect",
      node("inspect", (session, state, signal) => inspect(session, deps.inspect, state, signal)),
    )
    .addNode("tools", node("tools", callTools))
    .addNode("rank", node("rank", rank))
    .addNode("redistribute", async (state: State): Promise<GradingUpdate> => {
      deps.onStep("redistribute");
      // A grading that was killed just before this has no session yet; one that could not be built stays that way.
      await deps.session().catch(() => undefined);
      await deps.finish(state);
      return {};
    })
    .addEdge(START, "prepare")
    .addConditionalEdges("prepare", whileOpen("inspect"), ["inspect", "redistribute"])
    .addConditionalEdges("inspect", whileOpen("tools"), ["tools", "redistribute"])
    .addConditionalEdges(
      "tools",
      async (state: State) => {
        if (state.status !== "open") return "redistribute";
        return (await deps.session()).context.verdict.accepted === undefined ? "inspect" : "rank";
      },
      ["inspect", "rank", "redistribute"],
    )
    .addEdge("rank", "redistribute")
    .addEdge("redistribute", END);
}

/** On to `next` as long as nothing has settled the group. */
function whileOpen(next: string): (state: State) => string {
  return (state) => (state.status === "open" ? next : "redistribute");
}

function skipped(reason: string | undefined): GradingUpdate {
  return reason === undefined ? {} : { status: "skipped", reason };
}
