import type { Check, CheckRun } from "../schema/check.ts";
import { visible } from "../visible.ts";
import { textTable } from "./table.ts";

/** What a report needs of a rerun. */
export interface RerunView {
  group_id: string;
  check: Check;
  rollouts: { id: string; passed: boolean | null; result: string; agreement: string }[];
  broken?: string;
}

const HEADER = [
  "rollout",
  "recorded",
  "now",
  "agreement",
  "passed",
  "failed",
  "skipped",
  "missing",
  "verified",
];

/** The reruns of a group as a table, and below it what a person has to know of single runs. */
export function testRerunText({ group_id, check, rollouts, broken }: RerunView): string {
  const runOf = (id: string) => check.runs.find(({ rollout }) => rollout === id);
  const base = runOf("base");
  const rows = rollouts.map(({ id, passed, result, agreement }) =>
    row(id, passed === null ? "-" : passed ? "passed" : "failed", result, agreement, runOf(id)),
  );
  const ofBase = base === undefined ? [] : [row("base", "-", base.status ?? base.outcome, "-", base)];
  return [
    visible(`${group_id}: ${check.command} in ${check.sandbox}`),
    textTable(HEADER, [...rows, ...ofBase]),
    ...(check.notes ?? []).map((note) => `note: ${note}`),
    ...(broken === undefined
      ? []
      : ["the tests cannot be run here; what the base printed last:", visible(broken)]),
    ...check.runs.flatMap(runLines).map(visible),
  ].join("\n");
}

function row(
  id: string,
  recorded: string,
  now: string,
  agreement: string,
  run: CheckRun | undefined,
): string[] {
  const { passed, failed, skipped, missing = 0 } = run?.tests ?? {};
  const told =
    run?.tests === undefined ? ["-", "-", "-", "-"] : [passed, failed, skipped, missing].map(String);
  return [id, recorded, now.replaceAll("_", " "), agreement, ...told, verifiedText(run)];
}

/** Whether a test that must fail was seen to fail beside those that passed; only a pass is looked at so. */
function verifiedText(run: CheckRun | undefined): string {
  if (run?.canary === undefined) return "-";
  return run.canary === "failed" ? "yes" : `no: ${run.canary}`;
}

/** Names of tests that a line shows. */
const MAX_NAMES = 5;

function runLines(run: CheckRun): string[] {
  const { rollout, tests, reason, problem, restored = [], left_out = [], flags = [], own } = run;
  const failing = tests?.failing ?? [];
  const more = failing.length > MAX_NAMES ? `, ... (${tests?.failed ?? failing.length})` : "";
  return [
    ...(reason === undefined ? [] : [`${rollout}: ${reason}`]),
    ...(problem === undefined ? [] : [`${rollout}: ${problem}`]),
    ...(failing.length === 0 ? [] : [`${rollout}: failed: ${failing.slice(0, MAX_NAMES).join(", ")}${more}`]),
    ...(restored.length === 0 ? [] : [`${rollout}: put back: ${restored.join(", ")}`]),
    ...(left_out.length === 0 ? [] : [`${rollout}: left out: ${left_out.join(", ")}`]),
    ...(own === undefined ? [] : [`${rollout}: with its own test configuration: ${own}`]),
    ...flags.map(({ kind, claim }) => `flag ${rollout}: ${kind}, ${claim}`),
  ];
}
