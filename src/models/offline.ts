import * as z from "zod";
import { GraderError } from "../errors.ts";
import { Lead } from "../schema/evidence.ts";
import type { AssistantTurn, Entry, Inspector, ToolCall } from "./inspector.ts";
import { placeByFindings, type Recorded } from "./offline-verdict.ts";

const LeadsAnswer = z.object({ leads: z.array(Lead), next_cursor: z.string().optional() });
const RolloutsAnswer = z.object({
  rollouts: z.array(
    z.object({
      rollout: z.string(),
      to_place: z.boolean(),
      tree: z.boolean(),
      same_tree_as: z.array(z.string()),
    }),
  ),
  next_cursor: z.string().optional(),
});

const TestsAnswer = z.object({ flags: z.array(z.object({ rollout: z.string() })).optional() });

export interface OfflineOptions {
  /** Run the tests of what is to be placed again; the grade tells where they contradict the record. Default false. */
  rerunTests?: boolean;
}

/**
 * The grader without a model: it reads all leads, records each that claims something as a finding, and places the
 * rollouts by what was verified. It goes through the same tools as a model does and is deterministic.
 */
export function offlineInspector({ rerunTests = false }: OfflineOptions = {}): Inspector {
  return {
    kind: "offline",
    async next(entries) {
      const reading = readingCalls(entries, rerunTests);
      if (reading.length > 0) return turn(entries, reading);
      const { leads, rollouts } = collect(entries);
      if (!wasCalled(entries, "record_finding")) {
        const placed = new Set(rollouts.filter((row) => row.to_place).map((row) => row.rollout));
        const claims = leads.filter(
          (lead) => lead.severity !== "note" && (placed.has(lead.rollout) || lead.hack),
        );
        if (claims.length > 0) return turn(entries, claims.map(recordCall));
      }
      if (wasCalled(entries, "submit_verdict"))
        throw new GraderError("internal", "the offline verdict was not accepted");
      const verdict = placeByFindings(
        rollouts.filter((row) => row.to_place),
        recorded(entries),
      );
      return turn(entries, [{ name: "submit_verdict", args: { ...verdict } }]);
    },
  };
}

type Wanted = Omit<ToolCall, "id">;

function turn(entries: readonly Entry[], calls: Wanted[]): AssistantTurn {
  const count = entries.filter((entry) => entry.type === "assistant").length;
  return {
    text: "",
    calls: calls.map((call, index) => ({ id: `o${count}.${index}`, ...call })),
    model_calls: 0,
    tokens_in: 0,
    tokens_out: 0,
  };
}

/** What is still to be read: the first pages, then whatever a page says follows it. */
function readingCalls(entries: readonly Entry[], rerunTests: boolean): Wanted[] {
  if (entries.length === 0)
    return [
      { name: "list_rollouts", args: {} },
      { name: "leads", args: {} },
    ];
  const more = ["list_rollouts", "leads"].flatMap((name) => {
    const last = entries.findLast((entry) => entry.type === "reply" && entry.call.name === name);
    const cursor = last?.type === "reply" ? last.answer.data?.["next_cursor"] : undefined;
    return typeof cursor === "string" ? [{ name, args: { cursor } }] : [];
  });
  if (more.length > 0 || !rerunTests || wasCalled(entries, "run_tests")) return more;
  const rollouts = collect(entries).rollouts.flatMap((row) => (row.tree ? [row.rollout] : []));
  return [{ name: "run_tests", args: { rollouts } }];
}

function wasCalled(entries: readonly Entry[], name: string): boolean {
  return entries.some((entry) => entry.type === "reply" && entry.call.name === name);
}

function collect(entries: readonly Entry[]) {
  const leads: Lead[] = [];
  const rollouts: z.infer<typeof RolloutsAnswer>["rollouts"] = [];
  for (const entry of entries) {
    if (entry.type !== "reply") continue;
    if (entry.call.name === "leads") leads.push(...LeadsAnswer.parse(entry.answer.data).leads);
    if (entry.call.name === "list_rollouts")
      rollouts.push(...RolloutsAnswer.parse(entry.answer.data).rollouts);
  }
  return { leads, rollouts };
}

function recordCall(lead: Lead): Wanted {
  const { id: _id, detector: _detector, ...finding } = lead;
  return { name: "record_finding", args: finding };
}

/** Findings that were accepted, and forging that was recorded without a call. What was refused counts for nothing. */
function recorded(entries: readonly Entry[]): Recorded[] {
  return entries.flatMap((entry) => {
    if (entry.type === "reply" && entry.call.name === "run_tests")
      return (TestsAnswer.safeParse(entry.answer.data).data?.flags ?? []).map(({ rollout }) => ({
        rollout,
        criterion: "solution_fitness" as const,
        severity: "major" as const,
        hack: true,
      }));
    if (entry.type !== "reply" || entry.call.name !== "record_finding" || entry.answer.error) return [];
    const { rollout, criterion, severity, hack } = Lead.omit({ id: true, detector: true }).parse(
      entry.call.args,
    );
    return [{ rollout, criterion, severity, hack: hack !== undefined }];
  });
}
