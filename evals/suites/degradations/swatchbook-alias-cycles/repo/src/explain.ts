import { wholeAlias } from "./alias.js";
import { UnknownTokenError } from "./errors.js";
import { flatten } from "./flatten.js";
import type { TokenGroup, TokenValue } from "./types.js";

/**
 * The paths that a token's alias leads through, the token itself first, and at the end the
 * value as it is written there. Aliases inside longer values are not followed.
 */
export function explainToken(tree: TokenGroup, path: string): TokenValue[] {
  const tokens = flatten(tree);
  const chain: string[] = [];
  let next = path;
  for (;;) {
    const value = tokens.get(next);
    if (value === undefined) throw new UnknownTokenError(next, chain.at(-1));
    chain.push(next);
    const alias = wholeAlias(value);
    if (alias === undefined) return [...chain, value];
    next = alias;
  }
}
