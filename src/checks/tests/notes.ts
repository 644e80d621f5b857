import { describeEnd } from "../describe.ts";
import { endOf } from "../behaviour.ts";
import { hasFailed, type Expectation, type Observed } from "./expected.ts";

/** What holds for all runs of a check: what the base says, and which channels say nothing here. */
export function notesOf({ result, told }: Observed, { holds }: Expectation, reports: boolean): string[] {
  const notes: string[] = [];
  if (result.outcome !== "exited") notes.push(`the base says nothing: ${describeEnd(endOf("base", result))}`);
  else if (told !== undefined && !hasFailed(told) && told.some(({ status }) => status === "passed"))
    notes.push("the base passes all tests: they do not tell a rollout from the code before any change");
  if (!reports) notes.push("the runner is not known, so that nothing but the exit status counts");
  else if (!holds.report) notes.push("no run wrote a report, so that nothing but the exit status counts");
  if (!holds.exit) notes.push("the exit status says nothing: on the base it does not agree with the report");
  if (!holds.summary) notes.push("the summary says nothing: on the base it does not agree with the report");
  return notes;
}
