import { substitute } from "./alias.js";
import { UnknownTokenError } from "./errors.js";
import { flatten } from "./flatten.js";
import { formatChain } from "./path.js";
import type { TokenGroup, TokenValue } from "./types.js";

const MAX_DEPTH = 32;

/** Paths and values with every alias replaced, in the order of the document. */
export function resolveTokens(tree: TokenGroup): Map<string, TokenValue> {
  const tokens = flatten(tree);
  const resolved = new Map<string, TokenValue>();
  for (const path of tokens.keys()) resolved.set(path, resolvePath(tokens, path, 0));
  return resolved;
}

function resolvePath(
  tokens: ReadonlyMap<string, TokenValue>,
  path: string,
  depth: number,
  from?: string,
): TokenValue {
  if (depth > MAX_DEPTH) throw new RangeError(`aliases are too deep at ${formatChain([path])}`);
  const value = tokens.get(path);
  if (value === undefined) throw new UnknownTokenError(path, from);
  return substitute(value, (alias) => resolvePath(tokens, alias, depth + 1, path));
}
