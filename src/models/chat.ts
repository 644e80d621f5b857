import { createHash } from "node:crypto";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import * as z from "zod";
import { GraderError } from "../errors.ts";
import { TOOLS } from "../tools/index.ts";
import type { Tool } from "../tools/tool.ts";
import type { AssistantTurn, Entry, Inspector } from "./inspector.ts";
import { messagesOf } from "./messages.ts";
import { SYSTEM_PROMPT } from "./prompt.ts";
import { failureKind, withRetries } from "./retry.ts";
import { surveyCalls } from "./survey.ts";

const Usage = z.object({ input_tokens: z.number(), output_tokens: z.number() });

/**
 * A chat model that calls tools, as the inspector of a group.
 *
 * @param model - Any LangChain chat model with `bindTools`.
 * @param name - What the grade says, for example "openai:gpt-5".
 * @throws GraderError `bad_config` for a model that cannot call tools.
 */
export function chatInspector(model: BaseChatModel, name: string, tools: readonly Tool[] = TOOLS): Inspector {
  const schemas = tools.map(({ name, description, input }) => ({
    type: "function" as const,
    function: { name, description, parameters: z.toJSONSchema(input, { io: "input" }) },
  }));
  const bound = model.bindTools?.(schemas);
  if (bound === undefined)
    throw new GraderError("bad_config", `${name} cannot call tools`, { field: "model" });
  return {
    kind: "agent",
    model: name,
    prompt_hash: createHash("sha256")
      .update(JSON.stringify([SYSTEM_PROMPT, schemas]))
      .digest("hex"),
    async next(entries, signal) {
      const survey = surveyCalls(entries);
      if (survey !== undefined) return surveyTurn(entries, survey);
      const request = () => bound.invoke(messagesOf(entries), signal === undefined ? {} : { signal });
      const { value, attempts } = await withRetries(request, signal).catch((cause: unknown) => {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new GraderError("fallback", `${failureKind(cause)}: ${why}`, {}, { cause });
      });
      if (!AIMessage.isInstance(value))
        throw new GraderError("internal", "the model answered with no message of its own");
      return turnOf(value, attempts);
    },
  };
}

function surveyTurn(
  entries: readonly Entry[],
  calls: NonNullable<ReturnType<typeof surveyCalls>>,
): AssistantTurn {
  const step = entries.filter((entry) => entry.type === "assistant").length;
  return {
    text: "",
    calls: calls.map((call, index) => ({ id: `survey_${step}_${index}`, ...call })),
    model_calls: 0,
    tokens_in: 0,
    tokens_out: 0,
  };
}

/** A message of the model as a step. Calls whose arguments did not parse are answered like any bad call. */
function turnOf(message: AIMessage, attempts: number): AssistantTurn {
  const calls = [
    ...(message.tool_calls ?? []).map(({ id, name, args }) => ({ id: id ?? "", name, args })),
    ...(message.invalid_tool_calls ?? []).map(({ id, name, args }) => ({
      id: id ?? "",
      name: name ?? "unknown",
      args: { unparsed_arguments: args ?? "" },
    })),
  ];
  const ids = new Set(calls.map(({ id }) => id));
  if (ids.size < calls.length || ids.has(""))
    throw new GraderError("internal", "the model gave its tool calls no ids of their own");
  const usage = Usage.safeParse(message.usage_metadata).data;
  return {
    text: message.text,
    calls,
    model_calls: attempts,
    tokens_in: usage?.input_tokens ?? 0,
    tokens_out: usage?.output_tokens ?? 0,
    raw: message.toDict(),
  };
}
