import type { GroupLabels } from "../types.ts";
import type { LoadedGroup } from "../../index.ts";

/** One thing to grade: a group as a grader sees it, and apart from it what is known about it. */
export interface Case {
  suite: string;
  loaded: LoadedGroup;
  /** Never handed to a grader. */
  labels: GroupLabels;
  /** How the group was changed; absent for the group as it is. */
  variant?: string;
  /** Where rollouts have other ids than in the labels: the id in the labels by the id in the group. */
  originals?: Record<string, string>;
}

/** What is known about a group that has no labels. */
export function noLabels(groupId: string): GroupLabels {
  return { group_id: groupId, tiers: {}, ties: [], pairs: [], hacks: [], findings: {} };
}
