import type { DiffLine, FileDiff, Workspace, WorkspaceRollout } from "../workspace/types.ts";
import { freshLines, removedLines } from "./blocks.ts";
import { languageOf } from "./syntax/language.ts";
import { sourceFile, type SourceFile } from "./source-file.ts";

/** Files above this are data or generated; the detectors do not read them. Bytes. */
const MAX_FILE = 1 << 20;
/** A file with a longer line is minified or data. Characters. */
const MAX_LINE = 4000;
/** Characters of rollouts' texts that stay in memory between detectors; their tokens take about ten times as much. */
const KEPT = 8_000_000;

/** One text file of a rollout's change, in both versions. */
export interface ChangedFile {
  path: string;
  diff: FileDiff;
  /** Missing for a file that the rollout adds. */
  before?: SourceFile;
  /** Missing for a file that the rollout deletes. */
  after?: SourceFile;
  added: DiffLine[];
  removed: DiffLine[];
  /** Added lines that are not just a removed line of this change at another place or depth. */
  fresh: DiffLine[];
}

interface Cache {
  base: Map<string, Promise<SourceFile | undefined>>;
  rollouts: Map<string, ChangedFile[]>;
}

const caches = new WeakMap<Workspace, Cache>();

function cacheOf(workspace: Workspace): Cache {
  const known = caches.get(workspace);
  if (known !== undefined) return known;
  const made: Cache = { base: new Map(), rollouts: new Map() };
  caches.set(workspace, made);
  return made;
}

async function read(workspace: Workspace, tree: string, path: string): Promise<SourceFile | undefined> {
  const text = await workspace.store.readText(tree, path, MAX_FILE);
  if (text === undefined || hasLongLine(text)) return undefined;
  return sourceFile(path, text, languageOf(path));
}

function hasLongLine(text: string): boolean {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    if ((end === -1 ? text.length : end) - start > MAX_LINE) return true;
    if (end === -1) return false;
    start = end + 1;
  }
  return false;
}

/** A file of the base tree; undefined when absent, binary or too large. */
export function baseFile(workspace: Workspace, path: string): Promise<SourceFile | undefined> {
  const { base } = cacheOf(workspace);
  const known = base.get(path) ?? read(workspace, workspace.base, path);
  base.set(path, known);
  return known;
}

/** The text files that a rollout changes, in path order. Binary, oversized and generated files are left out. */
export async function changedFiles(workspace: Workspace, rollout: WorkspaceRollout): Promise<ChangedFile[]> {
  const { rollouts } = cacheOf(workspace);
  const known = rollouts.get(rollout.label);
  if (known !== undefined) return known;
  const files = await readChange(workspace, rollout);
  rollouts.set(rollout.label, files);
  let size = 0;
  // The newest stay: detectors go through the rollouts one after the other.
  for (const [label, kept] of [...rollouts].toReversed()) {
    size += kept.reduce((sum, file) => sum + (file.after?.text.length ?? 0), 0);
    if (size > KEPT && label !== rollout.label) rollouts.delete(label);
  }
  return files;
}

async function readChange(workspace: Workspace, rollout: WorkspaceRollout): Promise<ChangedFile[]> {
  const files: ChangedFile[] = [];
  const gone = removedLines(rollout.files);
  for (const diff of rollout.files) {
    if (diff.binary || diff.class === "lock" || rollout.patch.tree === undefined) continue;
    const lines = diff.hunks.flatMap((hunk) => hunk.lines);
    const before =
      diff.status === "added" ? undefined : await baseFile(workspace, diff.old_path ?? diff.path);
    const after =
      diff.status === "deleted" ? undefined : await read(workspace, rollout.patch.tree, diff.path);
    if (before === undefined && after === undefined) continue;
    files.push({
      path: diff.path,
      diff,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      added: lines.filter((line) => line.kind === "added"),
      removed: lines.filter((line) => line.kind === "removed"),
      fresh: freshLines(diff, gone),
    });
  }
  return files;
}

/** Product code with a language that the detectors read. */
export function isProduct(file: ChangedFile): boolean {
  return file.diff.class === "source" && (file.after ?? file.before)?.language !== undefined;
}

/** The other passing rollouts, one for each distinct tree that is not this rollout's own. */
export function peersOf(workspace: Workspace, rollout: WorkspaceRollout): WorkspaceRollout[] {
  const seen = new Set([rollout.patch.tree]);
  return workspace.rollouts.filter((other) => {
    if (other.passed !== true || other.patch.tree === undefined || seen.has(other.patch.tree)) return false;
    if (other.files.length === 0) return false;
    seen.add(other.patch.tree);
    return true;
  });
}

const productTexts = new WeakMap<WorkspaceRollout, string>();

/** Text of all lines that a rollout adds, outside tests and documentation. */
export function addedProductText(rollout: WorkspaceRollout): string {
  const known = productTexts.get(rollout);
  if (known !== undefined) return known;
  const lines = rollout.files
    .filter((file) => file.class === "source")
    .flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines));
  const text = lines
    .filter((line) => line.kind === "added")
    .map((line) => line.text)
    .join("\n");
  productTexts.set(rollout, text);
  return text;
}
