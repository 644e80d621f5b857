import type { Trajectory, TrajectoryEvent } from "../../schema/trajectory.ts";
import { isObject, type JsonObject, optional } from "../shape.ts";

/** What an event has beside what its step says in ATIF's own fields; `from` names the field that holds its text. */
export type EventRest = Partial<TrajectoryEvent> & {
  from?: "message" | "reasoning_content" | "tool_calls" | "results";
  /** The call's arguments are those of the step's tool call. */
  plain?: boolean;
};

/** Who wrote the rest, and in which shape. A reader that does not know it reads the steps as they are. */
export const REST_VERSION = 1;

interface Step {
  source: "system" | "user" | "agent";
  turn: number;
  timestamp: string | undefined;
  message: string | undefined;
  reasoning: string | undefined;
  calls: JsonObject[];
  results: JsonObject[];
  rest: EventRest[];
}

/**
 * A trajectory as an ATIF v1.7 document. Any ATIF reader finds messages, calls and results in it; what ATIF has no field
 * for stands in `extra.gagar` of each step, so that gagar reads the same events again.
 */
export function writeAtif(trajectory: Trajectory, name: string): JsonObject {
  const steps: Step[] = [];
  for (const event of trajectory.events) put(steps, event);
  return {
    schema_version: "ATIF-v1.7",
    session_id: name,
    agent: { name: trajectory.format, version: trajectory.version ?? "unknown" },
    // In front of the steps: a file that is cut still says how its steps are to be read.
    extra: {
      gagar: {
        version: REST_VERSION,
        ...optional("exit", trajectory.exit),
        ...optional("submission", trajectory.submission),
      },
    },
    ...optional(
      "final_metrics",
      trajectory.completion_tokens === undefined
        ? undefined
        : { total_completion_tokens: trajectory.completion_tokens },
    ),
    steps: steps.map(stepJson),
  };
}

/** Adds an event to the last step, or to a new one where the last has no room for it. */
function put(steps: Step[], event: TrajectoryEvent): void {
  const { text, ...rest } = event;
  const step = stepFor(steps, event);
  if (event.kind === "text" || event.kind === "context") {
    step.message = text;
    step.rest.push({ ...rest, from: "message" });
  } else if (event.kind === "reasoning") {
    step.reasoning = text;
    step.rest.push({ ...rest, from: "reasoning_content" });
  } else if (event.kind === "call") {
    const plain = isObject(rest.arguments);
    step.calls.push({
      tool_call_id: event.id,
      function_name: event.tool ?? "unknown",
      arguments: plain ? rest.arguments : { input: text },
    });
    if (plain) delete rest.arguments;
    step.rest.push({ ...rest, text, from: "tool_calls", ...(plain ? { plain } : {}) });
  } else if (event.status === "missing") step.rest.push({ ...rest, text });
  else {
    const extra = {
      ...optional("exit_code", event.exit_code),
      ...(event.status === "error" ? { is_error: true } : {}),
      ...(event.status === "timeout" ? { timed_out: true } : {}),
    };
    step.results.push({
      source_call_id: event.call ?? null,
      content: text,
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    });
    step.rest.push({ ...rest, from: "results" });
  }
}

function stepFor(steps: Step[], event: TrajectoryEvent): Step {
  const last = steps.at(-1);
  const source = sourceOf(event);
  const isMessage = event.kind === "text" || event.kind === "context";
  const isFull =
    (isMessage && last?.message !== undefined) ||
    (event.kind === "reasoning" && last?.reasoning !== undefined);
  const follows = event.kind === "observation" || last?.source === source;
  if (last !== undefined && last.turn === event.turn && follows && !isFull) return last;
  const step: Step = {
    source,
    turn: event.turn,
    timestamp: event.timestamp,
    message: undefined,
    reasoning: undefined,
    calls: [],
    results: [],
    rest: [],
  };
  steps.push(step);
  return step;
}

function sourceOf({ role, kind }: TrajectoryEvent): Step["source"] {
  if (kind === "context" || role === "system" || role === "env") return "system";
  return role === "agent" ? "agent" : "user";
}

function stepJson(step: Step, index: number): JsonObject {
  return {
    step_id: index + 1,
    ...optional("timestamp", step.timestamp),
    source: step.source,
    message: step.message ?? "",
    ...optional("reasoning_content", step.reasoning),
    ...(step.calls.length > 0 ? { tool_calls: step.calls } : {}),
    ...(step.results.length > 0 ? { observation: { results: step.results } } : {}),
    extra: { gagar: step.rest },
  };
}
