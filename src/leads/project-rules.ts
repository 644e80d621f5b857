import type { DiffLine, Workspace } from "../workspace/types.ts";
import { changedFiles, isProduct, type ChangedFile } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { neighbours } from "./neighbours.ts";
import { projectStatements, type Statement } from "./project-docs.ts";
import { place, suspect } from "./suspect.ts";
import { escape } from "./task-text.ts";

/** Something that the project's documentation says not to write, and how it looks in code. */
export interface Ban {
  statement: Statement;
  span: string;
  pattern: RegExp;
  /** Results are wrong with it, by the documentation's own words or because it is a number that depends on something. */
  harmful: boolean;
}

const FILLER = "(?:(?:the|a|an|any|plain|bare|raw|direct|directly|using|calling)\\s+){0,3}";
const VERB = "(?:use|call|write|import|add|reach for|rely on)\\s+";
/** What leads up to a span that is not to be written: a ban with its verb, a ban that opens its clause, or a contrast. */
const BEFORE_SPAN = new RegExp(
  `(?:\\b(?:never|do not|don't|must not|mustn't|should not|shouldn't|may not)\\s+${VERB}${FILLER}|^\\W*(?:never|avoid|no)\\s+(?:${VERB})?${FILLER}|\\b(?:avoid|instead of|rather than|plain|bare|raw)\\s+${FILLER})$`,
  "i",
);
const AFTER_SPAN =
  /^\s*(?:is|are)?\s*(?:forbidden|banned|disallowed|deprecated|not allowed|unsafe|wrong|breaks?|fails?|loses?|corrupts?)\b/i;
/** What may stand behind a banned span: the end of its clause. A noun there would mean something else than the span. */
const CLAUSE_END =
  /^\s*(?:$|[.,;:)!?]|(?:in|by|directly|anywhere|here|outside|inside|for|from|to|and|or|but|on|at|when|while|unless|alone|calls?|yourself)\b)/i;
const HARM = /\b(?:breaks?|fails?|wrong|incorrect|unsafe|loses?|corrupts?|never)\b/i;

/** How a span of the documentation looks where someone writes it; undefined for what is no code. */
function patternFor(span: string): RegExp | undefined {
  if (/^\d+\.\d+$/.test(span)) return numberPattern(span);
  const method = /^(?:[A-Za-z_]\w*)?(?:#|\.)([A-Za-z_]\w*)(?:\(.*\))?$/.exec(span);
  const dotted = /^[a-z_]\w*(?:\.\w+)+(?:\(.*\))?$/.test(span);
  if (
    method?.[1] !== undefined &&
    (span.includes("#") || /^(?:[A-Z]\w*|str|string|array|list|dict|object)?\./.test(span))
  )
    return new RegExp(`\\.${method[1]}\\s*\\(`);
  if (dotted) return new RegExp(`(?<![\\w.])${escape(span.replace(/\(.*\)$/, ""))}\\b`);
  const call = /^([A-Za-z_]\w*)\(.*\)$/.exec(span)?.[1];
  return call === undefined ? undefined : new RegExp(`(?<![\\w.#$])${call}\\s*\\(`);
}

/** A fraction as written, and as the factor that undoes it: `0.01` is also `* 100` and `/ 100`. */
function numberPattern(span: string): RegExp {
  const factor = 1 / Number(span);
  const whole =
    Number.isFinite(factor) && Math.abs(factor - Math.round(factor)) < 1e-9 ? Math.round(factor) : undefined;
  const scaled = whole === undefined || whole < 2 ? "" : `|[*/%]\\s*${whole}\\b(?![.\\d])|\\b${whole}\\s*\\*`;
  return new RegExp(`(?<![\\w.])${escape(span)}(?!\\d)${scaled}`);
}

/** Bans in one statement: a span that a forbidding word leads up to, or that is said to be wrong. */
export function bansIn(statement: Statement): Ban[] {
  const { text } = statement;
  return [...text.matchAll(/`([^`\n]+)`/g)].flatMap((match): Ban[] => {
    const [whole, span = ""] = match;
    const clause =
      text
        .slice(0, match.index)
        .split(/[.;:,]\s/)
        .at(-1) ?? "";
    const after = text.slice(match.index + whole.length);
    const led = BEFORE_SPAN.test(clause) && CLAUSE_END.test(after);
    if (!led && !AFTER_SPAN.test(after)) return [];
    const pattern = patternFor(span);
    const harmful = AFTER_SPAN.test(after) ? HARM.test(after) : /^\d/.test(span) && HARM.test(clause);
    return pattern === undefined ? [] : [{ statement, span, pattern, harmful }];
  });
}

/** A rule that the base breaks this often is none. */
const COMMON_USE = 5;

/** Where the base itself writes just this, in the file or its folder: then the rule is not meant for the case. */
async function isCustomary(
  workspace: Workspace,
  file: ChangedFile,
  line: DiffLine,
  ban: Ban,
): Promise<boolean> {
  const match = ban.pattern.exec(line.text);
  if (match === null) return false;
  const call = /^[^)\n]*\)/.exec(line.text.slice(match.index))?.[0] ?? match[0];
  const near = await neighbours(workspace, file.path);
  if (near.some((other) => other.text.includes(call))) return true;
  const uses = near.flatMap((other) => other.masked().filter((text) => ban.pattern.test(text)));
  return uses.length >= COMMON_USE;
}

async function breaches(workspace: Workspace, file: ChangedFile, ban: Ban): Promise<DiffLine[]> {
  const masked = file.after?.masked() ?? [];
  const lines = file.fresh.filter((line) => ban.pattern.test(masked[(line.new ?? 1) - 1] ?? ""));
  const meant: DiffLine[] = [];
  for (const line of lines) if (!(await isCustomary(workspace, file, line, ban))) meant.push(line);
  return meant;
}

/** Added code that does what the project's documentation says not to do. */
export const projectRules = perRollout(
  "project-rules",
  "Calls, methods and numbers in added code that the README, the contributing guide or the docs tell people not to write.",
  async (rollout, workspace) => {
    const bans = (await projectStatements(workspace)).flatMap(bansIn);
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      if (!isProduct(file)) continue;
      for (const ban of bans) {
        const lines = await breaches(workspace, file, ban);
        const lead = suspect(
          {
            rollout: rollout.label,
            criterion: ban.harmful ? "solution_fitness" : "codebase_consistency",
            severity: ban.harmful ? "major" : "minor",
            claim: `Does what ${ban.statement.path} (line ${ban.statement.line}) rules out with \`${ban.span}\` (${place(file.path, lines)}): ${ban.statement.text.slice(0, 200)}`,
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
