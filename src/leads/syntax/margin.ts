import type { Token } from "./lex.ts";

/** The first token of each line, with its column, and for each the next one that stands no further right. */
export interface Margin {
  at: number[];
  column: number[];
  next: number[];
}

export function marginOf(text: string, tokens: readonly Token[]): Margin {
  const margin: Margin = { at: [], column: [], next: [] };
  for (const [at, token] of tokens.entries()) {
    if (tokens[at - 1]?.endLine === token.line) continue;
    margin.at.push(at);
    margin.column.push(token.start - (text.lastIndexOf("\n", token.start - 1) + 1));
  }
  const waiting: number[] = [];
  for (const [index, column] of margin.column.entries()) {
    while (waiting.length > 0 && (margin.column[waiting.at(-1) ?? 0] ?? 0) >= column)
      margin.next[waiting.pop() ?? 0] = index;
    waiting.push(index);
  }
  for (const index of waiting) margin.next[index] = margin.at.length;
  return margin;
}

/** Index in the margin of the first line that begins behind token `at`, found by halving. */
export function lineBehind(margin: Margin, at: number): number {
  let [low, high] = [0, margin.at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((margin.at[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
