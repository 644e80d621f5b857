import type { Note } from "../notes.ts";
import { asInteger, asList, asString, dig, firstText, type JsonObject } from "../shape.ts";
import type { Item } from "./content.ts";
import type { EventLog } from "./events.ts";
import { callOf } from "./openhands-run.ts";
import { contentText, timeOf } from "./parts.ts";

/** What has been read of a list of legacy events. */
export interface LegacyRun {
  log: EventLog;
  note: Note;
  hasTask: boolean;
  /** By completion: the tokens written. */
  tokens: Map<string, number | undefined>;
  /** Ids of actions that were not the agent's: what answers them is context. */
  asides: Set<unknown>;
  version?: string | undefined;
  exit?: string | undefined;
}

/** One action of the agent. Actions of one completion carry it whole and share a turn. */
export function readAgentAction(
  state: LegacyRun,
  event: JsonObject,
  action: string,
  args: JsonObject,
  at: Item["at"],
): void {
  const { log } = state;
  const details = { timestamp: timeOf(event["timestamp"]) };
  const metadata = event["tool_call_metadata"];
  const response = dig(metadata, "model_response");
  const message = dig(asList(dig(response, "choices"))[0], "message");
  // The completion is repeated whole on each of its actions.
  const key = firstText(dig(response, "id"));
  const isNew = key === undefined || !state.tokens.has(key);
  log.beginTurn(key);
  if (key !== undefined) state.tokens.set(key, asInteger(dig(response, "usage", "completion_tokens")));

  const said = action === "message" ? args["content"] : action === "think" ? undefined : args["thought"];
  if (isNew) {
    log.reasoning(contentText(dig(message, "reasoning_content")), details);
    log.text("agent", firstText(contentText(dig(message, "content"))) ?? contentText(said), details);
  }
  if (action === "message") return void state.asides.add(event["id"]);

  const id = firstText(dig(metadata, "tool_call_id"));
  const call = asList(dig(message, "tool_calls")).find((one) => id !== undefined && dig(one, "id") === id);
  const own = ownArguments(args);
  if (action === "think") own["thought"] = args["thought"];
  const given = dig(call, "function", "arguments") ?? own;
  const tool = asString(dig(metadata, "function_name")) ?? action;
  log.call(
    callOf(tool, given, own, (code, text) => state.note(code, text, at)),
    idOf(event["id"]),
    details,
  );
}

/** Fields that the program adds to what the model asked for. */
const ADDED =
  /^(?:action|args|id|timestamp|source|message|cause|timeout|thought|hidden|blocking|is_static|is_input|impl_source|translated_ipython_code|keep_prompt|kernel_init_code|tool_call_metadata|llm_metrics|security_risk|action_risk|is_confirmed|confirmation_state)$/;

/** The arguments of an action as it ran. */
export function ownArguments(args: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(args).filter(([key, value]) => !ADDED.test(key) && value !== null),
  );
}

/** The id of an event, by which its answer names it. */
export function idOf(id: unknown): string | undefined {
  return typeof id === "number" || typeof id === "string" ? String(id) : undefined;
}
