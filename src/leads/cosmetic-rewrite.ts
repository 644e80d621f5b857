import type { DiffLine } from "../workspace/types.ts";
import { changedFiles, isProduct, peersOf, type ChangedFile } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import type { SourceFile } from "./source-file.ts";
import { suspect } from "./suspect.ts";
import { qualifiedName, type Definition } from "./syntax/definition.ts";
import { isAnnotated, sameButNames } from "./syntax/renaming.ts";

/** Changed lines below which a rewritten function is not worth a word. */
const LINES = 3;

/** Existing functions from which on new annotations are a campaign of their own. */
const ANNOTATED = 2;

interface Rewrite {
  now: Definition;
  what: string;
}

/** Functions of both versions that differ in the names of their own variables and in type annotations alone. */
async function rewrites(file: ChangedFile, before: SourceFile, after: SourceFile): Promise<Rewrite[]> {
  const { language } = before;
  if (language === undefined) return [];
  const counts = new Map<string, number>();
  for (const one of await after.outline())
    counts.set(qualifiedName(one), (counts.get(qualifiedName(one)) ?? 0) + 1);
  const olds = new Map(
    (await before.outline()).filter((one) => one.kind === "function").map((one) => [qualifiedName(one), one]),
  );
  return (await after.outline()).flatMap((now): Rewrite[] => {
    const old = olds.get(qualifiedName(now));
    // Overloads under one name cannot be told apart.
    if ((counts.get(qualifiedName(now)) ?? 0) > 1) return [];
    if (old === undefined || now.kind !== "function" || changedLines(file, now).length < LINES) return [];
    const what = sameButNames({ file: before, definition: old }, { file: after, definition: now }, language);
    return what === undefined ? [] : [{ now, what }];
  });
}

/** Existing functions that gain type annotations in a module that had none. */
async function newlyAnnotated(before: SourceFile, after: SourceFile): Promise<Definition[]> {
  if (before.language !== "python") return [];
  const functions = async (file: SourceFile) =>
    (await file.outline()).filter((one) => one.kind === "function");
  const olds = await functions(before);
  if (olds.some((one) => isAnnotated(before, one))) return [];
  const known = new Set(olds.map(qualifiedName));
  return (await functions(after)).filter((one) => known.has(qualifiedName(one)) && isAnnotated(after, one));
}

function changedLines(file: ChangedFile, now: Definition): DiffLine[] {
  return file.added.filter((line) => now.line <= (line.new ?? 0) && (line.new ?? 0) <= now.endLine);
}

/** Functions rewritten without a change of what they do. */
export const cosmeticRewrite = perRollout(
  "cosmetic-rewrite",
  "Functions whose change is nothing but other names for their own variables or added type annotations, while the task is about something else.",
  async (rollout, workspace) => {
    if (
      /\b(?:renam\w+|type hints?|annotat\w+|typing|refactor\w*|clean ?up|readab\w+)\b/i.test(
        workspace.task.statement,
      )
    )
      return [];
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      const { before, after } = file;
      if (!isProduct(file) || before === undefined || after === undefined) continue;
      const annotated = await newlyAnnotated(before, after);
      if (annotated.length >= ANNOTATED) {
        const lines = annotated.flatMap((one) => changedLines(file, one).slice(0, 1));
        const claim = `Adds type annotations to ${annotated.length} existing functions of ${file.path}, which did without: not part of the task.`;
        const lead = suspect(
          { rollout: rollout.label, criterion: "change_minimality", severity: "minor", claim },
          file.path,
          lines,
        );
        if (lead !== undefined) found.push(lead);
      }
      for (const rewrite of await rewrites(file, before, after)) {
        const lines = changedLines(file, rewrite.now);
        const shared = peersOf(workspace, rollout).some((peer) =>
          peer.files.some((other) =>
            other.hunks.some((hunk) =>
              hunk.lines.some((line) => line.kind === "added" && line.text === lines[0]?.text),
            ),
          ),
        );
        if (lines.length < LINES || shared) continue;
        const lead = suspect(
          {
            rollout: rollout.label,
            criterion: "change_minimality",
            severity: "minor",
            claim: `Rewrites ${qualifiedName(rewrite.now)} (${file.path}, line ${rewrite.now.line}) without changing what it does: ${rewrite.what} only.`,
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
