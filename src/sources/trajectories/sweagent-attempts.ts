import { asList, dig } from "../shape.ts";

/** The run that a SWE-agent file stands for. */
export interface ChosenRun {
  run: unknown;
  /** The entry of `attempts` that the run is. */
  attempt?: unknown;
  /** Attempts beside it. */
  others: number;
}

/**
 * Where the run stands. An agent that tries several times keeps its `attempts` and, beside them, the one it chose; before
 * it has chosen, the last is the run.
 */
export function chosenRun(root: unknown): ChosenRun {
  const attempts = asList(dig(root, "attempts"));
  if (attempts.length === 0) return { run: root, others: 0 };
  const others = attempts.length - 1;
  if (dig(root, "trajectory") === undefined)
    return { run: attempts.at(-1), attempt: attempts.at(-1), others };
  const best = dig(root, "info", "best_attempt_idx");
  return { run: root, attempt: typeof best === "number" ? attempts[best] : undefined, others };
}
