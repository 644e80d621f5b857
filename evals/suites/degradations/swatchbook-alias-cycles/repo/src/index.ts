export { type Color, parseColor, toHex } from "./color.js";
export { type CssOptions, toCss } from "./css.js";
export { ColorError, TokenError, TokenNameError, UnknownTokenError } from "./errors.js";
export { explainToken } from "./explain.js";
export { flatten } from "./flatten.js";
export { formatChain } from "./path.js";
export { resolveTokens } from "./resolve.js";
export type { Token, TokenGroup, TokenValue } from "./types.js";
