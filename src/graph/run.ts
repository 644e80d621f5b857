import { asGraderError, type Warning } from "../errors.ts";
import type { Grade } from "../schema/grade.ts";
import { openCheckpointer } from "./checkpoint.ts";
import { buildGraph, type GraphDeps } from "./graph.ts";
import { INITIAL, type GradingState } from "./state.ts";

export interface RunDeps extends Omit<GraphDeps, "finish"> {
  /** The workspace's folder. */
  dir: string;
  /** Keep the state in the folder, so that a killed grading can go on. */
  durable: boolean;
  answer(state: GradingState): Promise<Grade>;
  warn(warning: Warning): void;
}

/** One grading has one thread: its folder, and so its checkpoints, are its own. */
const THREAD = { configurable: { thread_id: "grading" } };

/**
 * Runs the graph to its answer, from the last checkpoint of an interrupted run if there is one. What aborts the graph,
 * the deadline or a fault, ends in a fallback: there is always an answer.
 */
export async function runGraph(deps: RunDeps): Promise<Grade> {
  const { budget } = deps.inspect;
  const checkpoints = deps.durable ? await openCheckpointer(deps.dir) : undefined;
  if (checkpoints?.durable === false)
    deps.warn({
      code: "no_sqlite",
      message:
        "@langchain/langgraph-checkpoint-sqlite is not installed; a resume goes on from the transcript alone",
      where: {},
    });
  let grade: Grade | undefined;
  const graph = buildGraph({
    ...deps,
    finish: async (state) => {
      grade = await deps.answer(state);
    },
  }).compile(checkpoints === undefined ? {} : { checkpointer: checkpoints.saver });
  try {
    const interrupted = checkpoints !== undefined && (await graph.getState(THREAD)).next.length > 0;
    await graph.invoke(interrupted ? null : {}, {
      ...THREAD,
      durability: "sync",
      recursionLimit: 3 * budget.model_calls + 50,
      signal: AbortSignal.timeout(budget.wall_s * 1000),
    });
  } catch (error) {
    const late = error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
    const reason = late ? `deadline: ${budget.wall_s} s are over` : asGraderError(error).message;
    grade = await deps.answer({ ...INITIAL, status: "fallback", reason });
  } finally {
    checkpoints?.close();
  }
  return (
    grade ?? deps.answer({ ...INITIAL, status: "fallback", reason: "the graph ended without an answer" })
  );
}
