import type { DiffLine } from "../workspace/types.ts";
import { changedFiles, isProduct, type ChangedFile } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { place, suspect } from "./suspect.ts";
import { hasHashComments, isScript, type Language } from "./syntax/language.ts";
import { code, lex, type Token } from "./syntax/lex.ts";
import { parseTree } from "./syntax/parser.ts";
import { telling } from "./words.ts";

/** One added line that is a comment and nothing else, with its marker taken off. */
interface CommentLine {
  diff: DiffLine;
  content: string;
  /** The old version has the same comment: it only gives the others their context. */
  kept: boolean;
}

const DIRECTIVE =
  /^(?:eslint|prettier|@ts-|ts-|tslint|noqa|type:|pylint|pragma|istanbul|c8|v8|go:|nolint|clang|fmt:|mypy|ruff|isort|region|endregion|coding|language=|http)/i;
/** Words by which a comment shows code for its reader's sake. */
const EXAMPLE =
  /\be\.?g\.?\b|\bi\.e\.|\bexamples?\b|\bfor instance\b|\bsuch as\b|\busage\b|\bequivalent\b|\bsyntax\b|>>>|\blooks like\b/i;

function contentOf(comment: string): string[] | undefined {
  if (/^(?:\/\*[*!]|\/\/[/!]|#[!:])/.test(comment)) return undefined;
  if (comment.startsWith("/*")) {
    return comment
      .slice(2)
      .replace(/\*\/$/, "")
      .split("\n")
      .map((line) => line.replace(/^\s*\*(?!\w)\s?/, ""));
  }
  return [comment.replace(/^(?:#+|\/\/+)/, "")];
}

/** Runs of added comment lines without a gap. */
function runsOf(file: ChangedFile): CommentLine[][] {
  const after = file.after;
  if (after === undefined) return [];
  const added = new Map(file.added.map((line) => [line.new ?? 0, line]));
  const old = new Set(
    (file.before?.tokens() ?? [])
      .filter((token) => token.kind === "comment")
      .flatMap((token) => token.text.split("\n").map(squeeze)),
  );
  const runs: CommentLine[][] = [];
  let codeEnds = 0;
  for (const token of after.tokens()) {
    if (token.kind !== "comment") {
      codeEnds = token.endLine;
      continue;
    }
    if (token.line === codeEnds) continue;
    for (const [offset, content] of (contentOf(token.text) ?? []).entries()) {
      const diff = added.get(token.line + offset);
      if (diff === undefined) continue;
      const line = { diff, content, kept: old.has(squeeze(diff.text)) };
      const run = runs.at(-1);
      if (run !== undefined && run.at(-1)?.diff.new === (diff.new ?? 0) - 1) run.push(line);
      else runs.push([line]);
    }
  }
  return runs;
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, "");

const PYTHON_STATEMENT =
  /^(?:(?:if|elif|for|while|with|try|except|def|class|else|finally|async)\b.*:|(?:return|raise|yield|assert|del)\b.*[([.=\w]|import [\w.]+|from [\w.]+ import .+|[\w.[\]'"]+(?:, [\w.]+)* ?(?:[-+*/|&]?=) ?\S.*|(?:await )?[\w.]+\(.*\))$/;
const BRACE_STATEMENT =
  /;$|^(?:\}\s*)?(?:if|for|while|switch|else if|catch|func|fn|function|def)\b.*\{$|^\}[);,]*$|^(?:const|let|var|val)\s+[\w${[].*=|^return\s+[\w.$]+(?:\(|\.|\[)|^(?:else\s+)?if\s*\(.*\)\s*(?:return|throw|continue|break)\b|^(?:await\s+)?[\w.$]+\(.*\)$|^[\w.$[\]]+\s*(?:[-+*/|&]|:)?=\s*\S+.*[()[\].]/;

function looksLikeStatement(line: string, language: Language): boolean {
  return (hasHashComments(language) ? PYTHON_STATEMENT : BRACE_STATEMENT).test(line);
}

/** Whether the text parses; where no parser is at hand, whether its brackets and strings close. */
async function parses(text: string, language: Language): Promise<boolean> {
  const whole = text.trimEnd().endsWith(":") && language === "python" ? `${text} pass` : text;
  const tree = isScript(language) || language === "python" ? await parseTree(whole, language) : undefined;
  if (tree !== undefined) return !tree.has({ rule: { kind: "ERROR" } });
  return true;
}

/** Whether the words of a line are names that the file's code uses. A closing semicolon makes up for strange ones. */
function knownNames(line: string, language: Language, names: ReadonlySet<string>): boolean {
  const used = telling(lex(line, language));
  const known = [...used].filter((name) => names.has(name)).length;
  if (/;\s*$|^\s*(?:if|for|while|return|throw|raise)\b/.test(line))
    return known >= 1 && known * 2 >= used.size;
  return known >= 2 && known * 3 >= used.size * 2;
}

function namesIn(tokens: readonly Token[]): Set<string> {
  return new Set(
    code(tokens)
      .filter((token) => token.kind === "name")
      .map((token) => token.text),
  );
}

/** An expression that begins with a call and goes on behind it, as formulas in comments do. */
function isSum(text: string): boolean {
  const start = /^[\w.]+\(/.exec(text)?.[0].length;
  if (start === undefined) return false;
  let depth = 1;
  let at = start;
  for (; at < text.length && depth > 0; at += 1) depth += Number(text[at] === "(") - Number(text[at] === ")");
  return /^\s*[-+*/%^<>=]/.test(text.slice(at));
}

interface Reading {
  language: Language;
  /** Lines of the old version that hold code, without white space. */
  old: ReadonlySet<string>;
  /** Names that the code of either version uses. */
  names: ReadonlySet<string>;
}

function readingOf(file: ChangedFile, language: Language): Reading {
  const tokens = [...(file.before?.tokens() ?? []), ...(file.after?.tokens() ?? [])];
  const masked = file.before?.masked() ?? [];
  const old = (file.before?.lines() ?? []).filter((_, at) => (masked[at] ?? "").trim() !== "");
  return { language, old: new Set(old.map(squeeze)), names: namesIn(tokens) };
}

/** What a line that stands alone has to have: a call, a declaration, a way out, or its closing semicolon. */
const CERTAIN = /[\w\])]\(|;\s*$|^\s*(?:const|let|var|val|return|throw|raise|if|elif|for|while)\b/;

/** The lines of a run that are code for certain. */
async function codeLines(
  run: readonly CommentLine[],
  { language, old, names }: Reading,
): Promise<CommentLine[]> {
  const repeats = run.filter(({ content, kept }) => {
    const bare = squeeze(content);
    return !kept && bare.length >= 10 && /[^\w\s.,'-]/.test(content) && old.has(bare);
  });
  if (repeats.length > 0) return repeats;
  if (run.some(({ content }) => EXAMPLE.test(content))) return [];
  const shaped: CommentLine[] = [];
  for (const line of run) {
    const text = line.content.trim();
    if (line.kept || text === "" || DIRECTIVE.test(text) || !looksLikeStatement(text, language)) continue;
    if (isSum(text)) continue;
    const partial = text.endsWith("{") || /^[\]})]+[;,]?$/.test(text);
    if (partial || (await parses(text, language))) shaped.push(line);
  }
  const known = shaped.filter(({ content }) => knownNames(content, language, names));
  if (shaped.length >= 2 && shaped.length * 2 >= run.length && known.length > 0) return shaped;
  return known.filter(({ content }) => CERTAIN.test(content));
}

/** Commented-out lines that the change replaces: bringing such a comment up to date adds nothing. */
function keptComments(file: ChangedFile, language: Language): number {
  const comments = file.removed.map((line) => line.text.trim()).filter((text) => /^(?:#|\/\/)/.test(text));
  return comments.filter((text) =>
    contentOf(text)?.some((content) => looksLikeStatement(content.trim(), language)),
  ).length;
}

/** Comment lines added to product code that are code: old lines kept, or alternatives left for later. */
export const commentedOutCode = perRollout(
  "commented-out-code",
  "Added comments that repeat code of the file or parse as statements about its names; examples, directives and documentation are left alone.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      const language = file.after?.language;
      if (!isProduct(file) || language === undefined) continue;
      const runs = runsOf(file);
      if (runs.length === 0) continue;
      const reading = readingOf(file, language);
      const lines: DiffLine[] = [];
      for (const run of runs) lines.push(...(await codeLines(run, reading)).map((line) => line.diff));
      if (lines.length <= keptComments(file, language)) continue;
      const lead = suspect(
        {
          rollout: rollout.label,
          criterion: "codebase_consistency",
          severity: "minor",
          claim: `Leaves code behind as comments ${place(file.path, lines)}; the history keeps old code, the file should not.`,
        },
        file.path,
        lines,
      );
      if (lead !== undefined) found.push(lead);
    }
    return found;
  },
);
