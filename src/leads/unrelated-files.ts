import type { Workspace, WorkspaceRollout } from "../workspace/types.ts";
import { changedFiles, peersOf, type ChangedFile } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { parentOf, stemOf } from "./new-file.ts";
import { suspect } from "./suspect.ts";
import { lex } from "./syntax/lex.ts";
import { sameEffect } from "./syntax/neutral.ts";
import { codeParts } from "./task-text.ts";
import { contentWords, isDistinctive, overlaps, telling } from "./words.ts";

/** Most files of one change that are looked at; each is held against all others. */
const MAX_FILES = 60;

function changedText(file: ChangedFile): string {
  return [...file.added, ...file.removed].map((line) => line.text).join("\n");
}

/** Identifiers on the changed lines of a file, those of comments and strings included. */
function namesOf(file: ChangedFile): Set<string> {
  const text = changedText(file);
  const names = telling(lex(text, file.after?.language ?? file.before?.language ?? "javascript"));
  for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) if (isDistinctive(word)) names.add(word);
  return names;
}

interface Rest {
  names: Set<string>;
  words: Set<string>;
}

/** What the task and the other files of the change are about. */
function restOf(files: readonly ChangedFile[], file: ChangedFile, statement: string): Rest {
  const others = files.filter((other) => other !== file && other.diff.class !== "docs");
  const names = new Set(others.flatMap((other) => [...namesOf(other), stemOf(other.path)]));
  for (const part of codeParts(statement))
    for (const [word] of part.matchAll(/[A-Za-z_$][\w$]*/g)) if (word.length >= 3) names.add(word);
  const words = contentWords(
    [statement, ...others.map(changedText), ...others.map((other) => stemOf(other.path))].join("\n"),
  );
  return { names, words };
}

/** Whether anything ties the change of a file to the task or to the rest of the change. */
function isTied(file: ChangedFile, neutral: boolean, rest: Rest): boolean {
  const names = namesOf(file);
  if (neutral) return [...names].some((name) => isDistinctive(name) && rest.names.has(name));
  if (overlaps(names, rest.names)) return true;
  // Words of prose tie code and documentation; in settings and data they are keys that every project has.
  const written = file.diff.class === "docs" || file.diff.class === "source";
  return written && overlaps(contentWords(changedText(file)), rest.words);
}

const WHAT: Record<string, string> = {
  docs: "documentation",
  build: "a build file",
  other: "a file",
  source: "code",
};

async function judge(
  file: ChangedFile,
  files: readonly ChangedFile[],
  rollout: WorkspaceRollout,
  workspace: Workspace,
): Promise<Suspicion | undefined> {
  const { statement } = workspace.task;
  const peers = peersOf(workspace, rollout);
  const shared = peers.some((peer) => peer.files.some(({ path }) => path === file.path));
  const base = file.path.slice(parentOf(file.path).length).replace(/^\//, "");
  if (shared || statement.includes(base)) return undefined;
  const neutral =
    file.before !== undefined && file.after !== undefined && sameEffect(file.before, file.after);
  if (isTied(file, neutral, restOf(files, file, statement))) return undefined;
  const what = neutral ? "comments or layout" : (WHAT[file.diff.class] ?? "a file");
  return suspect(
    {
      rollout: rollout.label,
      criterion: "change_minimality",
      // Without another passing rollout nothing says that the task can be done without this file, unless the code stays as it is.
      severity: neutral || peers.length > 0 ? "minor" : "note",
      claim: `Changes ${what} in ${file.path}, which neither the task nor the rest of the change has to do with${peers.length > 0 ? "; no other passing rollout touches the file" : ""}.`,
    },
    file.path,
    // Where only blank lines changed, a line beside them has to stand for them.
    [...file.added, ...file.removed, ...file.diff.hunks.flatMap((hunk) => hunk.lines)],
  );
}

/** Edits of existing files that have no connection to the task, to the rest of the change or to what the others did. */
export const unrelatedFiles = perRollout(
  "unrelated-files",
  "Existing files edited without any name or word in common with the task and the rest of the change, and untouched by the other passing rollouts.",
  async (rollout, workspace) => {
    const files = await changedFiles(workspace, rollout);
    const found: Suspicion[] = [];
    for (const file of files.slice(0, MAX_FILES)) {
      const { status } = file.diff;
      const elsewhere = files.some((other) => other !== file && other.diff.class === "source");
      if (!elsewhere || status === "added" || file.diff.class === "test" || file.diff.class === "test_config")
        continue;
      const lead = await judge(file, files, rollout, workspace);
      if (lead !== undefined) found.push(lead);
    }
    return found;
  },
);
