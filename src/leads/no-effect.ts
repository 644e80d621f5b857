import type { DiffLine } from "../workspace/types.ts";
import { changedFiles, isProduct } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import type { SourceFile } from "./source-file.ts";
import { place, suspect } from "./suspect.ts";
import { isIndented, type Language } from "./syntax/language.ts";
import { bracketDepths } from "./syntax/mask.ts";

/** A language that asks for parentheses around a condition has none of Python's words in it. */
const CONSTANT_CONDITION =
  /^\s*(?:\}?\s*else\s+|el)?if\s*(?:\(\s*)?(?:true|false|True|False|0|1|null|None|nil)\s*(?:\)\s*\{?|:|\{)\s*$|\b(?:while)\s*\(?\s*(?:false|False|0)\s*[):{]|(?:&&|\band\b)\s*(?:false|False)\b|(?:\|\||\bor\b)\s*(?:true|True)\b(?!\s*(?:in|is|==))/;
const SELF_ASSIGNMENT = /^\s*((?:this\.|self\.)?[\w$]+(?:\.[\w$]+)*)\s*=\s*\1\s*;?\s*$/;
const LEAVES =
  /^\s*(?:return\b|throw\b|raise\b|continue\b|break\b|panic!?\(|process\.exit\(|sys\.exit\(|os\._exit\()/;
const OPEN_ENDED = /(?:[([{,\\+\-*/%=<>&|?:.]|\b(?:and|or|not|in|is|if|else|return|throw|raise))\s*$/;
const STARTS_ELSEWHERE =
  /^\s*(?:[})\]]|case\b|default\b|else\b|elif\b|except\b|catch\b|finally\b|end\b|when\b|rescue\b|ensure\b|(?:async\s+)?function\b|class\b|def\b|func\b|fn\b|@|#|\w+:\s*$|[.?&|+\-*/%=<>:)]|;;|yield\b|and\b|or\b)/;

const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? "";

function balanced(line: string): boolean {
  let depth = 0;
  for (const char of line) {
    if (/[([{]/.test(char)) depth += 1;
    else if (/[)\]}]/.test(char)) depth -= 1;
  }
  return depth === 0;
}

/** Whether the statement on line `index` runs whenever its block does: no condition on the line above governs it alone. */
function isUnconditional(masked: readonly string[], index: number, language: Language): boolean {
  if (isIndented(language) || language === "ruby")
    return !/\b(?:if|unless)\b/.test(masked[index] ?? "") || isIndented(language);
  const above = masked.slice(0, index).findLast((line) => line.trim() !== "") ?? "{";
  return /[{};]\s*$/.test(above) || /^\s*(?:case\b.*|default\s*):\s*$/.test(above);
}

/** The line that a leaving statement on line `index` makes unreachable, as an index. */
function unreachableAfter(masked: readonly string[], index: number, language: Language): number | undefined {
  const line = masked[index] ?? "";
  if (!LEAVES.test(line) || !balanced(line) || OPEN_ENDED.test(line.replace(/;\s*$/, ""))) return undefined;
  if (!isUnconditional(masked, index, language)) return undefined;
  const next = masked.findIndex((other, at) => at > index && other.trim() !== "");
  const below = masked[next];
  if (below === undefined || indentOf(below) !== indentOf(line) || STARTS_ELSEWHERE.test(below))
    return undefined;
  return next;
}

interface Idle {
  what: string;
  lines: DiffLine[];
}

function idleLines(
  file: SourceFile,
  added: readonly DiffLine[],
  language: Language,
  inClassBody: (line: number) => boolean,
): Idle[] {
  const masked = file.masked();
  const depth = bracketDepths(masked, language);
  const at = (line: DiffLine) => (line.new ?? 1) - 1;
  const isAdded = new Map(added.map((line) => [at(line), line]));
  const self = added.filter((line) => {
    const here = at(line);
    const continues = /^\s*(?:[.?&|+\-*/%,]|=[^=])/.test(masked[here + 1] ?? "");
    return (
      depth[here] === 0 && !continues && SELF_ASSIGNMENT.test(masked[here] ?? "") && !inClassBody(here + 1)
    );
  });
  const constant = added.filter((line) => CONSTANT_CONDITION.test(masked[at(line)] ?? ""));
  const unreachable: DiffLine[] = [];
  for (const line of added) {
    for (const from of [at(line), masked.slice(0, at(line)).findLastIndex((text) => text.trim() !== "")]) {
      const dead = unreachableAfter(masked, from, language);
      const shown = dead === undefined ? undefined : (isAdded.get(dead) ?? isAdded.get(from));
      if (shown !== undefined && (from === at(line) || dead === at(line)) && depth[from] === 0)
        unreachable.push(shown);
    }
  }
  return [
    { what: "assigns a variable to itself", lines: self },
    { what: "tests a condition that is always the same", lines: constant },
    {
      what: "stands after a statement that always leaves the block, so it never runs",
      lines: [...new Set(unreachable)],
    },
  ];
}

/** Added statements that do nothing or never run. */
export const noEffect = perRollout(
  "no-effect",
  "Self-assignments, constant conditions and statements behind a return, raise, throw, break or continue.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      const language = file.after?.language;
      if (!isProduct(file) || file.after === undefined || language === undefined || language === "shell")
        continue;
      const outline = await file.after.outline();
      const inClassBody = (line: number) =>
        outline.findLast((definition) => definition.line <= line && line <= definition.endLine)?.kind ===
        "class";
      for (const { what, lines } of idleLines(file.after, file.fresh, language, inClassBody)) {
        const lead = suspect(
          {
            rollout: rollout.label,
            criterion: "implementation_precision",
            severity: "minor",
            claim: `An added statement ${what} (${place(file.path, lines)}).`,
          },
          file.path,
          lines,
        );
        if (lead !== undefined) found.push(lead);
      }
    }
    return found;
  },
);
