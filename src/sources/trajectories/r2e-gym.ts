import type { Note } from "../notes.ts";
import { asInteger, asList, asString, dig, firstText, isObject, optional } from "../shape.ts";
import { recordsOf } from "./content.ts";
import { EventLog } from "./events.ts";
import { contentText, statusOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";
import { callsIn } from "./text-calls.ts";

/**
 * R2E-Gym runs: an object with `trajectory_steps`, one a line where there are more; each step a thought, an action in XML and an observation. Source:
 * R2E-Gym/R2E-Gym, src/r2egym/agenthub/trajectory/trajectory.py.
 */
export const r2eGym: TrajectoryReader = {
  format: "r2e-gym",
  matches: (content) => recordsOf(content).some(({ value }) => isRun(value)),
  read(content, note) {
    const [first, ...more] = recordsOf(content).filter(({ value }) => isRun(value));
    if (more.length > 0)
      note("rows_unread", `the file holds ${more.length + 1} runs; only the first was read`, first?.at);
    const root = first?.value;
    const log = new EventLog();
    log.text("task", contentText(dig(root, "problem_statement")));
    const steps = asList(dig(root, "trajectory_steps"));
    steps.forEach((step, index) =>
      readStep(log, step, (code, text) => note(code, text, { field: `trajectory_steps[${index}]` })),
    );
    const tokens = steps.map((step) => asInteger(dig(step, "token_usage_completion")));
    const known = tokens.filter((count) => count !== undefined);
    return {
      format: "r2e-gym",
      events: log.finish(note),
      ...optional("exit", firstText(dig(root, "exit_reason"))),
      ...optional("submission", asString(dig(root, "output_patch"))),
      ...(known.length === tokens.length && known.length > 0
        ? { completion_tokens: known.reduce((sum, count) => sum + count, 0) }
        : {}),
    };
  },
};

function isRun(value: unknown): boolean {
  return asList(dig(value, "trajectory_steps")).some((step) => dig(step, "action") !== undefined);
}

function readStep(log: EventLog, step: unknown, note: Note): void {
  if (!isObject(step)) return note("step_unreadable", "not an object; left out");
  log.beginTurn();
  log.text("agent", contentText(step["thought"]));
  const action = contentText(step["action"]);
  const { calls } = callsIn(action, "xml");
  const [call] = calls.length > 0 ? calls : [{ text: action }];
  if (call !== undefined && action.trim() !== "") log.call(call);
  const observation = step["observation"];
  if (observation === undefined || observation === null) return;
  const text = contentText(observation);
  if (!log.awaitsResult) return log.context("env", text);
  const exitCode = exitCodeOf(text);
  log.observe(text, { exitCode, status: statusOf(exitCode) });
}

/** The harness writes the code of a command above its output. */
function exitCodeOf(text: string): number | undefined {
  const digits = /^\s*Exit code: (-?\d{1,9})\r?\n/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
