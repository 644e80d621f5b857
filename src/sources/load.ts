import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asGraderError, GraderError, type Place, type Warning } from "../errors.ts";
import { isPlainDirectory, readPlainDirectory } from "./directory.ts";
import { statOrMissing } from "./files.ts";
import { readGivenTests, withGivenTests } from "./given-tests.ts";
import type { LoadedGroup, LoadFailure } from "./loaded.ts";
import { readNative } from "./native.ts";
import type { Warn } from "./notes.ts";
import { type Outcomes, passedOutcomes, readOutcomes } from "./outcomes.ts";
import {
  isNative,
  isRunFile,
  readRunInput,
  runGroups,
  type RunInput,
  type SourceKind,
  type Supplies,
} from "./runs/index.ts";
import { checkGroup } from "./validate.ts";
import { withOutcomes } from "./with-outcomes.ts";

export interface SourceOptions extends Supplies {
  /** File with test outcomes; they replace what the groups say. */
  outcomes?: string;
  /** Rollouts that passed; all others failed. */
  passed?: readonly string[];
  /** Folder that the paths of the groups are relative to, in place of the folder of their file. */
  root?: string;
  /** What the inputs are; found out by content and layout when absent or "auto". */
  from?: SourceKind;
}

/**
 * Reads the groups of the inputs. A native JSON file (one group or a list), JSON Lines, a folder with `group.json`, a
 * folder in the plain layout, or `-` for standard input is read for itself, in order. What harnesses leave behind (run
 * folders, predictions, reports, rows) is read together and comes last: one group an instance. What an input is is told
 * by content. What cannot be read is yielded as a failure with its place, and the rest goes on.
 */
export async function* loadGroups(
  inputs: string | readonly string[],
  options: SourceOptions = {},
): AsyncGenerator<LoadedGroup | LoadFailure> {
  let outcomes: Outcomes | undefined;
  try {
    outcomes = await outcomesOf(options);
  } catch (error) {
    const [source = ""] = typeof inputs === "string" ? [inputs] : inputs;
    yield { error: asLoadError(error, source), source };
    return;
  }
  yield* withOutcomes(
    readInputs(typeof inputs === "string" ? [inputs] : inputs, options, outcomes),
    outcomes,
  );
}

async function* readInputs(
  inputs: readonly string[],
  options: SourceOptions,
  outcomes: Outcomes | undefined,
): AsyncGenerator<LoadedGroup | LoadFailure> {
  const runs: RunInput[] = [];
  for (const input of inputs)
    try {
      const run = await asRun(input, options.from ?? "auto");
      if (run !== undefined) runs.push(run);
      else yield* readWithTests(input, options);
    } catch (error) {
      yield { error: asLoadError(error, input), source: input };
    }
  if (runs.length === 0) return;
  try {
    yield* runGroups(runs, options, outcomes);
  } catch (error) {
    yield { error: asLoadError(error, runs[0]?.folder ?? ""), source: runs[0]?.folder ?? "" };
  }
}

async function* readWithTests(
  input: string,
  options: SourceOptions,
): AsyncGenerator<LoadedGroup | LoadFailure> {
  const given = await readGivenTests(options);
  for await (const loaded of readInput(input, options))
    yield "error" in loaded ? loaded : withGivenTests(loaded, given);
}

/** The input as a run, or undefined when it is a native one. */
async function asRun(input: string, kind: SourceKind): Promise<RunInput | undefined> {
  if (kind === "native" || (kind === "auto" && (await isNative(input)))) return undefined;
  return readRunInput(input, kind);
}

/** What the system refuses to read is the caller's input, not a fault of ours. */
function asLoadError(error: unknown, file: string): GraderError {
  if (error instanceof Error && "syscall" in error)
    return new GraderError("bad_input", `cannot be read: ${error.message}`, { file }, { cause: error });
  return asGraderError(error);
}

async function outcomesOf({ outcomes, passed }: SourceOptions): Promise<Outcomes | undefined> {
  if (outcomes !== undefined && passed !== undefined)
    throw new GraderError("bad_config", "give either an outcomes file or the passed rollouts, not both");
  if (outcomes !== undefined) return readOutcomes(outcomes);
  return passed === undefined ? undefined : passedOutcomes(passed);
}

async function* readInput(input: string, options: SourceOptions): AsyncGenerator<LoadedGroup | LoadFailure> {
  if (input === "-") return yield* fromNative(process.stdin, "standard input", options.root ?? process.cwd());
  const stats = await statOrMissing(input);
  if (stats === undefined) throw new GraderError("bad_input", "no such file or folder", { file: input });
  if (!stats.isDirectory())
    return yield* fromNative(createReadStream(input), input, options.root ?? dirname(input));
  const names = new Set(await readdir(input));
  const file = join(input, "group.json");
  if (names.has("group.json")) return yield* fromNative(createReadStream(file), file, options.root ?? input);
  if (await isPlainDirectory(input)) return yield await fromPlain(input, options);
  throw new GraderError(
    "bad_input",
    `neither a group (group.json, or task.md and rollouts/) nor anything of a run that is known${await hintOf(input)}`,
    {
      file: input,
    },
  );
}

async function* fromNative(
  stream: AsyncIterable<Buffer>,
  file: string,
  root: string,
): AsyncGenerator<LoadedGroup | LoadFailure> {
  for await (const item of readNative(stream, file)) {
    if ("error" in item) {
      yield { error: item.error, source: sourceOf(file, item.error.where) };
      continue;
    }
    const source = sourceOf(file, item.at);
    try {
      yield { group: checkGroup(item.value, { file, ...item.at }), root, source, warnings: [] };
    } catch (error) {
      yield { error: asGraderError(error), source };
    }
  }
}

function sourceOf(file: string, { line, field }: Place): string {
  return line === undefined ? `${file}${field ?? ""}` : `${file}:${line}`;
}

async function fromPlain(directory: string, options: SourceOptions): Promise<LoadedGroup> {
  const warnings: Warning[] = [];
  const warn: Warn = (warning) => warnings.push(warning);
  const group = await readPlainDirectory(directory, warn);
  if (options.outcomes === undefined && options.passed === undefined)
    warn({
      code: "outcomes_unknown",
      message: "nothing says which rollouts passed; give an outcomes file or the passed rollouts",
      where: { file: directory, group: group.group_id },
    });
  return { group, root: options.root ?? directory, source: directory, warnings };
}

/** Most files of a folder that are looked at to say what lies in it. */
const MAX_LOOKED_AT = 20;

/** What lies there instead: groups one level deeper, the usual slip, or records that no layout puts together. */
async function hintOf(directory: string): Promise<string> {
  const inner: string[] = [];
  const files: string[] = [];
  for (const entry of (await readdir(directory, { withFileTypes: true })).sort(byName)) {
    const path = join(directory, entry.name);
    const below = new Set(entry.isDirectory() ? await readdir(path).catch(() => []) : []);
    if (below.has("group.json") || (below.has("task.md") && below.has("rollouts"))) inner.push(entry.name);
    if (entry.isFile() && files.length < MAX_LOOKED_AT && (await isRunFile(path).catch(() => false)))
      files.push(entry.name);
  }
  if (inner.length > 0) return `; its folders ${listed(inner)} hold groups`;
  return files.length === 0
    ? ""
    : `; nothing says of which task its files ${listed(files)} are: give them by name, or as rollouts/<id>/trajectory.*`;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, 3).join(", ")}${names.length > 3 ? " ..." : ""}`;
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
