/** Where a verdict stands. The names are shown to people and written by `gagar show --json`. */
export type ResultSource =
  | "report"
  | "run_report"
  | "reward"
  | "result"
  | "ctrf"
  | "junit"
  | "tests"
  | "test_output"
  | "row"
  | "score";

/** What one source says of one rollout. Null: the source is there and does not say. */
export interface ResultVerdict {
  source: ResultSource;
  passed: boolean | null;
  /** File that says so, relative to the input. */
  file?: string;
  /** More of what it says, for people. */
  detail?: string;
}

/** A verdict by instance; without an instance it is about the place where its file lies. */
export interface InstanceVerdict {
  instance?: string;
  verdict: ResultVerdict;
}

/** What all sources together say. `disagreement` names the sources on both sides. */
export interface Settled {
  passed: boolean | null;
  disagreement?: string;
}

/**
 * One outcome from all verdicts: what they agree on, null when none says anything or when they disagree. No source is
 * trusted over another: whoever knows better gives an outcomes file.
 */
export function settle(verdicts: readonly ResultVerdict[]): Settled {
  const named = (passed: boolean): string =>
    verdicts
      .filter((verdict) => verdict.passed === passed)
      .map(({ source, file }) => (file === undefined ? source : `${source} (${file})`))
      .join(", ");
  const [yes, no] = [named(true), named(false)];
  if (yes !== "" && no !== "") return { passed: null, disagreement: `passed by ${yes}; failed by ${no}` };
  return { passed: yes !== "" ? true : no !== "" ? false : null };
}

/** 1 and 0 count as true and false; anything else says nothing. */
export function asVerdict(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  return value === 1 ? true : value === 0 ? false : null;
}
