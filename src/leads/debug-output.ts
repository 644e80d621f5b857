import type { DiffLine, FileDiff, WorkspaceRollout } from "../workspace/types.ts";
import { changedFiles, isProduct, peersOf, type ChangedFile } from "./change.ts";
import { callsOf, PRINTS, type Call } from "./debug-calls.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { enclosing } from "./source-file.ts";
import { place, suspect } from "./suspect.ts";
import { asks, escape } from "./task-text.ts";

/** A message for the person who wrote it and no one else. */
const MARKER = /\b(?:debug(?:ging)?|dbg|xxx|here|trace|tmp|temp)\b|[=*#-]{3,}|>{2,}|<{2,}|\{\w+=\}/i;
const GUARD = /\bif\b.*\b(?:verbose|debug\w*|is_?debug|trace|quiet|silent|dev|__DEV__)\b/i;

function count(lines: readonly string[], pattern: RegExp): number {
  return lines.filter((line) => pattern.test(line)).length;
}

/** Uses from which on a module prints as a matter of course; a short module needs fewer. */
const CUSTOM = 3;

/** Whether the module already prints like this as a matter of course, judged without its `if __name__` part. */
function isCustom(file: ChangedFile, call: Call): boolean {
  const masked = file.before?.masked() ?? [];
  const main = masked.findIndex((line) => line.startsWith("if __name__"));
  const product = main === -1 ? masked : masked.slice(0, main);
  return count(product, call.pattern) >= Math.min(CUSTOM, product.length / 400 + 1);
}

/** A new file that prints at its top level or in `main` is a script: whether it belongs there is not asked here. */
async function isOwnScript(file: ChangedFile, lines: readonly DiffLine[]): Promise<boolean> {
  if (file.diff.status !== "added") return false;
  const outline = (await file.after?.outline()) ?? [];
  return lines.every((line) => /^(?:main|)$/.test(enclosing(outline, line.new ?? 0)?.name ?? ""));
}

/** Functions whose job it is to print. */
const SPEAKER =
  /^_*(?:main|usage|help|print|dump|show|display|report|list|log|warn|debug|echo|write|emit|render)/i;

async function isSpoken(file: ChangedFile, lines: readonly DiffLine[]): Promise<boolean> {
  const outline = (await file.after?.outline()) ?? [];
  return lines.every((line) => SPEAKER.test(enclosing(outline, line.new ?? 0)?.name ?? ""));
}

async function looksPersonal(file: ChangedFile, line: DiffLine): Promise<boolean> {
  if (MARKER.test(line.text)) return true;
  const name = enclosing((await file.after?.outline()) ?? [], line.new ?? 0)?.name;
  return name !== undefined && name.length > 3 && new RegExp(`["'\`].*\\b${escape(name)}\\b`).test(line.text);
}

function isGuarded(masked: readonly string[], lines: readonly DiffLine[]): boolean {
  return lines.every((line) => [1, 2].some((above) => GUARD.test(masked[(line.new ?? 0) - 1 - above] ?? "")));
}

/** Half of the other passing rollouts print like this in the same file. */
function isAgreed(file: ChangedFile, call: Call, peers: readonly WorkspaceRollout[]): boolean {
  const prints = ({ path, hunks }: FileDiff) =>
    path === file.path &&
    hunks.some((hunk) => hunk.lines.some((line) => line.kind === "added" && call.pattern.test(line.text)));
  return peers.length > 0 && peers.filter((peer) => peer.files.some(prints)).length * 2 >= peers.length;
}

/** Whether printing is what the place is for, or what the task asks for. */
async function isExpected(
  file: ChangedFile,
  call: Call,
  lines: readonly DiffLine[],
  statement: string,
): Promise<boolean> {
  if (PRINTS.test(file.path) || isCustom(file, call) || (await isSpoken(file, lines))) return true;
  return asks(statement, call.kind === "err" ? ["warn", "log", "stderr"] : ["print", "stdout", "echo"]);
}

/** Added console output, logging by hand and debugger stops in product code that did not print before. */
export const debugOutput = perRollout(
  "debug-output",
  "Debug prints, console calls and debugger stops added to product code; programs and modules that print anyway are left alone.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    const peers = peersOf(workspace, rollout);
    for (const file of await changedFiles(workspace, rollout)) {
      const { after } = file;
      if (!isProduct(file) || after?.language === undefined) continue;
      const masked = after.masked();
      for (const call of callsOf(after.language)) {
        const lines = file.fresh.filter((line) => call.pattern.test(masked[(line.new ?? 0) - 1] ?? ""));
        if (lines.length === 0 || (await isOwnScript(file, lines))) continue;
        const personal = (await Promise.all(lines.map((line) => looksPersonal(file, line)))).some(Boolean);
        const expected = !personal && (await isExpected(file, call, lines, workspace.task.statement));
        const harmless = expected || isGuarded(masked, lines) || isAgreed(file, call, peers);
        const lead = suspect(
          {
            rollout: rollout.label,
            criterion: "unintended_side_effects",
            severity: harmless && call.kind !== "stop" ? "note" : "minor",
            claim: `Adds ${call.what} ${place(file.path, lines)}: it runs for every caller and has to go before a merge.`,
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
