import { GraderError } from "../../index.ts";
import type { Answer, GroupLabels } from "../types.ts";
import type { GroupRun } from "./metric.ts";
import { contradiction } from "./order.ts";

/**
 * The answers of one grader by group, both sorted: the order in which they were written does not matter.
 * Groups without an answer are left out.
 *
 * @throws GraderError `bad_input` when the answers are of more than one grader or answer the same thing twice, and when
 *   there are two labels for a group or labels that contradict themselves.
 */
export function groupRuns(labels: readonly GroupLabels[], answers: readonly Answer[]): GroupRun[] {
  const known = labelsByGroup(labels);
  const sorted = sortedAnswers(answers);
  const groups = [...new Set(answers.map(({ group_id }) => group_id))].toSorted();
  return groups.map((group_id) => {
    const own = sorted.filter((answer) => answer.group_id === group_id);
    const variants: Record<string, Answer[]> = {};
    for (const answer of own)
      if (answer.variant !== undefined) (variants[answer.variant] ??= []).push(answer);
    const found = known.get(group_id);
    return {
      group_id,
      ...(found !== undefined && { labels: found }),
      plain: own.filter(({ variant }) => variant === undefined),
      variants,
    };
  });
}

function labelsByGroup(labels: readonly GroupLabels[]): Map<string, GroupLabels> {
  const known = new Map<string, GroupLabels>();
  for (const each of labels) {
    const place = { group: each.group_id };
    if (known.has(each.group_id)) throw new GraderError("bad_input", "has labels twice", place);
    const pair = contradiction(each);
    if (pair !== undefined)
      throw new GraderError(
        "bad_input",
        `the labels say two different things about ${pair.better} and ${pair.worse}`,
        { ...place, rollout: pair.better },
      );
    known.set(each.group_id, each);
  }
  return known;
}

/** In one order, whichever it is. */
function sortedAnswers(answers: readonly Answer[]): Answer[] {
  const byKey = new Map<string, Answer>();
  for (const answer of answers) {
    const { grader, suite, group_id, repeat, variant } = answer;
    if (grader !== answers[0]?.grader)
      throw new GraderError("bad_input", `is of ${grader}, and others of ${answers[0]?.grader}`, {
        group: group_id,
        field: "grader",
      });
    const key = JSON.stringify([suite, group_id, repeat, variant]);
    if (byKey.has(key))
      throw new GraderError(
        "bad_input",
        `repeat ${repeat} of ${variant ?? "the plain run"} is answered twice`,
        {
          group: group_id,
          field: "repeat",
        },
      );
    byKey.set(key, answer);
  }
  return [...byKey.keys()].toSorted().flatMap((key) => byKey.get(key) ?? []);
}
