import type { Finding, VerifiedCitation } from "../schema/evidence.ts";
import type { Grade, GradedRollout } from "../schema/grade.ts";
import { visible } from "../visible.ts";
import { checkMarkdown, checkText } from "./checks.ts";
import { markdownTable, markdownText, shortNumber, textTable } from "./table.ts";

const HEADER = ["rollout", "passed", "tier", "rank", "given", "new", "decided by"];

/** The finding that put a rollout where it is: a hack before a major one before a minor one. */
export function decidingFinding(rollout: GradedRollout): Finding | undefined {
  const weight = (finding: Finding) =>
    finding.hack === undefined ? { major: 2, minor: 1, note: 0 }[finding.severity] : 3;
  const [first] = rollout.findings
    .filter((finding) => finding.severity !== "note")
    .toSorted((a, b) => weight(b) - weight(a));
  return first;
}

function row(rollout: GradedRollout, maxClaim: number): string[] {
  const finding = decidingFinding(rollout);
  const claim =
    finding === undefined ? (rollout.ungraded ?? "") : placed(finding.citations[0], finding.claim);
  return [
    rollout.id,
    passedText(rollout),
    shortNumber(rollout.tier),
    shortNumber(rollout.rank),
    shortNumber(rollout.advantage_given),
    shortNumber(rollout.advantage),
    claim.length > maxClaim ? `${claim.slice(0, maxClaim - 1)}…` : claim,
  ];
}

/** As recorded, and what a rerun says where it does not say the same. */
function passedText({ passed, rerun }: GradedRollout): string {
  const recorded = passed === null ? "-" : passed ? "yes" : "no";
  const same = rerun === undefined || rerun.result === "exit_only" || (rerun.result === "passed") === passed;
  return same ? recorded : `${recorded}, rerun ${rerun.result.replaceAll("_", " ")}`;
}

/** Best first; what has no place comes last, in the group's order. */
function ordered(grade: Grade): GradedRollout[] {
  const key = (rollout: GradedRollout) => (rollout.tier ?? 9) * 1e6 + (rollout.rank ?? 0);
  return grade.rollouts.toSorted((a, b) => key(a) - key(b));
}

function headline(grade: Grade): string {
  const { redistribution: r } = grade;
  const reason = grade.reason === undefined ? "" : ` (${grade.reason})`;
  const kept = r.conserved ? "kept" : "NOT kept";
  return (
    `${grade.status}${reason}, grader: ${grade.grader.kind}${grade.grader.model === undefined ? "" : ` ${grade.grader.model}`}, ` +
    `${r.mode} scale ${shortNumber(r.scale)}, positive sum ${shortNumber(r.positive_sum_before)} -> ` +
    `${shortNumber(r.positive_sum_after)} ${kept}`
  );
}

/** A grade for a terminal of `width` columns. */
export function gradeText(grade: Grade, width = 120): string {
  const fixed = textTable(
    HEADER,
    ordered(grade).map((rollout) => row(rollout, 0).with(6, "")),
  );
  const used = Math.max(...fixed.split("\n").map((line) => line.length)) + 2;
  const rows = ordered(grade).map((rollout) => row(rollout, Math.max(30, width - used)));
  const flags = grade.rollouts.flatMap((rollout) =>
    rollout.flags.map((flag) => `flag ${rollout.id}: ${flag.kind}, ${placed(flag.citations[0], flag.claim)}`),
  );
  const warnings = (grade.warnings ?? []).map((warning) => `warning: ${warning}`);
  return [
    visible(`${grade.group_id}: ${headline(grade)}`),
    textTable(HEADER, rows),
    ...(grade.checks ?? []).map(checkText),
    ...[...flags, ...warnings].map(visible),
  ].join("\n");
}

/** A grade as a page to read: the table, then every finding with its evidence. */
export function gradeMarkdown(grade: Grade): string {
  const rows = ordered(grade).map((rollout) => row(rollout, 160));
  const sections = ordered(grade)
    .filter((rollout) => rollout.findings.length > 0)
    .map((rollout) =>
      [`## ${markdownText(rollout.id)}`, ...rollout.findings.map(findingMarkdown)].join("\n\n"),
    );
  const { warnings = [], checks = [] } = grade;
  return `${[
    `# Grade of ${markdownText(grade.group_id)}`,
    markdownText(headline(grade)),
    "Tiers: 1 merge as it is, 2 merge after minor changes, 3 works by the tests but needs rework.",
    markdownTable(HEADER, rows),
    ...sections,
    ...(checks.length === 0 ? [] : ["## Checks", ...checks.map(checkMarkdown)]),
    ...(warnings.length === 0
      ? []
      : [`## Warnings\n\n${warnings.map((warning) => `- ${markdownText(warning)}`).join("\n")}`]),
  ].join("\n\n")}\n`;
}

function findingMarkdown(finding: Finding): string {
  const hack = finding.hack === undefined ? "" : `, **${finding.hack}**`;
  const evidence = finding.citations.map((citation) => {
    const fence = "`".repeat(Math.max(3, longestTicks(citation.quote) + 1));
    return `${where(citation)} (${citation.standing})\n\n${fence}\n${visible(citation.quote)}\n${fence}`;
  });
  return [
    `**${finding.severity}** ${finding.criterion}${hack}: ${markdownText(finding.claim)}`,
    ...evidence,
  ].join("\n\n");
}

/** A quote may hold a fence of its own. */
function longestTicks(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
}

/** A claim behind the place of its first citation, unless it names that file itself. */
function placed(citation: VerifiedCitation | undefined, claim: string): string {
  const known = citation === undefined || (citation.kind === "patch" && claim.includes(citation.file));
  return known ? claim : `${where(citation)} ${claim}`;
}

function where(citation: VerifiedCitation | undefined): string {
  if (citation === undefined) return "";
  if (citation.kind === "check") return `${citation.check} on ${citation.rollout}`;
  if (citation.kind === "event") return citation.event;
  return `${citation.file}:${citation.line ?? "?"}`;
}
