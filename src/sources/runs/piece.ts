import type { ResultVerdict } from "../results/index.ts";
import type { JsonObject } from "../shape.ts";

/** A record that is read when its group is: a line of a file, or a part of a document that is held. */
export type LazyRecord = () => Promise<JsonObject>;

/** What a piece is part of: harnesses that leave the same files behind share a name. */
export type RunKind =
  | "swebench"
  | "sweagent"
  | "mini-swe-agent"
  | "openhands"
  | "harbor"
  | "rows"
  | "inspect";

/** What one piece gives to its rollout. Paths are absolute. */
export type Part =
  | { kind: "record"; read: LazyRecord; hasTrajectory: boolean }
  | { kind: "steps"; value: JsonObject }
  | { kind: "patch"; path: string }
  | { kind: "trajectory"; path: string }
  | { kind: "test_output"; path: string }
  | { kind: "statement"; path: string }
  | { kind: "verdict"; verdict: ResultVerdict };

/** Something that was found in a run and belongs to one attempt at one instance. */
export interface Piece {
  /** Names the run inside its input; "" where nothing tells runs apart. */
  run: string;
  instance: string;
  /** Tells attempts of one run at one instance apart; "" where there is one. */
  attempt: string;
  /** Where it was found, for people. */
  source: string;
  of: RunKind;
  part: Part;
  /** What a prediction calls its system. Harnesses name reports and folders of logs after it. */
  model?: string;
}

/** Whether a piece is something of a rollout, and not only said about one. */
export function isOfRollout({ part }: Piece): boolean {
  return part.kind !== "verdict" && part.kind !== "test_output" && part.kind !== "statement";
}

/** All pieces of one attempt, under the id of its rollout. */
export interface Attempt {
  id: string;
  pieces: Piece[];
}
