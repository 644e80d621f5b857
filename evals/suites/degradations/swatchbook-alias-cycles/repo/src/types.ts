export type TokenValue = string | number;

export interface Token {
  readonly $value: TokenValue;
}

export interface TokenGroup {
  readonly [name: string]: TokenGroup | Token;
}

export function isToken(node: TokenGroup | Token): node is Token {
  return typeof node["$value"] === "string" || typeof node["$value"] === "number";
}
