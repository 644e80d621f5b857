import { basename, dirname, sep } from "node:path";
import { isOfRollout, type Piece } from "./piece.ts";

/**
 * The SWE-bench harness writes its reports apart from the predictions that they are about: `<model>.<run>.json`, and
 * `logs/run_evaluation/<run>/<model>/<instance>/`. What lies there belongs to the run whose predictions name that model,
 * where one does and no other.
 */
export function atHome(pieces: readonly Piece[]): Piece[] {
  const runs = runsByModel(pieces);
  if (runs.size === 0) return [...pieces];
  return pieces.map((piece) => {
    const run = piece.model === undefined ? homeOf(piece, runs) : undefined;
    return run === undefined ? piece : { ...piece, run };
  });
}

/**
 * Inputs that hold nothing but results go to the input that they are about: the one whose predictions name their model,
 * else the only one that lies in the same folder. Others stay as they are.
 */
export function withResults<Input extends { folder: string; pieces: Piece[] }>(
  inputs: readonly Input[],
): Input[] {
  const isResults = ({ pieces }: Input): boolean => !pieces.some(isOfRollout);
  const others = inputs.filter((input) => !isResults(input));
  const given = new Map<Input, Piece[]>();
  const left = inputs.filter((input) => {
    if (!isResults(input)) return true;
    const [first] = input.pieces;
    const named = others.filter(
      ({ pieces }) => first !== undefined && homeOf(first, runsByModel(pieces)) !== undefined,
    );
    const beside = others.filter(({ folder }) => folder === input.folder);
    const [home, ...more] = named.length > 0 ? named : beside;
    if (home === undefined || more.length > 0) return true;
    given.set(home, [...(given.get(home) ?? []), ...input.pieces]);
    return false;
  });
  return left.map((input) => {
    const results = given.get(input);
    return results === undefined ? input : { ...input, pieces: [...input.pieces, ...results] };
  });
}

/** By the name that harnesses make of a model's: the only run whose predictions have it; null where there are several. */
function runsByModel(pieces: readonly Piece[]): Map<string, string | null> {
  const runs = new Map<string, string | null>();
  for (const { model, run } of pieces) {
    if (model === undefined) continue;
    const name = model.replaceAll("/", "__");
    runs.set(name, runs.has(name) && runs.get(name) !== run ? null : run);
  }
  return runs;
}

/** The run whose model a report's name or the folder of its log names. */
function homeOf({ source, part }: Piece, runs: ReadonlyMap<string, string | null>): string | undefined {
  const folders = dirname(source).split(sep);
  const logs = folders.lastIndexOf("run_evaluation");
  const logged = logs < 0 ? undefined : runs.get(folders[logs + 2] ?? "");
  if (logged !== undefined || part.kind !== "verdict") return logged ?? undefined;
  const named = [...runs].filter(([model]) => basename(source).startsWith(`${model}.`));
  // One model's name may begin another's; the longest is meant.
  const [first] = named.sort(([a], [b]) => b.length - a.length);
  return first?.[1] ?? undefined;
}
