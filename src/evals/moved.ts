import { copiedFrom } from "./suites/invariance.ts";
import type { Answer } from "./types.ts";

/** What a change that must not matter did to one grader's answers for one group. */
export interface Moved {
  grader: string;
  group_id: string;
  variant: string;
  /** Rollouts that were placed in both answers, copies included. */
  placed: number;
  /** Ids whose tier or rank is another, or that only one of the answers places. */
  moved: string[];
}

/**
 * Compares each answer for changed input with the one for the group as it is, of the same grader, group and repeat. A copy
 * of a rollout has to share its place. Pairs without two graded answers say nothing and are left out.
 */
export function movedPlaces(answers: readonly Answer[]): Moved[] {
  const keyOf = ({ grader, group_id, repeat }: Answer) => JSON.stringify([grader, group_id, repeat]);
  const plain = new Map(
    answers.filter(({ variant }) => variant === undefined).map((answer) => [keyOf(answer), answer]),
  );
  return answers.flatMap((answer): Moved[] => {
    const before = plain.get(keyOf(answer));
    const { grader, group_id, variant } = answer;
    if (variant === undefined || before?.status !== "graded" || answer.status !== "graded") return [];
    const ids = [...new Set([...Object.keys(before.places), ...Object.keys(answer.places)])];
    const moved = ids.filter((id) => {
      const [was, is] = [before.places[copiedFrom(id) ?? id], answer.places[id]];
      return was?.tier !== is?.tier || was?.rank !== is?.rank;
    });
    return [{ grader, group_id, variant, placed: ids.length, moved }];
  });
}
