import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { GraderError } from "../errors.ts";

interface Provider {
  package: string;
  className: string;
  /** Environment variable with the key; none for a server that needs none. */
  key?: string;
}

/** Providers by the name in `provider:model`. Each lives in a package of its own that is loaded when it is asked for. */
const PROVIDERS: Record<string, Provider> = {
  openai: { package: "@langchain/openai", className: "ChatOpenAI", key: "OPENAI_API_KEY" },
  anthropic: { package: "@langchain/anthropic", className: "ChatAnthropic", key: "ANTHROPIC_API_KEY" },
  "google-genai": {
    package: "@langchain/google-genai",
    className: "ChatGoogleGenerativeAI",
    key: "GOOGLE_API_KEY",
  },
  mistralai: { package: "@langchain/mistralai", className: "ChatMistralAI", key: "MISTRAL_API_KEY" },
  groq: { package: "@langchain/groq", className: "ChatGroq", key: "GROQ_API_KEY" },
  ollama: { package: "@langchain/ollama", className: "ChatOllama" },
  deepseek: { package: "@langchain/deepseek", className: "ChatDeepSeek", key: "DEEPSEEK_API_KEY" },
  xai: { package: "@langchain/xai", className: "ChatXAI", key: "XAI_API_KEY" },
};

export const PROVIDER_NAMES: readonly string[] = Object.keys(PROVIDERS);

/**
 * The chat model of a `provider:model` name. Keys and addresses come from the provider's usual environment variables;
 * OPENAI_BASE_URL leads to any server that speaks OpenAI's protocol (vLLM, SGLang, llama.cpp, Ollama).
 *
 * @throws GraderError `bad_config` for an unknown provider, a package that is not installed, or a missing key.
 */
export async function resolveModel(spec: string): Promise<BaseChatModel> {
  const at = spec.indexOf(":");
  const provider = PROVIDERS[spec.slice(0, Math.max(at, 0))];
  const model = spec.slice(at + 1);
  const refuse = (why: string, cause?: unknown) =>
    new GraderError("bad_config", why, { field: "model" }, { cause });
  if (provider === undefined || model === "")
    throw refuse(`${JSON.stringify(spec)} is no provider:model; providers are ${PROVIDER_NAMES.join(", ")}`);
  const loaded: unknown = await import(provider.package).catch(() => undefined);
  const constructor: unknown = isRecord(loaded) ? loaded[provider.className] : undefined;
  if (!isConstructor(constructor))
    throw refuse(`${provider.package} is not installed: npm install ${provider.package}`);
  const baseURL = provider.className === "ChatOpenAI" ? fromEnvironment("OPENAI_BASE_URL") : undefined;
  const hasKey = provider.key === undefined || fromEnvironment(provider.key) !== undefined;
  if (!hasKey && baseURL === undefined) throw refuse(`${spec} needs a key: set ${provider.key}`);
  // A server of one's own wants no key, but the library does.
  const connection =
    baseURL === undefined ? {} : { configuration: { baseURL }, ...(hasKey ? {} : { apiKey: "none" }) };
  try {
    // Retries are ours: the libraries do not wait for a rate limit without a Retry-After.
    return new constructor({ model, maxRetries: 0, ...connection });
  } catch (cause) {
    throw refuse(`${spec}: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}

/** A variable that is set to nothing is not set. */
const fromEnvironment = (name: string) => process.env[name] || undefined;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isConstructor(value: unknown): value is new (fields: Record<string, unknown>) => BaseChatModel {
  return typeof value === "function";
}
