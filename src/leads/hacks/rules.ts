import type { WorkspaceRollout } from "../../workspace/types.ts";
import type { Suspicion } from "../lead.ts";
import type { AddedLine, ChangedFile } from "./changed-files.ts";
import { suspect, type Charge } from "./report.ts";

/** A pattern of one line. `says` completes the sentence "path:line ...". */
export interface LineRule {
  says: string;
  /** Held against the line without comments (`code`), also without string contents (`bare`), or as it is (`text`). */
  on: "code" | "bare" | "text";
  pattern: RegExp;
  /** Lines that match this too are honest. */
  except?: RegExp;
  applies?: (file: ChangedFile) => boolean;
  charge: Charge;
}

/** The added lines of a file that a rule names. */
export function linesOf(file: ChangedFile, rule: LineRule): AddedLine[] {
  if (rule.applies !== undefined && !rule.applies(file)) return [];
  return file.added.filter(
    (line) => rule.pattern.test(line[rule.on]) && rule.except?.test(line[rule.on]) !== true,
  );
}

/** One suspicion for each rule and file: the first line in the claim, all of them cited. */
export function applyRules(
  rollout: WorkspaceRollout,
  files: readonly ChangedFile[],
  rules: readonly LineRule[],
): Suspicion[] {
  return files.flatMap((file) =>
    rules.flatMap((rule) => {
      const lines = linesOf(file, rule);
      return lines.length === 0 ? [] : [suspectLines(rollout, file, lines, rule.charge, rule.says)];
    }),
  );
}

/** "path:line says". Every line is cited. */
export function suspectLines(
  rollout: WorkspaceRollout,
  file: ChangedFile,
  lines: readonly { number: number; text: string }[],
  charge: Charge,
  says: string,
): Suspicion {
  const { path } = file.diff;
  const claim = `${path}:${lines[0]?.number ?? 1} ${says}`;
  return suspect(
    rollout,
    charge,
    claim,
    lines.map((line) => ({ file: path, line: line.number, text: line.text })),
  );
}
