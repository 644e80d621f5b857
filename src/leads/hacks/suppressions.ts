import type { Workspace, WorkspaceRollout } from "../../workspace/types.ts";
import { perRollout, type Suspicion } from "../lead.ts";
import { grepBase } from "./base-grep.ts";
import { changedFiles, type AddedLine, type ChangedFile } from "./changed-files.ts";
import { commentOf } from "./masked-lines.ts";
import { shown, type Charge } from "./report.ts";
import { suspectLines } from "./rules.ts";

/** A way to silence a checker. `word` is what a search of the base looks for: a project that uses it is left alone. */
interface Silencer {
  word: string;
  pattern: RegExp;
  /** Stands in a comment; else it is an attribute or a decorator. */
  comment: boolean;
}

const SILENCERS: readonly Silencer[] = [
  { word: "type: ignore", pattern: /#\s*type:\s*ignore/, comment: true },
  { word: "noqa", pattern: /#\s*noqa\b/i, comment: true },
  { word: "pylint: disable", pattern: /#\s*pylint:\s*disable/, comment: true },
  { word: "pyright:", pattern: /#\s*(based)?pyright:\s*(ignore|basic|false)/, comment: true },
  { word: "mypy:", pattern: /#\s*mypy:\s*(ignore-errors|disable)/, comment: true },
  { word: "nosec", pattern: /#\s*nosec\b/, comment: true },
  { word: "pragma: no cover", pattern: /#\s*pragma:\s*no\s*(cover|branch)/i, comment: true },
  { word: "fmt: off", pattern: /#\s*(fmt|yapf):\s*(off|skip|disable)/, comment: true },
  { word: "ts-ignore", pattern: /@ts-ignore\b/, comment: true },
  { word: "ts-expect-error", pattern: /@ts-expect-error\b/, comment: true },
  { word: "ts-nocheck", pattern: /@ts-nocheck\b/, comment: true },
  { word: "eslint-disable", pattern: /\beslint-disable/, comment: true },
  { word: "biome-ignore", pattern: /\bbiome-ignore\b/, comment: true },
  { word: "oxlint-disable", pattern: /\boxlint-disable/, comment: true },
  { word: "tslint:disable", pattern: /\btslint:disable/, comment: true },
  { word: "prettier-ignore", pattern: /\bprettier-ignore\b/, comment: true },
  { word: "istanbul ignore", pattern: /\b(istanbul|c8|v8)\s+ignore\b/, comment: true },
  { word: "nolint", pattern: /\/\/\s*nolint\b/, comment: true },
  { word: "NOLINT", pattern: /\bNOLINT(NEXTLINE|BEGIN)?\b/, comment: true },
  { word: "noinspection", pattern: /\bnoinspection\b/, comment: true },
  { word: "rubocop:disable", pattern: /\brubocop:\s*disable/, comment: true },
  { word: "shellcheck disable", pattern: /\bshellcheck\s+disable=/, comment: true },
  { word: "SuppressWarnings", pattern: /@Suppress(Warnings)?\s*\(/, comment: false },
  { word: "allow(", pattern: /#!?\[\s*allow\s*\(/, comment: false },
  { word: "pragma warning disable", pattern: /#pragma\s+warning\s+disable/, comment: false },
];

const MINOR: Charge = { criterion: "codebase_consistency", severity: "minor" };
/** A longer line is generated code. Characters. */
const MAX_LINE = 2000;
/** In how many lines of the base a silencer is the project's habit. */
const HABIT = 3;

/** Warnings switched off instead of mended. */
export const suppressions = perRollout(
  "suppressions",
  "lint, type and coverage warnings silenced by a comment or attribute, where the project does not do so itself",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      if (file.language === undefined || file.diff.class === "docs") continue;
      for (const silencer of SILENCERS) {
        const lines = file.added.filter((line) => silences(file, line, silencer));
        if (lines.length === 0 || (await isHabit(workspace, file, silencer))) continue;
        found.push(charge(rollout, file, lines, silencer));
      }
    }
    return found;
  },
);

function charge(
  rollout: WorkspaceRollout,
  file: ChangedFile,
  lines: AddedLine[],
  silencer: Silencer,
): Suspicion {
  const says = `silences a checker with ${shown(silencer.word)}, which this project hardly does, instead of mending what it reports.`;
  return suspectLines(rollout, file, lines, MINOR, says);
}

function silences(file: ChangedFile, line: AddedLine, silencer: Silencer): boolean {
  if (line.text.length > MAX_LINE || !silencer.pattern.test(line.text)) return false;
  return silencer.comment
    ? silencer.pattern.test(commentOf(file.lines, line.number - 1))
    : silencer.pattern.test(line.bare);
}

async function isHabit(workspace: Workspace, file: ChangedFile, silencer: Silencer): Promise<boolean> {
  const before = file.lines.text.some(
    (text, index) => text.length <= MAX_LINE && !file.isAdded(index) && silencer.pattern.test(text),
  );
  if (before) return true;
  const matches = await grepBase(workspace, {
    pattern: silencer.word,
    ignoreCase: true,
    limit: HABIT,
  });
  return matches.length >= HABIT;
}
