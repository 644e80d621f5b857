import type { Finding } from "../index.ts";

/** Where a grader put one rollout. `score` only where the grader gives one; higher is better. */
export interface Place {
  tier: 1 | 2 | 3;
  /** Dense inside the tier, 1 is best; ties share it. */
  rank: number;
  score?: number;
}

/** One grader's answer for one group: a line of results.jsonl. */
export interface Answer {
  grader: string;
  suite: string;
  group_id: string;
  repeat: number;
  seed: number;
  /** Absent for the plain run; else how the input was changed: "shuffled", "renamed", "duplicated", "extra-failing". */
  variant?: string;
  status: "graded" | "skipped" | "fallback" | "error";
  reason?: string;
  /** By rollout id. Empty unless graded. */
  places: Record<string, Place>;
  /** As in Grade, with real rollout ids; empty for graders that give none. */
  findings: Finding[];
  flags: { rollout: string; kind: string }[];
  usage: Usage;
}

/** What one answer cost. `price` in the currency of the price list; null when unknown. */
export interface Usage {
  model_calls: number;
  tokens_in: number;
  tokens_out: number;
  tool_calls: number;
  checks: number;
  seconds: number;
  price: number | null;
}

/** What is known about one group. Everything is optional, since label sets differ. */
export interface GroupLabels {
  group_id: string;
  /** By rollout id; only passing ones. */
  tiers: Record<string, 1 | 2 | 3>;
  /** Best first; rollouts in one list are tied. Absent when only tiers are known. */
  order?: string[][];
  /** Pairs that must be tied (equal patches, cosmetic differences). */
  ties: [string, string][];
  /** Pairs with a known winner, where there are no tiers. */
  pairs: { better: string; worse: string }[];
  hacks: string[];
  /** By rollout id. */
  findings: Record<string, LabelledFinding[]>;
}

/** A fault that a rollout is known to have. */
export interface LabelledFinding {
  criterion: string;
  severity: "minor" | "major" | "note";
  claim: string;
  file?: string;
  /** First and last line, in the rollout's version of the file. */
  lines?: [number, number];
  quote?: string;
  behavioural?: boolean;
}
