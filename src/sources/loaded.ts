import type { GraderError, Warning } from "../errors.ts";
import type { Group } from "../schema/group.ts";
import type { ResultVerdict } from "./results/index.ts";

/** What is said of each rollout by each source, by rollout id. */
export type VerdictsByRollout = ReadonlyMap<string, readonly ResultVerdict[]>;

/** A group as it was given, not yet looked into. */
export interface LoadedGroup {
  group: Group;
  /** Folder that the group's paths are relative to. */
  root: string;
  /** Folders of what was given apart from the rollouts, where they are others than `root`. */
  roots?: { repo?: string; tests?: string };
  /** `groups.jsonl:3`: what was read, for people. */
  source: string;
  warnings: Warning[];
  /** Every verdict that was found beside the rollouts; `passed` is what they agree on. */
  verdicts?: VerdictsByRollout;
}

/** A group that can be shown and not graded: nothing says where its repository is. */
export type PartialGroup = Omit<LoadedGroup, "group"> & { group: Omit<Group, "repo"> };

/** A group, or the part of an input that holds none. */
export interface LoadFailure {
  error: GraderError;
  source: string;
  /** What could be read, where only the repository is missing. */
  partial?: PartialGroup;
}
