import type { Token } from "./lex.ts";
import type { Normal } from "./normal-form.ts";

/** Longest operand that may stand where a helper has its parameter, in tokens. */
const MAX_OPERAND = 12;
/** Tokens looked at before a place counts as no match: crafted code could make the search long. */
const MAX_STEPS = 5000;
const CLOSE: Record<string, string> = { "(": ")", "[": "]" };

const same = (a: string, b: string) =>
  a === b || (/^["'`]/.test(a) && /^["'`]/.test(b) && a.slice(1, -1) === b.slice(1, -1));

/** Ends of the operands that begin at `at`: `a`, `a.b`, `a.b(c)`, `a[0].b`; shortest first. */
function operandEnds(tokens: readonly Token[], at: number): number[] {
  const first = tokens[at];
  if (first === undefined || first.kind === "comment" || first.kind === "punct") return [];
  const ends = [at + 1];
  let end = at + 1;
  while (end - at < MAX_OPERAND) {
    const token = tokens[end];
    if ((token?.text === "." || token?.text === "?.") && tokens[end + 1]?.kind === "name") end += 2;
    else if (token !== undefined && CLOSE[token.text] !== undefined) {
      const close = closing(tokens, end);
      if (close === undefined) break;
      end = close + 1;
    } else break;
    ends.push(end);
  }
  return ends;
}

function closing(tokens: readonly Token[], open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < Math.min(tokens.length, open + MAX_OPERAND); at += 1) {
    const text = tokens[at]?.text ?? "";
    if (text === "(" || text === "[") depth += 1;
    if (text === ")" || text === "]") depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/**
 * Whether `pattern` stands at `at`, with every parameter replaced by one operand throughout. Returns the index after the
 * match.
 */
export function matchAt(
  pattern: readonly Normal[],
  tokens: readonly Token[],
  at: number,
  bound: ReadonlyMap<string, string> = new Map(),
  budget = { left: MAX_STEPS },
): number | undefined {
  for (const [index, part] of pattern.entries()) {
    const token = tokens[at];
    budget.left -= 1;
    if (token === undefined || budget.left < 0) return undefined;
    if (!part.text.startsWith("$") || part.text.length === 1) {
      if (!same(part.text, token.text)) return undefined;
      at += 1;
      continue;
    }
    const rest = pattern.slice(index + 1);
    const known = bound.get(part.text);
    for (const end of operandEnds(tokens, at)) {
      const operand = tokens
        .slice(at, end)
        .map((one) => one.text)
        .join(" ");
      if (known !== undefined && known !== operand) continue;
      const match = matchAt(
        rest,
        tokens,
        end,
        known === undefined ? new Map([...bound, [part.text, operand]]) : bound,
        budget,
      );
      if (match !== undefined) return match;
    }
    return undefined;
  }
  return at;
}

/** Whether `short` is `long` with tokens left out. Returns what was left out. */
export function insertedInto(short: readonly Token[], long: readonly Token[]): Token[] | undefined {
  const extra: Token[] = [];
  let at = 0;
  for (const token of long) {
    if (short[at]?.text === token.text) at += 1;
    else extra.push(token);
  }
  return at === short.length ? extra : undefined;
}
