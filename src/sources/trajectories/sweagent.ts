import { asList, asString, dig, firstText, isObject, type JsonObject, optional } from "../shape.ts";
import type { Note } from "../notes.ts";
import { type CallFacts, describeCall } from "./calls.ts";
import { EventLog } from "./events.ts";
import { contentText } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";
import { chosenRun } from "./sweagent-attempts.ts";

/**
 * SWE-agent `.traj`, 0.x and 1.x. `trajectory` holds the steps; `history` the system and task messages and, in 1.x, the
 * tool calls as the model wrote them. Demonstrations keep `history` alone. There are no exit codes and no times.
 */
export const sweagent: TrajectoryReader = {
  format: "sweagent",
  matches(content) {
    if (content.kind !== "document") return false;
    const { run } = chosenRun(content.value);
    const steps = asList(dig(run, "trajectory"));
    const history = asList(dig(run, "history"));
    return (
      steps.some((step) => isObject(step) && "action" in step) ||
      isUnbegun(run) ||
      history.some((item) => isObject(item) && ("agent" in item || "message_type" in item))
    );
  },
  read(content, note) {
    const { run: root, attempt, others } = chosenRun(content.kind === "document" ? content.value : undefined);
    if (others > 0) note("attempts_unread", `attempts that were not chosen and not read: ${others}`);
    const history = asList(dig(root, "history"))
      .filter(isObject)
      .filter((item) => !isDemo(item));
    const steps = asList(dig(root, "trajectory"));
    const log = new EventLog();

    const answers = history.filter((item) => item["role"] === "assistant");
    readPrologue(log, history);
    const read = steps.length > 0 ? stepsOf(steps, note) : stepsOfHistory(history);
    let position = 0;
    for (const step of read) {
      // A step that was asked again is in `trajectory` but not in `history`, so the two are matched by what was done.
      const ahead = answers.slice(position, position + 8).findIndex((item) => isSameStep(item, step));
      const answer = ahead < 0 ? undefined : answers[position + ahead];
      if (ahead >= 0) position += ahead + 1;
      readStep(log, step, answer);
    }

    const info = dig(root, "info");
    // The stats of a choice are those of all attempts.
    const tokens = dig(attempt ?? root, "info", "model_stats", "tokens_received");
    return {
      format: "sweagent",
      events: log.finish(note),
      ...optional("version", versionOf(root)),
      ...optional("exit", firstText(dig(info, "exit_status"))),
      ...optional("submission", asString(dig(info, "submission"))),
      ...(typeof tokens === "number" && tokens > 0 ? { completion_tokens: tokens } : {}),
    };
  },
};

/** A run that ended before its first step. */
function isUnbegun(root: unknown): boolean {
  const steps = dig(root, "trajectory");
  return (
    Array.isArray(steps) &&
    steps.length === 0 &&
    Array.isArray(dig(root, "history")) &&
    isObject(dig(root, "info"))
  );
}

/** One step; `observation` is absent when none was recorded. */
interface Step {
  thought: string;
  action: string;
  observation?: string | undefined;
  reasoning: string;
}

function isDemo(item: JsonObject): boolean {
  return item["is_demo"] === true || item["message_type"] === "demonstration";
}

function readPrologue(log: EventLog, history: JsonObject[]): void {
  let hasTask = false;
  for (const item of history) {
    if (item["role"] === "assistant") return;
    const text = contentText(item["content"]);
    if (item["role"] === "system") log.text("system", text);
    else {
      log.text(hasTask ? "user" : "task", text);
      hasTask = true;
    }
  }
}

function stepsOf(steps: unknown[], note: Note): Step[] {
  return steps.flatMap((step, index) => {
    if (!isObject(step)) {
      note("step_unreadable", "not an object; left out", { field: `trajectory[${index}]` });
      return [];
    }
    const action = contentText(step["action"]);
    const thought = contentText(step["thought"]);
    const response = contentText(step["response"]);
    return [
      {
        action,
        thought: thought.trim() === "" && action.trim() === "" ? response : thought,
        observation: step["observation"] === undefined ? undefined : contentText(step["observation"]),
        reasoning: reasoningOf(step),
      },
    ];
  });
}

/** Steps of a file that has no `trajectory`: every assistant message with the message that follows it. */
function stepsOfHistory(history: JsonObject[]): Step[] {
  return history.flatMap((item, index) => {
    if (item["role"] !== "assistant") return [];
    const next = history[index + 1];
    const observation = next === undefined || next["role"] === "assistant" ? undefined : next["content"];
    return [
      {
        action: contentText(item["action"]),
        thought: firstText(item["thought"]) ?? contentText(item["content"]),
        observation: observation === undefined ? undefined : contentText(observation),
        reasoning: reasoningOf(item),
      },
    ];
  });
}

function reasoningOf(item: JsonObject): string {
  const blocks = asList(item["thinking_blocks"]).map((block) => asString(dig(block, "thinking")) ?? "");
  return firstText(item["reasoning_content"]) ?? blocks.join("\n");
}

function isSameStep(answer: JsonObject, step: Step): boolean {
  return contentText(answer["action"]).trim() === step.action.trim();
}

function readStep(log: EventLog, step: Step, answer: JsonObject | undefined): void {
  log.beginTurn();
  log.reasoning(step.reasoning === "" && answer !== undefined ? reasoningOf(answer) : step.reasoning);
  log.text("agent", step.thought);
  const facts = step.action.trim() === "" ? undefined : callOf(step.action, answer);
  if (facts !== undefined) log.call(facts);
  if (step.observation === undefined) return;
  if (facts === undefined) log.context("env", step.observation);
  else log.observe(step.observation, { status: isTimeout(step.observation) ? "timeout" : undefined });
}

/** The text of a call is always the action as the environment ran it. */
function callOf(action: string, answer: JsonObject | undefined): CallFacts {
  const calls = asList(answer?.["tool_calls"]);
  const name = asString(dig(calls[0], "function", "name"));
  if (calls.length === 1 && name !== undefined) {
    const facts = describeCall(name, dig(calls[0], "function", "arguments"));
    return { ...facts, text: action, ...(facts.command === undefined ? {} : { command: action.trimEnd() }) };
  }
  return { text: action, ...describeAction(action) };
}

const INTERFACE =
  /^(open|create|goto|scroll_up|scroll_down|edit|insert|undo_edit|search_dir|search_file|find_file|submit|str_replace_editor)\b(.*)/;

/** A command of SWE-agent's own interface, or else of the shell. */
export function describeAction(action: string): Omit<CallFacts, "text"> {
  const [, tool, rest = ""] = INTERFACE.exec(action.trim()) ?? [];
  if (tool === undefined) return { tool: "bash", command: action.trimEnd() };
  const words = rest
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
  const path =
    tool === "str_replace_editor" ? words[1] : /^(?:open|create)$/.test(tool) ? words[0] : undefined;
  return { tool, ...optional("path", firstText(path)) };
}

/** What the environment itself says in place of the output when a command ran too long. */
function isTimeout(observation: string): boolean {
  return (
    /^\s*EXECUTION TIMED OUT/.test(observation) ||
    /^The command '[^]*?' was cancelled because it took more than \d/.test(observation.slice(0, 4000))
  );
}

function versionOf(root: unknown): string | undefined {
  const stated = firstText(dig(root, "info", "swe_agent_version"));
  if (stated !== undefined) return stated;
  const first = asList(dig(root, "trajectory"))[0];
  return dig(root, "replay_config") !== undefined || dig(first, "execution_time") !== undefined
    ? "1"
    : undefined;
}
