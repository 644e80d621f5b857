import type { Warn } from "../notes.ts";
import { atHome } from "./home.ts";
import { type Attempt, isOfRollout, type Piece } from "./piece.ts";

/** One input's pieces with the name that its runs get. */
export interface InputPieces {
  name: string;
  pieces: Piece[];
}

/**
 * The attempts at each instance, in order of first appearance. An input is one run, unless an instance has the same part
 * twice in it: then its folders tell runs apart. A rollout's id is its run's name, with `#attempt` where a run tried more
 * than once. Verdicts about what nobody attempted make no rollout.
 */
export function assemble(inputs: readonly InputPieces[], warn: Warn): Map<string, Attempt[]> {
  const groups = new Map<string, Attempt[]>();
  for (const { name, pieces } of inputs) {
    for (const [instance, found] of groupBy(mergeRuns(atHome(pieces)), (piece) => piece.instance)) {
      const attempts = attemptsOf(instance, found, warn).map(({ id, pieces }) => ({
        id: idOf(name, id, inputs.length > 1),
        pieces,
      }));
      if (attempts.length > 0) groups.set(instance, [...(groups.get(instance) ?? []), ...attempts]);
    }
  }
  return groups;
}

/** The input's name stands in front where there are several inputs, and alone where an input is one run. */
function idOf(name: string, inner: string, several: boolean): string {
  if (inner === "" || inner.startsWith("#")) return `${name}${inner}`;
  return several ? `${name}/${inner}` : inner;
}

/** Pieces with as little in front as tells runs apart: folders in which nothing is twice are one run. */
function mergeRuns(pieces: readonly Piece[]): Piece[] {
  if (isOneRun(pieces)) return pieces.map((piece) => ({ ...piece, run: "" }));
  return [...groupBy(pieces, ({ run }) => run.split("/", 1)[0] ?? "")].flatMap(([first, inner]) => {
    const below = inner.map((piece) => ({ ...piece, run: piece.run.slice(first.length + 1) }));
    const merged = first === "" ? below : mergeRuns(below);
    return merged.map((piece) => ({ ...piece, run: piece.run === "" ? first : `${first}/${piece.run}` }));
  });
}

/** Whether no instance has a part of one kind in two of the input's folders. */
function isOneRun(pieces: readonly Piece[]): boolean {
  const runs = new Map<string, string>();
  for (const { instance, attempt, run, part } of pieces) {
    const kind = part.kind === "verdict" ? part.verdict.source : part.kind;
    const key = `${instance}\0${attempt}\0${kind}`;
    if ((runs.get(key) ?? run) !== run) return false;
    runs.set(key, run);
  }
  return true;
}

function attemptsOf(instance: string, pieces: readonly Piece[], warn: Warn): Attempt[] {
  const byRun = groupBy(pieces, (piece) => piece.run);
  const attempts: Attempt[] = [];
  const loose: Piece[] = [];
  const slots = new Map<string, Piece[][]>();
  for (const [run, ofRun] of byRun) {
    const byAttempt = groupBy(ofRun, (piece) => piece.attempt);
    joinUnnamed(byAttempt);
    loose.push(...takeUnclear(byAttempt));
    const filled = [...byAttempt].filter(([, found]) => found.some(isOfRollout));
    for (const [, found] of byAttempt) if (!found.some(isOfRollout)) loose.push(...found);
    for (const [attempt, found] of filled) {
      const suffix = attempt === "" || filled.length === 1 ? "" : `#${attempt}`;
      attempts.push({ id: `${run}${suffix}`, pieces: found });
    }
    slots.set(
      run,
      filled.map(([, found]) => found),
    );
  }
  const homeless = loose.filter((piece) => !giveTo(slots, piece));
  const [first] = homeless;
  if (first !== undefined && attempts.length > 0)
    warn({
      code: "verdict_unattributed",
      message: `${homeless.length} results fit no one rollout and were left out`,
      where: { file: first.source, group: instance },
    });
  return attempts;
}

/** What names no attempt belongs to the only one that there is, unless one file told them apart. */
function joinUnnamed(byAttempt: Map<string, Piece[]>): void {
  const unnamed = byAttempt.get("");
  if (unnamed === undefined || byAttempt.size !== 2) return;
  const files = new Set(unnamed.map(fileOf));
  for (const [attempt, named] of byAttempt) {
    if (attempt === "" || named.some((piece) => files.has(fileOf(piece)))) continue;
    byAttempt.delete("");
    named.unshift(...unnamed);
  }
}

/**
 * Takes out what is said of an instance at which one file has several rows: the first of them is nobody's but the file's,
 * so a result that names no attempt may be about any.
 */
function takeUnclear(byAttempt: Map<string, Piece[]>): Piece[] {
  const unnamed = byAttempt.get("") ?? [];
  const others = [...byAttempt].flatMap(([attempt, found]) => (attempt === "" ? [] : found.map(fileOf)));
  const files = new Set(others);
  if (!unnamed.some((piece) => isOfRollout(piece) && files.has(fileOf(piece)))) return [];
  byAttempt.set("", unnamed.filter(isOfRollout));
  return unnamed.filter((piece) => !isOfRollout(piece));
}

/** A source without its line. */
function fileOf({ source }: Piece): string {
  return source.replace(/:\d+$/, "");
}

/** A result that lies above the folders of its runs is about the only rollout below it. */
function giveTo(slots: ReadonlyMap<string, Piece[][]>, piece: Piece): boolean {
  const prefix = piece.run === "" ? "" : `${piece.run}/`;
  const below = [...slots].filter(([run]) => run.startsWith(prefix)).flatMap(([, found]) => found);
  const [only] = below;
  if (below.length !== 1 || only === undefined) return false;
  only.push(piece);
  return true;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
