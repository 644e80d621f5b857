import type { Check, CheckRun } from "../schema/check.ts";
import { visible } from "../visible.ts";
import { markdownText } from "./table.ts";

/** Lines of a script that a page shows. */
const MAX_SCRIPT_LINES = 200;

/** A check on one line. */
export function checkText(check: Check): string {
  const what = check.tool === "shell" ? check.command.split("\n", 1)[0] : `${check.runs.length} runs`;
  const kinds =
    check.tool === "shell"
      ? ""
      : `, ${check.clusters.length} ${check.clusters.length === 1 ? "kind" : "kinds"} of behaviour`;
  const flaky = check.flaky === undefined ? "" : `, flaky: ${check.flaky.join(", ")}`;
  return visible(`check ${check.id}: ${check.tool} in ${check.sandbox}, ${what}${kinds}${flaky}`);
}

/** What was run, with the script, and which rollouts behaved alike. */
export function checkMarkdown(check: Check): string {
  const lines = (check.script ?? check.command).trimEnd().split("\n");
  const left = lines.length - MAX_SCRIPT_LINES;
  const shown = visible(lines.slice(0, MAX_SCRIPT_LINES).join("\n"));
  const ticks = "`".repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const clusters = check.clusters.map((ids) => {
    const run = check.runs.find(({ rollout }) => rollout === ids[0]);
    return `- ${ids.map(markdownText).join(", ")}: ${run === undefined ? "" : endText(run)}`;
  });
  const facts = [
    ...(check.notes ?? []).map((note) => `- note: ${markdownText(note)}`),
    ...check.runs.flatMap(factLines),
  ];
  return [
    `**${check.id}** ${check.tool}, ${check.sandbox}`,
    `${ticks}\n${shown}${left > 0 ? `\n[${left} more lines]` : ""}\n${ticks}`,
    [...clusters, ...flakyLine(check), ...facts].join("\n"),
  ].join("\n\n");
}

function flakyLine({ flaky }: Check): string[] {
  return flaky === undefined ? [] : [`- flaky, run twice: ${flaky.map(markdownText).join(", ")}`];
}

/** What a run of the tests was made of, and how far it can be trusted. */
function factLines({ rollout, problem, restored = [], left_out = [], canary, own }: CheckRun): string[] {
  const lines = [
    ...(problem === undefined ? [] : [problem]),
    ...(restored.length === 0 ? [] : [`put back: ${restored.join(", ")}`]),
    ...(left_out.length === 0 ? [] : [`left out: ${left_out.join(", ")}`]),
    ...(canary === undefined || canary === "failed" ? [] : [`a test that must fail: ${canary}`]),
    ...(own === undefined ? [] : [`with its own test configuration: ${own}`]),
  ];
  return lines.map((line) => `- ${markdownText(`${rollout}: ${line}`)}`);
}

function endText({ outcome, exit_code, status, reason, tests }: CheckRun): string {
  const end = outcome === "exited" ? `exit status ${exit_code ?? "unknown"}` : outcome.replaceAll("_", " ");
  const counts =
    tests === undefined ? "" : `, ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`;
  return (
    [...(status === undefined ? [] : [status]), end].join(", ") +
    counts +
    markdownText(reason === undefined ? "" : `: ${reason}`)
  );
}
