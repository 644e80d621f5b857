import { setTimeout as sleep } from "node:timers/promises";

/** Attempts in all, and the longest wait between two in milliseconds, whatever the provider asks for. */
const ATTEMPTS = 4;
const MAX_WAIT = 20_000;

/**
 * Repeats a request that failed for a passing reason: rate limits, faults of the provider, lost connections. The wait
 * doubles from half a second with jitter; a Retry-After is honoured up to 20 s. What asking again cannot mend (a bad
 * request, a missing key, a context that is too long) is thrown at once. The deadline ends it through `signal`.
 */
export async function withRetries<T>(
  request: () => Promise<T>,
  signal: AbortSignal | undefined,
  pause: (ms: number) => Promise<unknown> = (ms) =>
    sleep(ms, undefined, signal === undefined ? {} : { signal }),
): Promise<{ value: T; attempts: number }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { value: await request(), attempts: attempt };
    } catch (error) {
      if (signal?.aborted === true || attempt === ATTEMPTS || !isPassing(error)) throw error;
      const backoff = 500 * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      await pause(Math.min(MAX_WAIT, retryAfter(error) ?? backoff));
    }
  }
}

/** The HTTP status of a provider's error, or undefined. Libraries put it under different names. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  for (const key of ["status", "statusCode", "code"]) {
    const value: unknown = Reflect.get(error, key);
    if (typeof value === "number") return value;
  }
  const response: unknown = Reflect.get(error, "response");
  return typeof response === "object" && response !== null ? statusOf(response) : undefined;
}

/** What kind of failure a fallback should name. */
export function failureKind(error: unknown): string {
  const status = statusOf(error);
  if (isOverflow(error)) return "context_overflow";
  if (status === 401 || status === 403) return "not_authorized";
  if (status === 429) return "rate_limited";
  if (status !== undefined) return status >= 500 ? "provider_failed" : "request_refused";
  return "model_unreachable";
}

/** Libraries replace the provider's error by one of their own that has no status. */
function isOverflow(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const refused =
    statusOf(error) === 400 && /context|too long|maximum.*tokens|token limit/i.test(error.message);
  return refused || error.name === "ContextOverflowError";
}

function isPassing(error: unknown): boolean {
  if (isOverflow(error)) return false;
  const status = statusOf(error);
  if (status !== undefined) return status === 408 || status === 409 || status === 429 || status >= 500;
  const name = error instanceof Error ? error.name : "";
  // Without a status the request never got an answer; an abort or a programming error is no reason to ask again.
  return error instanceof Error && !["AbortError", "TypeError", "GraderError", "ZodError"].includes(name);
}

/** Milliseconds that the provider asks to wait, or undefined. */
function retryAfter(error: unknown): number | undefined {
  const headers: unknown =
    typeof error === "object" && error !== null ? Reflect.get(error, "headers") : undefined;
  const value =
    headers instanceof Headers
      ? headers.get("retry-after")
      : isRecord(headers)
        ? headers["retry-after"]
        : undefined;
  const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
