import { TokenNameError } from "./errors.js";
import { resolveTokens } from "./resolve.js";
import type { TokenGroup, TokenValue } from "./types.js";

export interface CssOptions {
  /** Put before every name: `--prefix-color-brand`. */
  readonly prefix?: string;
}

/** A rule for `:root` with a custom property for each token. */
export function toCss(tree: TokenGroup, options: CssOptions = {}): string {
  const lines = [...resolveTokens(tree)].map(([path, value]) => declare(path, value, options));
  return `:root {\n${lines.join("")}}\n`;
}

function declare(path: string, value: TokenValue, { prefix }: CssOptions): string {
  const name = path.replaceAll(".", "-").toLowerCase();
  if (!/^[\w-]+$/.test(name)) throw new TokenNameError(path);
  return `  --${prefix === undefined ? "" : `${prefix}-`}${name}: ${value};\n`;
}
