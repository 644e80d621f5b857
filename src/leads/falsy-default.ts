import { changedFiles, isProduct, type ChangedFile } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import type { DiffLine } from "../workspace/types.ts";
import { enclosing, type SourceFile } from "./source-file.ts";
import { place, suspect } from "./suspect.ts";
import { isScript } from "./syntax/language.ts";
import { lex } from "./syntax/lex.ts";

/** Sentences that tell a falsy value from a missing one. */
const FALSY = /(?:`|"|'|\b)(?:0|zero|false|False|""|''|empty strings?)(?:`|"|'|\b)/;
const TOLD_APART =
  /\b(?:but )?not\b|\bkeeps?\b|\bkept\b|\bvalid\b|\bdistinguish|\bdistinct\b|\bonly\b|\bexcept\b|\bunlike\b|\bpreserv|\bremains?\b|\bstays?\b/i;
const MISSING =
  /\b(?:undefined|null|None|nil|missing|absent|unset|not set|not given|omitted|fallback|default)\b/i;

function tellingSentences(statement: string): string[] {
  const parts = statement.split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)|(?<=[.!?])\s+(?=[A-Z`])/);
  return parts.filter((part) => FALSY.test(part) && TOLD_APART.test(part) && MISSING.test(part));
}

/** `x || fallback`, or `x ? x : fallback` with nothing but a name as the condition. */
const SCRIPT_DEFAULT =
  /(?:=>|\breturn|(?<![<>=!])=(?![=>])|[:(,])\s*(?:[\w$.[\]#]+\s*\|\|\s*(?![\s\w$.]*(?:[=!<>]=|[<>]))[\w$"'`[{(.]|!?\s*[\w$.#]+\s*\?(?![.?]))/;
const SCRIPT_TEST = /\bif\s*\(\s*!\s*[\w$.]+\s*\)/;
const PYTHON_DEFAULT =
  /(?:return|=|\(|,|:)\s*[\w.[\]]+\s+or\s+[\w"'[{(]|\bif\s+not\s+[\w.]+\s*(?::|else)|\bif\s+[\w.]+\s+else\b/;

function defaults(file: SourceFile, line: DiffLine): boolean {
  const masked = file.masked()[(line.new ?? 1) - 1] ?? "";
  if (file.language === undefined) return false;
  if (isScript(file.language)) return SCRIPT_DEFAULT.test(masked) || SCRIPT_TEST.test(masked);
  return (file.language === "python" || file.language === "ruby") && PYTHON_DEFAULT.test(masked);
}

/** Whether the sentence speaks of what the line is about: the enclosing function or a name on the line, as code. */
async function isMeant(file: ChangedFile, line: DiffLine, sentences: readonly string[]): Promise<boolean> {
  const { after } = file;
  if (after?.language === undefined) return false;
  const owner = enclosing(await after.outline(), line.new ?? 0);
  const names = lex(line.text, after.language)
    .filter((token) => token.kind === "name")
    .map((token) => token.text);
  const spoken = new Set(
    sentences.flatMap((sentence) =>
      [...sentence.matchAll(/`([^`]+)`/g)].flatMap((match) =>
        [...(match[1] ?? "").matchAll(/[A-Za-z_$][\w$]*/g)].map(([word]) => word),
      ),
    ),
  );
  const plain = /^(?:null|undefined|None|nil|false|true|False|True|return|value|if|or|not|else)$/;
  return [owner?.name ?? "", ...names].some((name) => spoken.has(name) && !plain.test(name));
}

/** Truth tests where the task says that zero, false or an empty text is a value. */
export const falsyDefault = perRollout(
  "falsy-default",
  "A default by truthiness in a function about which the task says that 0, false or an empty text is not missing.",
  async (rollout, workspace) => {
    const sentences = tellingSentences(workspace.task.statement);
    if (sentences.length === 0) return [];
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      const { after } = file;
      if (!isProduct(file) || after === undefined) continue;
      const lines: DiffLine[] = [];
      for (const line of file.fresh)
        if (defaults(after, line) && (await isMeant(file, line, sentences))) lines.push(line);
      const lead = suspect(
        {
          rollout: rollout.label,
          criterion: "solution_fitness",
          severity: "major",
          claim: `Takes every falsy value for a missing one (${place(file.path, lines)}), although the task says which values are to be kept.`,
        },
        file.path,
        lines,
      );
      if (lead !== undefined) found.push(lead);
    }
    return found;
  },
);
