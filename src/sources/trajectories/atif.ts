import type { TrajectoryEvent } from "../../schema/trajectory.ts";
import type { Note } from "../notes.ts";
import {
  asInteger,
  asList,
  asString,
  dig,
  firstText,
  isObject,
  type JsonObject,
  optional,
} from "../shape.ts";
import { describeCall } from "./calls.ts";
import { type Details, EventLog } from "./events.ts";
import { contentText, statusOf, textOfUnknown, timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";

/**
 * Harbor's Agent Trajectory Interchange Format, v1.x. Calls and results share a step; a result without `source_call_id`
 * answers the calls of its step in order. Steps that repeat an earlier context are left out; sub-agents come behind the
 * main line.
 */
export const atif: TrajectoryReader = {
  format: "atif",
  matches: (content) =>
    content.kind === "document" && /^ATIF-v\d/.test(asString(dig(content.value, "schema_version")) ?? ""),
  read(content, note) {
    const root = content.kind === "document" ? content.value : undefined;
    const version = asString(dig(root, "schema_version"))?.replace(/^ATIF-v/, "") ?? "";
    if (!version.startsWith("1.")) note("version_unknown", `ATIF version ${version}; read as 1.x`);
    const log = new EventLog();
    const [main, ...subAgents] = trajectoriesOf(root);
    const embedded = new Set(subAgents.map(({ value }) => dig(value, "trajectory_id")));
    const state: Reading = { log, note, embedded, hasTask: false, tokens: undefined };
    if (main !== undefined) readSteps(state, main);
    for (const subAgent of subAgents) readSteps({ ...state, hasTask: true, branch: "sidechain" }, subAgent);
    if (isGiven(dig(root, "continued_trajectory_ref")))
      note("continuation_unread", "the trajectory goes on in another file, which was not read", {
        field: "continued_trajectory_ref",
      });

    const total = asInteger(dig(root, "final_metrics", "total_completion_tokens"));
    return {
      format: "atif",
      version,
      events: log.finish(note),
      ...optional("completion_tokens", total ?? state.tokens),
    };
  },
};

interface Reading {
  log: EventLog;
  note: Note;
  /** Ids of the sub-agents' trajectories that stand in the same file. */
  embedded: Set<unknown>;
  branch?: Details["branch"];
  hasTask: boolean;
  tokens: number | undefined;
}

interface Placed {
  value: unknown;
  field: string;
}

/** The trajectory itself, then those of its sub-agents and of theirs: 1.7 can hold them. Without recursion. */
function trajectoriesOf(root: unknown): Placed[] {
  const all: Placed[] = [{ value: root, field: "" }];
  for (const { value, field } of all)
    for (const [index, inner] of asList(dig(value, "subagent_trajectories")).entries())
      all.push({ value: inner, field: `${field}subagent_trajectories[${index}].` });
  return all;
}

function readSteps(state: Reading, { value, field }: Placed): void {
  if (!isObject(value))
    state.note("subagent_unread", "not an object; left out", { field: field.slice(0, -1) });
  asList(dig(value, "steps")).forEach((step, index) => readStep(state, step, `${field}steps[${index}]`));
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readStep(state: Reading, step: unknown, field: string): void {
  const { log, note } = state;
  if (!isObject(step)) return note("step_unreadable", "not an object; left out", { field });
  if (step["is_copied_context"] === true) return;
  const at = { timestamp: timeOf(step["timestamp"]), branch: state.branch };
  const text = contentText(step["message"]);
  switch (step["source"]) {
    case "system":
      if (log.turn === 0) log.text("system", text, at);
      else log.context("system", text, at);
      break;
    case "user":
      log.text(state.hasTask ? "user" : "task", text, at);
      state.hasTask = true;
      break;
    case "agent":
      readAgent(state, step, text, at, field);
      break;
    default:
      note("step_unknown", `source ${JSON.stringify(step["source"])}; kept as context`, { field });
      log.context("env", textOfUnknown(step, step["message"]), at);
  }
  asList(dig(step, "observation", "results")).forEach((result, index) =>
    readResult(state, result, at, `${field}.observation.results[${index}]`),
  );
}

/** What some writers put where the format wants a text and there was none. */
const PLACEHOLDER = /^\s*\(no (?:assistant )?(?:text|message|content)\)\s*$/i;

function readAgent(state: Reading, step: JsonObject, text: string, at: Details, field: string): void {
  const { log, note } = state;
  log.beginTurn();
  log.reasoning(contentText(step["reasoning_content"]), at);
  if (!PLACEHOLDER.test(text)) log.text("agent", text, at);
  asList(step["tool_calls"]).forEach((call, index) => {
    if (!isObject(call))
      return note("call_unreadable", "not an object; left out", { field: `${field}.tool_calls[${index}]` });
    log.call(
      describeCall(asString(call["function_name"]), call["arguments"]),
      firstText(call["tool_call_id"]),
      at,
    );
  });
  const tokens = asInteger(dig(step, "metrics", "completion_tokens"));
  if (tokens !== undefined) state.tokens = (state.tokens ?? 0) + tokens;
}

function readResult(state: Reading, result: unknown, at: Details, field: string): void {
  const { log, note } = state;
  if (!isObject(result)) return note("result_unreadable", "not an object; left out", { field });
  const extra = result["extra"];
  const exitCode = asInteger(dig(extra, "exit_code")) ?? asInteger(dig(extra, "returncode"));
  const refs = [result["subagent_trajectory_ref"]].flat().filter(isGiven);
  if (refs.some((ref) => !state.embedded.has(dig(ref, "trajectory_id") ?? "")))
    note("subagent_unread", "the sub-agent's trajectory is in another place and was not read", { field });
  log.observe(contentText(result["content"]), {
    nativeId: firstText(result["source_call_id"]),
    exitCode,
    status: statusOfResult(extra, exitCode),
    ...at,
  });
}

function statusOfResult(extra: unknown, exitCode: number | undefined): TrajectoryEvent["status"] {
  if (dig(extra, "timed_out") === true) return "timeout";
  return dig(extra, "is_error") === true ? "error" : statusOf(exitCode);
}
