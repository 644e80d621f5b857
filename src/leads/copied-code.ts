import type { DiffLine, Workspace, WorkspaceRollout } from "../workspace/types.ts";
import type { ChangedFile } from "./change.ts";
import { newDefinitions } from "./definitions.ts";
import { helpersNear, type Helper } from "./helper-index.ts";
import { enclosing } from "./source-file.ts";
import { code, lex, type Token } from "./syntax/lex.ts";
import { normalBody, type Normal } from "./syntax/normal-form.ts";
import { qualifiedName } from "./syntax/definition.ts";
import { TELLING, tellingParts } from "./syntax/patterns.ts";
import { matchAt } from "./syntax/template-match.ts";

/** Shortest body that counts as a copy when it is the same, and when it is nearly the same. Tokens. */
const SAME = 12;
const SAME_SHORT = 8;
const ALIKE = 40;
const ALIKE_SHARE = 0.85;

const shingled = new WeakMap<readonly Normal[], Set<string>>();

function shingles(body: readonly Normal[]): Set<string> {
  const known = shingled.get(body);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (let at = 0; at + 4 <= body.length; at += 1) found.add(keyOf(body.slice(at, at + 4)));
  shingled.set(body, found);
  return found;
}

const keyOf = (parts: readonly Normal[]) => parts.map((part) => part.text).join(" ");

/** Whether one body is another, whatever its own names are. */
function isSame(body: readonly Normal[], helper: readonly Normal[]): boolean {
  const long = body.length >= SAME || (body.length >= SAME_SHORT && tellingParts(body) >= TELLING);
  return long && body.length === helper.length && keyOf(body) === keyOf(helper);
}

/** Whether one body is much like another. Functions of one family are, so this is for information. */
function isAlike(body: readonly Normal[], helper: readonly Normal[]): boolean {
  const [short, long] = [Math.min(body.length, helper.length), Math.max(body.length, helper.length)];
  if (short < ALIKE || short < ALIKE_SHARE * long) return false;
  const [mine, theirs] = [shingles(body), shingles(helper)];
  let shared = 0;
  for (const shingle of mine) if (theirs.has(shingle)) shared += 1;
  return shared / Math.max(mine.size, theirs.size) >= ALIKE_SHARE;
}

/** Whether code inside `scope` could call the helper. */
function isInReach(helper: Helper, path: string, scope: readonly string[]): boolean {
  const { parents, local, exported } = helper.definition;
  if (parents.length === 0) return true;
  // Where every function belongs to a class, a public one is as good as a free one.
  if (exported && /^(?:java|csharp)$/.test(helper.file.language ?? "")) return true;
  if (helper.file.path !== path) return false;
  return local ? parents.every((name, at) => scope[at] === name) : parents[0] === scope[0];
}

/** Whether the rollout takes the helper away or rewrites it: then the code has moved and is no copy. */
function isMoved(helper: Helper, rollout: WorkspaceRollout): boolean {
  const { line } = helper.definition;
  const file = rollout.files.find(({ path, old_path: old }) => (old ?? path) === helper.file.path);
  return (
    file !== undefined &&
    (file.status === "deleted" ||
      file.hunks.some((hunk) => hunk.lines.some((each) => each.kind === "removed" && each.old === line)))
  );
}

/** Added lines that repeat a helper. `what` begins the sentence that says so. */
export interface Copy {
  severity: "minor" | "note";
  helper: Helper;
  lines: DiffLine[];
  what: string;
}

async function copiedFunctions(
  file: ChangedFile,
  helpers: readonly Helper[],
  rollout: WorkspaceRollout,
): Promise<Copy[]> {
  const { after } = file;
  if (after?.language === undefined) return [];
  const { language } = after;
  return (await newDefinitions(file)).flatMap((definition): Copy[] => {
    if (definition.kind !== "function" || definition.inherits) return [];
    const body = normalBody(after.tokens(), definition, language);
    const near = helpers.filter(
      (each) => isInReach(each, file.path, definition.parents) && !isMoved(each, rollout),
    );
    const same = near.filter((each) => isSame(body, each.body));
    const alike = same.length > 0 ? same : near.filter((each) => isAlike(body, each.body));
    const [helper] = alike;
    // What the base itself has twice already is how it is done here.
    if (helper === undefined || alike.length > 1) return [];
    const severity = same.length > 0 ? "minor" : "note";
    const lines = file.added.filter(
      (line) => definition.line <= (line.new ?? 0) && (line.new ?? 0) <= definition.endLine,
    );
    return [{ severity, helper, lines, what: `The added function ${qualifiedName(definition)} repeats` }];
  });
}

/** Added code as runs of tokens without a gap. */
function addedRuns(file: ChangedFile): Token[][] {
  const fresh = new Set(file.fresh.map((line) => line.new));
  const runs: Token[][] = [];
  let open = false;
  for (const token of code(file.after?.tokens() ?? [])) {
    if (!fresh.has(token.line)) open = false;
    else if (open) runs.at(-1)?.push(token);
    else {
      runs.push([token]);
      open = true;
    }
  }
  return runs;
}

function occurs(
  pattern: readonly Normal[],
  runs: readonly (readonly Token[])[],
): { first: number; last: number } | undefined {
  for (const run of runs) {
    for (const at of run.keys()) {
      const end = matchAt(pattern, run, at);
      if (end !== undefined) return { first: run[at]?.line ?? 0, last: run[end - 1]?.line ?? 0 };
    }
  }
  return undefined;
}

/** Whether the base has the same form in several functions: then it is an idiom and no helper. */
function isWidespread(pattern: readonly Normal[], helpers: readonly Helper[]): boolean {
  const key = keyOf(pattern);
  return (
    helpers.filter((helper) =>
      helper.patterns.some((other) => other.length === pattern.length && keyOf(other) === key),
    ).length > 1
  );
}

async function copiedExpressions(
  file: ChangedFile,
  helpers: readonly Helper[],
  rollout: WorkspaceRollout,
): Promise<Copy[]> {
  const { after } = file;
  if (after?.language === undefined) return [];
  const runs = addedRuns(file);
  const words = new Set(
    runs.flatMap((run) => run.map((token) => token.text.replaceAll(/^["'`]|["'`]$/g, '"'))),
  );
  const removed = [code(lex(file.removed.map((line) => line.text).join("\n"), after.language))];
  const outline = await after.outline();
  const found: Copy[] = [];
  for (const helper of helpers) {
    for (const pattern of helper.patterns) {
      if (!pattern.every((part) => part.text.startsWith("$") || words.has(part.text))) continue;
      if (isWidespread(pattern, helpers)) continue;
      const place = occurs(pattern, runs);
      if (place === undefined || isMoved(helper, rollout) || occurs(pattern, removed) !== undefined) continue;
      const owner = enclosing(outline, place.first);
      const scope = owner === undefined ? [] : [...owner.parents, owner.name];
      if (!isInReach(helper, file.path, scope) || scope.join(".") === qualifiedName(helper.definition))
        continue;
      const lines = file.added.filter(
        (line) => place.first <= (line.new ?? 0) && (line.new ?? 0) <= place.last,
      );
      found.push({
        severity: "minor",
        helper,
        lines,
        what: `The added code in ${file.path}, line ${place.first}, writes out`,
      });
      break;
    }
  }
  return found;
}

/** For people: the helper and where it stands. */
export function describe({ file, definition }: Helper): string {
  return `${qualifiedName(definition)} (${file.path}, line ${definition.line})`;
}

/** What a rollout adds to a file although a helper within reach has it: whole functions, and forms written out. */
export async function copiesIn(
  file: ChangedFile,
  rollout: WorkspaceRollout,
  workspace: Workspace,
): Promise<Copy[]> {
  const helpers = await helpersNear(workspace, file.diff.old_path ?? file.path);
  const functions = await copiedFunctions(file, helpers, rollout);
  const expressions = await copiedExpressions(file, helpers, rollout);
  const taken = (copy: Copy) =>
    functions.some((other) => other.lines.some((line) => copy.lines.includes(line)));
  return [...functions, ...expressions.filter((copy) => !taken(copy))];
}
