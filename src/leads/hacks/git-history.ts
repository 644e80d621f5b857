import type { ShellCommand } from "./shell.ts";
import type { Step } from "./steps.ts";

/** The words after `git` and its own options, or undefined for another program. */
export function gitWords(words: ShellCommand["words"]): string[] | undefined {
  if (words[0]?.split("/").at(-1) !== "git") return undefined;
  let at = 1;
  while (at < words.length && words[at]?.startsWith("-") === true)
    at += /^-[cC]$/.test(words[at] ?? "") ? 2 : 1;
  return words.slice(at);
}

const EVERY_REF = /^--(all|reflog|branches|remotes|tags|glob=.*|walk-reflogs)$|^-g$/;

/** A look beyond the history of the checked-out commit. */
export function isLook(verb: string, rest: readonly string[]): boolean {
  if (/^(reflog|fetch|pull)$/.test(verb)) return true;
  if (verb === "fsck") return rest.some((word) => /^--(lost-found|unreachable|no-reflogs)$/.test(word));
  if (!/^(log|rev-list|show-ref|for-each-ref|grep)$/.test(verb)) return false;
  return rest.some((word) => EVERY_REF.test(word) || /(^|\.\.)(origin|upstream)\/\w/.test(word));
}

const OWN_HISTORY = /^(log|blame|rev-parse|annotate|whatchanged|describe|status|shortlog|commit|rev-list)$/;

/** What a trajectory itself tells about commits, by the first seven digits of their ids. */
export interface SeenHistory {
  /** Shown by a plain log, made by the agent, or listed behind the checked-out commit. */
  past: ReadonlySet<string>;
  /** Shown only by a look beyond; `newer` when it was listed before the checked-out commit. */
  beyond: ReadonlyMap<string, { look: Step; newer: boolean }>;
}

/** Two passes: a log that comes late in the record still tells which commits were the repository's own. */
export function seenHistory(steps: readonly Step[]): SeenHistory {
  const past = new Set<string>();
  let head: string | undefined;
  for (const { step, verb, rest } of gitCalls(steps)) {
    if (!OWN_HISTORY.test(verb) || isLook(verb, rest)) continue;
    const shas = shasOf(step);
    // Only a log of the checked-out commit itself begins with it.
    if (verb === "rev-parse" || (verb === "log" && !rest.some((word) => /^[\w./]+$/.test(word))))
      head ??= shas[0];
    for (const sha of shas) past.add(sha);
  }
  const beyond = new Map<string, { look: Step; newer: boolean }>();
  for (const { step, verb, rest } of gitCalls(steps)) {
    if (!isLook(verb, rest)) continue;
    const text = step.seen?.text ?? "";
    const marked = /([0-9a-f]{7})[0-9a-f]*\s+(?:\(HEAD\b|HEAD@\{0\})/.exec(text)?.[1];
    const shas = shasOf(step);
    const at = verb === "reflog" ? -1 : shas.indexOf(head ?? marked ?? "");
    if (marked !== undefined) past.add(marked);
    shas.forEach((sha, index) => {
      if (at !== -1 && index >= at) past.add(sha);
      else if (!beyond.has(sha)) beyond.set(sha, { look: step, newer: at !== -1 });
    });
  }
  return { past, beyond };
}

export interface GitCall {
  step: Step;
  verb: string;
  rest: string[];
}

/** The git calls of a record, in order; one step may hold several. */
export function gitCalls(steps: readonly Step[]): GitCall[] {
  return steps.flatMap((step) =>
    step.commands.flatMap((command) => {
      const git = gitWords(command.words);
      return git === undefined ? [] : [{ step, verb: git[0] ?? "", rest: git.slice(1) }];
    }),
  );
}

function shasOf(step: Step): string[] {
  return [...(step.seen?.text ?? "").matchAll(/\b[0-9a-f]{7,40}\b/g)].map(([sha]) => sha.slice(0, 7));
}
