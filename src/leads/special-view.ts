import type { DiffLine, Workspace, WorkspaceRollout } from "../workspace/types.ts";
import { freshLines, removedLines } from "./blocks.ts";
import { peersOf, type ChangedFile } from "./change.ts";
import { taskLiterals, testLiterals, valueOf } from "./literals.ts";
import type { Language } from "./syntax/language.ts";
import { byLine, code, lex, type Token } from "./syntax/lex.ts";

/** Most added lines of one rollout in one file that are compared, so that a huge one does not stall the group. */
const MAX_LINES = 1500;

/** Added lines of one rollout in one file, as tokens, with the literals on them. */
export interface PeerLines {
  lines: Token[][];
  /** The same lines as text, layout aside. */
  texts: ReadonlySet<string>;
  /** Lines that it removes there, layout aside. */
  removed: ReadonlySet<string>;
  values: ReadonlySet<string>;
  /** Literals that something is compared with. */
  compared: ReadonlySet<string>;
}

/** What one rollout wrote in a file, line by line, and what the others wrote there. */
export interface View {
  file: ChangedFile;
  /** Lines that the rollout adds, by number. */
  fresh: Map<number, DiffLine>;
  language: Language;
  /** Tokens of the rollout's version by line, comments left out. */
  lines: Map<number, Token[]>;
  peers: PeerLines[];
  /** Literals of the visible tests, of the code that the task shows, and of the file as it was. */
  tests: ReadonlySet<string>;
  task: ReadonlySet<string>;
  old: ReadonlySet<string>;
}

/** A literal as it is compared between rollouts: its value, or how it is written where that says too little. */
export function literalOf(token: Token): string {
  return valueOf(token) ?? token.text;
}

function literalsOf(tokens: readonly Token[]): Set<string> {
  return new Set(tokens.filter((token) => token.kind === "string" || token.kind === "number").map(literalOf));
}

export const textOf = (tokens: readonly Token[]) => tokens.map((token) => token.text).join(" ");

const cache = new WeakMap<WorkspaceRollout, Map<string, PeerLines>>();

function peerLines(peer: WorkspaceRollout, path: string, language: Language): PeerLines {
  const byPath = cache.get(peer) ?? new Map<string, PeerLines>();
  cache.set(peer, byPath);
  const known = byPath.get(path);
  if (known !== undefined) return known;
  const diff = peer.files.find((file) => file.path === path);
  const fresh = diff === undefined ? [] : freshLines(diff, removedLines(peer.files));
  const lines = fresh.slice(0, MAX_LINES).map((line) => code(lex(line.text, language)));
  const made = {
    lines,
    texts: new Set(lines.map(textOf)),
    removed: removedLines(diff === undefined ? [] : [diff]),
    values: literalsOf(lines.flat()),
    compared: new Set(lines.flatMap(comparedWith).map(literalOf)),
  };
  byPath.set(path, made);
  return made;
}

/** Undefined for a file that the rollout deletes or whose language is not known. */
export async function viewOf(
  file: ChangedFile,
  rollout: WorkspaceRollout,
  workspace: Workspace,
): Promise<View | undefined> {
  const { after } = file;
  if (after?.language === undefined) return undefined;
  const { language } = after;
  return {
    file,
    fresh: new Map(file.fresh.slice(0, MAX_LINES).map((line) => [line.new ?? 0, line])),
    language,
    lines: byLine(code(after.tokens())),
    peers: peersOf(workspace, rollout).map((peer) => peerLines(peer, file.path, language)),
    tests: await testLiterals(workspace, file.path),
    task: taskLiterals(workspace.task.statement),
    old: literalsOf(file.before?.tokens() ?? []),
  };
}

/** Whether another passing rollout writes the literal in this file too. */
export function isSaid(view: View, literal: string): boolean {
  return view.peers.some((peer) => peer.values.has(literal));
}

/** Whether another passing rollout compares something with the literal in this file too. */
export function isCompared(view: View, literal: string): boolean {
  return view.peers.some((peer) => peer.compared.has(literal));
}

const COMPARES =
  /^(?:[=!]==?|[<>]=?|in|is|case|includes|startsWith|endsWith|startswith|endswith|equals|equalsIgnoreCase|has|match)$/;
const DECIDES = /^(?:if|elif|elsif|unless|while|when|case|&&|\|\||and|or|\?)$/;

export function isComparison(token: Token): boolean {
  return COMPARES.test(token.text);
}

/** Literals that a line compares something with in order to decide. */
export function comparedWith(tokens: readonly Token[]): Token[] {
  if (!tokens.some((token) => DECIDES.test(token.text))) return [];
  return tokens.filter((token, at) => {
    if (token.kind !== "string" && token.kind !== "number") return false;
    return tokens.slice(Math.max(0, at - 3), at + 2).some(isComparison);
  });
}

/**
 * Whether half of the other passing rollouts have everything that this one adds to the file except `branch`: then they
 * solve the task alike and do without it. Never true when nothing else is added.
 */
export function othersDoWithout(view: View, branch: readonly DiffLine[]): boolean {
  const texts = [...view.fresh].flatMap(([number, line]) => {
    const tokens = branch.includes(line) ? undefined : view.lines.get(number);
    return tokens === undefined ? [] : [textOf(tokens)];
  });
  const agreeing = view.peers.filter((peer) => texts.every((text) => peer.texts.has(text)));
  return texts.length > 0 && view.peers.length >= 3 && agreeing.length * 2 >= view.peers.length;
}
