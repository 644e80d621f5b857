import type { Token } from "./lex.ts";

const CLOSER: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** For each opening bracket the index of its partner. Brackets without one are left out. */
export function partners(tokens: readonly Token[]): Map<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "punct") continue;
    if (CLOSER[token.text] !== undefined) open.push(index);
    else if (token.text === ")" || token.text === "]" || token.text === "}") {
      while (open.length > 0) {
        const start = open.pop() ?? 0;
        if (CLOSER[tokens[start]?.text ?? ""] !== token.text) continue;
        found.set(start, index);
        break;
      }
    }
  }
  return found;
}
