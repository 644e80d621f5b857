import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import * as z from "zod";
import { GraderError } from "../errors.ts";
import { failureKind, withRetries } from "./retry.ts";

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  text: string;
}

/** What a model said, and what it cost: requests with their repeats, and tokens as the provider counts them. */
export interface ChatReply {
  text: string;
  model_calls: number;
  tokens_in: number;
  tokens_out: number;
}

/** A chat model without tools. */
export interface Chat {
  /** As it was asked for, for example "openai:gpt-5". */
  model: string;
  /** @throws GraderError `fallback` with the kind of failure, after the retries that a passing failure gets. */
  ask(messages: readonly ChatMessage[], signal?: AbortSignal): Promise<ChatReply>;
}

const Usage = z.object({ input_tokens: z.number(), output_tokens: z.number() });
const MESSAGES = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };

/** Any LangChain chat model as one that answers text with text. */
export function plainChat(model: BaseChatModel, name: string): Chat {
  return {
    model: name,
    async ask(messages, signal) {
      const sent = messages.map(({ role, text }) => new MESSAGES[role](text));
      const request = () => model.invoke(sent, signal === undefined ? {} : { signal });
      const { value, attempts } = await withRetries(request, signal).catch((cause: unknown) => {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new GraderError("fallback", `${failureKind(cause)}: ${why}`, {}, { cause });
      });
      const usage = AIMessage.isInstance(value) ? Usage.safeParse(value.usage_metadata).data : undefined;
      return {
        text: value.text,
        model_calls: attempts,
        tokens_in: usage?.input_tokens ?? 0,
        tokens_out: usage?.output_tokens ?? 0,
      };
    },
  };
}
