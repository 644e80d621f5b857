import type { PatchCitation, Standing, VerifiedCitation } from "../schema/evidence.ts";
import type { FileDiff, Workspace, WorkspaceRollout } from "../workspace/types.ts";
import { findQuote, shortQuoteHint, type Span } from "./quote.ts";

/** A citation that holds, or the sentence that tells the grader how to mend it. */
export type Checked<T> = { ok: true; value: T } | { ok: false; problem: string };

interface Candidate extends Span {
  standing: Standing;
}

/** Largest distance at which a wrong line still picks one of several occurrences, in lines. */
const NEAR = 3;

/**
 * Quote first, line second (design section 4): the quote must occur in the rollout's version of the file or in the
 * lines that it removed. One occurrence decides the line; several need a line that picks one.
 */
export async function checkPatchCitation(
  workspace: Workspace,
  rollout: WorkspaceRollout,
  citation: PatchCitation,
): Promise<Checked<VerifiedCitation>> {
  const diff = rollout.files.find((file) => file.path === citation.file || file.old_path === citation.file);
  const tree = rollout.patch.tree ?? workspace.base;
  const text = await workspace.store.readText(tree, citation.file);
  if (text === undefined && diff === undefined)
    return { ok: false, problem: `there is no text file ${citation.file} in rollout ${rollout.label}` };
  const present = text === undefined ? [] : occurrences(text, citation.quote, diff);
  const removed = diff === undefined ? [] : removedOccurrences(diff, citation.quote);
  const chosen = choose(present, removed, citation.line);
  if (typeof chosen === "string")
    return { ok: false, problem: `${citation.file}: ${chosen}${shortHint(chosen, citation)}` };
  const line = chosen.first;
  return {
    ok: true,
    value: {
      ...citation,
      line,
      standing: chosen.standing,
      ...(citation.line === undefined || citation.line === line ? {} : { corrected: true }),
    },
  };
}

function shortHint(chosen: string, citation: PatchCitation): string {
  return chosen.startsWith("the quote does not occur") ? shortQuoteHint(citation.quote) : "";
}

/** Occurrences in the rollout's version. One that touches an added line is changed, one inside a hunk context. */
function occurrences(text: string, quote: string, diff: FileDiff | undefined): Candidate[] {
  const added = new Set<number>();
  const shown = new Set<number>();
  for (const line of diff?.hunks.flatMap((hunk) => hunk.lines) ?? []) {
    if (line.new === undefined) continue;
    (line.kind === "added" ? added : shown).add(line.new);
  }
  return findQuote(text, quote).map((span) => ({
    ...span,
    standing: touches(span, added) ? "changed" : touches(span, shown) ? "context" : "untouched",
  }));
}

function touches(span: Span, lines: ReadonlySet<number>): boolean {
  for (let line = span.first; line <= span.last; line += 1) if (lines.has(line)) return true;
  return false;
}

/** Occurrences in runs of removed lines, with their numbers in the base. */
function removedOccurrences(diff: FileDiff, quote: string): Candidate[] {
  const runs: { start: number; lines: string[] }[] = [];
  for (const line of diff.hunks.flatMap((hunk) => hunk.lines)) {
    if (line.kind !== "removed" || line.old === undefined) continue;
    const run = runs.at(-1);
    if (run !== undefined && run.start + run.lines.length === line.old) run.lines.push(line.text);
    else runs.push({ start: line.old, lines: [line.text] });
  }
  return runs.flatMap((run) =>
    findQuote(run.lines.join("\n"), quote).map(({ first, last }) => ({
      first: run.start + first - 1,
      last: run.start + last - 1,
      standing: "changed" as const,
    })),
  );
}

/** The candidate that a citation means, or why there is none. What is there now goes before what was removed. */
function choose(present: Candidate[], removed: Candidate[], line: number | undefined): Candidate | string {
  const all = [...present, ...removed];
  const exact =
    line === undefined ? [] : all.filter((candidate) => candidate.first <= line && line <= candidate.last);
  const [hit] = exact;
  if (hit !== undefined) return hit;
  const pool = present.length > 0 ? present : removed;
  const [only] = pool;
  if (only === undefined) return "the quote does not occur in this rollout's version or in its removed lines";
  if (pool.length === 1) return only;
  const places = pool.map((candidate) => candidate.first);
  const listed = places.slice(0, 8).join(", ") + (places.length > 8 ? ", ..." : "");
  if (line === undefined) return `the quote occurs ${pool.length} times (lines ${listed}): give the line`;
  const near = pool.filter((candidate) => Math.abs(candidate.first - line) <= NEAR);
  const [single] = near;
  if (single !== undefined && near.length === 1) return single;
  return `the quote does not stand at line ${line}; it occurs at lines ${listed}`;
}
