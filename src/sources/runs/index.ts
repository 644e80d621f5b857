import { basename, dirname, join, relative, sep } from "node:path";
import { GraderError, type Warning } from "../../errors.ts";
import type { LoadedGroup, LoadFailure } from "../loaded.ts";
import type { Outcomes } from "../outcomes.ts";
import { assemble } from "./assemble.ts";
import { withResults } from "./home.ts";
import type { RunInput } from "./layout.ts";
import { readSupplies, type Supplies } from "./supply.ts";
import { toGroup } from "./to-group.ts";

export { isNative, isRunFile, readRunInput, type RunInput, SOURCE_KINDS, type SourceKind } from "./layout.ts";
export type { Supplies } from "./supply.ts";

/**
 * The groups of several runs together: one an instance, in order of first appearance. What is held at once is the index
 * of all pieces (some hundred bytes each), the patches of prediction files that are one JSON document, and one group.
 */
export async function* runGroups(
  given: readonly RunInput[],
  supplies: Supplies,
  outcomes?: Outcomes,
): AsyncGenerator<LoadedGroup | LoadFailure> {
  const supply = await readSupplies(supplies);
  const inputs = withResults(given);
  const root = commonFolder(inputs.map(({ folder }) => folder));
  const names = namesOf(inputs);
  const located = inputs.map(({ pieces }, index) => ({ name: names[index] ?? "", pieces }));
  const loose: Warning[] = inputs.flatMap(({ warnings }) => warnings);
  const groups = assemble(located, (warning) => void loose.push(warning));
  if (groups.size === 0) yield noRollouts(inputs, root);
  const byGroup = new Map<string | undefined, Warning[]>();
  for (const warning of loose) {
    const same = byGroup.get(warning.where.group);
    if (same === undefined) byGroup.set(warning.where.group, [warning]);
    else same.push(warning);
  }
  let warnings = byGroup.get(undefined) ?? [];
  for (const [instance, attempts] of groups) {
    const own = byGroup.get(instance) ?? [];
    try {
      yield await toGroup(instance, attempts, { root, supply, outcomes, warnings: [...warnings, ...own] });
    } catch (error) {
      // A file that is gone by now costs its group, not the others.
      const message = error instanceof Error ? error.message : String(error);
      yield { error: new GraderError("bad_input", message, { file: root, group: instance }), source: root };
    }
    // What is wrong with the input as a whole is told with its first group.
    warnings = [];
  }
}

function noRollouts(inputs: readonly RunInput[], root: string): LoadFailure {
  const found = inputs.reduce((sum, { pieces }) => sum + pieces.length, 0);
  const [only, ...more] = inputs;
  const file = only === undefined || more.length > 0 ? root : only.path;
  const message = `no rollouts: ${found} ${found === 1 ? "result" : "results"} of tests, and neither patches nor trajectories beside them; give the run that they are about as well`;
  return { error: new GraderError("bad_input", message, { file }), source: file };
}

/** The deepest folder that all lie in; real paths in, a real path out. */
function commonFolder([first = ".", ...others]: readonly string[]): string {
  let common = first;
  for (const other of others) while (!isBelow(common, other)) common = dirname(common);
  return common;
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`));
}

/** Names that tell the inputs apart: as little of their paths as it takes. */
function namesOf(inputs: readonly RunInput[]): string[] {
  const names = inputs.map(({ name }) => name);
  return inputs.map(({ name, folder }, index) => {
    if (names.filter((other) => other === name).length < 2) return name;
    const parent = basename(dirname(folder));
    const longer = join(parent, name);
    return inputs.some(
      (other, at) => at !== index && other.name === name && basename(dirname(other.folder)) === parent,
    )
      ? `${longer}~${index + 1}`
      : longer;
  });
}
