import { formatChain } from "./path.js";

/** A fault in a tree of tokens. */
export class TokenError extends Error {
  override name = "TokenError";
}

/** An alias that names no token. `path` is the token that holds it. */
export class UnknownTokenError extends TokenError {
  override name = "UnknownTokenError";
  readonly alias: string;
  readonly path: string | undefined;

  constructor(alias: string, path?: string) {
    super(`unknown token: ${formatChain(path === undefined ? [alias] : [path, alias])}`);
    this.alias = alias;
    this.path = path;
  }
}

/** A path that cannot be turned into the name of a custom property. */
export class TokenNameError extends TokenError {
  override name = "TokenNameError";
  readonly path: string;

  constructor(path: string) {
    super(`no CSS name: ${formatChain([path])}`);
    this.path = path;
  }
}

export class ColorError extends TokenError {
  override name = "ColorError";
  readonly text: string;

  constructor(text: string) {
    super(`no colour: ${text}`);
    this.text = text;
  }
}
