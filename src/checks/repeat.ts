import { accountKey, accountOf, tellsCases } from "./account.ts";
import type { Behaviour } from "./types.ts";

/**
 * Runs that have to be made once more before anything is said of a difference: all but those that agree with most
 * others, and one of these. None where all agree. A run that did not come to its own end is not made again: it would
 * only use up its time twice.
 */
export function toRepeat(behaviours: readonly Behaviour[]): Behaviour[] {
  const cases = tellsCases(behaviours);
  const kinds = new Map<string, Behaviour[]>();
  for (const behaviour of behaviours) {
    const key = accountKey(accountOf(behaviour, cases));
    kinds.set(key, [...(kinds.get(key) ?? []), behaviour]);
  }
  if (kinds.size < 2) return [];
  const [largest = [], ...others] = [...kinds.values()].sort((a, b) => b.length - a.length);
  return [...largest.slice(0, 1), ...others.flat()].filter(({ run }) => run.outcome === "exited");
}

/** A run with its second time, unless the sandbox did not make that. */
export function withAgain(first: Behaviour, second: Behaviour | undefined): Behaviour {
  const made = second !== undefined && !["sandbox_failed", "unavailable"].includes(second.run.outcome);
  return made ? { ...first, again: { run: second.run, printed: second.printed } } : first;
}
