import type { TrajectoryEvent } from "../../schema/trajectory.ts";
import { asString, dig, firstText, isObject, type JsonObject } from "../shape.ts";
import { idOf, type LegacyRun } from "./openhands-action.ts";
import { commandOutput } from "./openhands-run.ts";
import { contentText, safeJson, timeOf } from "./parts.ts";

/** One observation: the result of an action, or what the program says of itself. */
export function readObservation(state: LegacyRun, event: JsonObject, kind: string): void {
  const { log } = state;
  const { extras, cause } = event;
  const details = { timestamp: timeOf(event["timestamp"]) };
  if (kind === "agent_state_changed") {
    const ended = /^(?:finished|error|stopped|rejected|awaiting_user_input)$/;
    const after = firstText(dig(extras, "agent_state"));
    state.exit = after !== undefined && ended.test(after) ? after : undefined;
    return;
  }
  const content = contentText(event["content"]);
  if (kind === "null" && content.trim() === "") return;
  if (cause !== undefined && state.asides.has(cause)) {
    const more = isObject(extras) && kind === "recall" ? `\n${safeJson(extras)}` : "";
    return log.context("env", content + more, details);
  }
  // An answer of the model that was no valid call: there is no action that this would answer.
  if (kind === "error" && cause === undefined && !log.awaitsResult)
    return log.context("env", content, details);

  const output = firstText(content) ?? asString(dig(extras, "formatted_output_and_error")) ?? content;
  const stated = dig(extras, "exit_code") ?? event["exit_code"];
  const { text, exitCode, status } = commandOutput(output, dig(extras, "metadata"), stated);
  log.observe(text, {
    ...details,
    nativeId: idOf(cause),
    exitCode,
    status: failureOf(event, kind, content) ?? status ?? (event["success"] === false ? "error" : undefined),
  });
}

/** Tools that are no commands tell failures in their text alone. */
function failureOf(event: JsonObject, kind: string, content: string): TrajectoryEvent["status"] {
  if (kind === "user_rejected") return "rejected";
  if (kind === "error" || (/^(?:edit|read)$/.test(kind) && content.startsWith("ERROR:"))) return "error";
  return event["is_error"] === true ? "error" : undefined;
}
