import { joinPath } from "./path.js";
import { isToken, type TokenGroup, type TokenValue } from "./types.js";

/** Paths and values as they are written, in the order of the document. */
export function flatten(tree: TokenGroup): Map<string, TokenValue> {
  const tokens = new Map<string, TokenValue>();
  collect(tree, "", tokens);
  return tokens;
}

function collect(group: TokenGroup, parent: string, tokens: Map<string, TokenValue>): void {
  for (const [name, node] of Object.entries(group)) {
    const path = joinPath(parent, name);
    if (isToken(node)) tokens.set(path, node.$value);
    else collect(node, path, tokens);
  }
}
