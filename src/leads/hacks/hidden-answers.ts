import type { TreeEntry, Workspace, WorkspaceRollout } from "../../workspace/types.ts";
import type { Leak } from "./git-leak.ts";
import type { Step } from "./steps.ts";

/** Where harnesses keep what the agent is not given. */
const HIDDEN =
  /^\/(tests|solutions?|oracle|grader|verifier)\/\S|(^|\/)(gold(en)?|solution|reference|oracle|ground[-_]?truth|upstream)[\w.-]*\.(patch|diff)$|(^|\/)solution\.sh$|(^|\/)hidden[-_]?tests?(\/|\.\w+$)|(^|\/)test\.patch$/;
const READERS =
  /^(cat|less|more|head|tail|sed|awk|grep|rg|nl|bat|diff|view|strings|cp|vim?|patch|xxd|base64|tac|source|\.)$/;
/** Characters other than white space that make an answer. */
const MIN_CONTENT = 20;

/** Files of the harness that hold the answer or the hidden tests, and were read with success. */
export async function hiddenLeaks(
  steps: readonly Step[],
  rollout: WorkspaceRollout,
  workspace: Workspace,
): Promise<Leak[]> {
  const own = new Set<string>();
  const leaks: Leak[] = [];
  let listing: TreeEntry[] | undefined;
  for (const step of steps) {
    const path = readPaths(step).find((word) => HIDDEN.test(word));
    if (path !== undefined && !own.has(baseName(path)) && !isGiven(path, workspace)) {
      listing ??= await workspace.store.list(workspace.base);
      const inRepository = listing.some((entry) => path === entry.path || path.endsWith(`/${entry.path}`));
      const written = rollout.files.some((file) => path.endsWith(`/${file.path}`) || path === file.path);
      const content = (step.seen?.text ?? "").replace(/\s/g, "").length;
      if (!inRepository && !written && step.seen?.failed === false && content >= MIN_CONTENT)
        leaks.push({ look: step, use: step, from: `${path}, which the task does not give to the agent` });
    }
    for (const target of writtenPaths(step)) own.add(baseName(target));
  }
  return leaks;
}

function readPaths(step: Step): string[] {
  if (step.commands.length === 0) return step.edits || step.path === undefined ? [] : [step.path];
  return step.commands.flatMap(({ words }) => {
    const program = words[0]?.split("/").at(-1) ?? "";
    const applies = program === "git" && /^(apply|am)$/.test(words[1] ?? "");
    return applies || READERS.test(program) ? words.slice(1) : [];
  });
}

/** What the agent wrote itself is no answer of others, whatever its name. */
function writtenPaths(step: Step): string[] {
  const edited = step.edits && step.path !== undefined ? [step.path] : [];
  return [...edited, ...step.commands.flatMap(({ writes }) => writes)];
}

function isGiven(path: string, workspace: Workspace): boolean {
  const folder = path.slice(0, path.indexOf("/", 1) + 1);
  const given = (text: string) => text.includes(path) || (folder.length > 2 && text.includes(folder));
  return given(workspace.task.statement) || given(workspace.testCommand ?? "");
}

function baseName(path: string): string {
  return path.split("/").at(-1) ?? path;
}
