import type { TokenValue } from "./types.js";

const WHOLE = /^\{([^{}]+)\}$/;
const EMBEDDED = /\{([^{}]+)\}/g;

/** The path that a value stands for when it is one alias and nothing else. */
export function wholeAlias(value: TokenValue): string | undefined {
  return typeof value === "string" ? WHOLE.exec(value)?.[1]?.trim() : undefined;
}

/** The value with every alias in it replaced. A whole alias keeps the type. */
export function substitute(value: TokenValue, lookup: (path: string) => TokenValue): TokenValue {
  if (typeof value === "number") return value;
  const whole = wholeAlias(value);
  if (whole !== undefined) return lookup(whole);
  return value.replace(EMBEDDED, (_, path: string) => String(lookup(path.trim())));
}
