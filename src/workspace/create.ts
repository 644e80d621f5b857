import { hash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GraderError, type Warning } from "../errors.ts";
import type { Trajectory } from "../schema/trajectory.ts";
import { applyPatch, prepareIndex } from "./apply.ts";
import { openBase, type BaseOptions, type ResolvedRepo } from "./base.ts";
import { blindLabels, compareLabels } from "./labels.ts";
import { openStore } from "./store.ts";
import { storeTrajectory } from "./trajectory-store.ts";
import type { ObjectStore, Oid, PatchOutcome, PatchState, Workspace, WorkspaceRollout } from "./types.ts";

/** A patch as it was submitted, before anyone tries to apply it. */
export interface SubmittedPatch {
  state: PatchState;
  bytes: Buffer;
}

/** What a workspace is built from. The loaders are called once each, one rollout after the other. */
export interface WorkspaceInput {
  dir: string;
  groupId: string;
  task: { id: string; statement: string };
  testCommand?: string;
  repo: ResolvedRepo;
  testsPatch?: Buffer;
  seed: number;
  rollouts: {
    id: string;
    passed: boolean | null;
    patch: () => Promise<SubmittedPatch>;
    trajectory: () => Promise<Trajectory | undefined>;
    testOutput: () => Promise<string | undefined>;
  }[];
}

/** A workspace with the way back from labels to ids, which no tool and no prompt sees. */
export interface OpenWorkspace extends Workspace {
  idOf(label: string): string;
  labelOf(id: string): string;
  close(): Promise<void>;
}

/**
 * Builds the shared workspace of one group in `input.dir`.
 *
 * @throws GraderError `base_unavailable` when the repository cannot be read; bad rollouts never throw.
 */
export async function createWorkspace(input: WorkspaceInput, options: BaseOptions): Promise<OpenWorkspace> {
  const gitDir = join(input.dir, "store.git");
  await mkdir(join(input.dir, "rollouts"), { recursive: true });
  const base = await openBase(gitDir, input.repo, options);
  const index = await prepareIndex(gitDir, base);
  const store = openStore(gitDir);
  const closers = [async () => store.close()];
  try {
    return await fillWorkspace(input, options, { gitDir, base, index, store, closers });
  } catch (error) {
    // Processes and files that stay open would keep the program from ending.
    await Promise.all(closers.map((close) => close()));
    throw error;
  }
}

interface Opened {
  gitDir: string;
  base: Oid;
  index: string;
  store: ObjectStore;
  closers: (() => Promise<void>)[];
}

async function fillWorkspace(
  input: WorkspaceInput,
  options: BaseOptions,
  { gitDir, base, index, store, closers }: Opened,
): Promise<OpenWorkspace> {
  const labels = blindLabels(
    input.groupId,
    input.rollouts.map((rollout) => rollout.id),
    input.seed,
  );
  const ids = new Map([...labels].map(([id, label]) => [label, id]));

  // Rollouts often end in the same patch, byte for byte.
  const outcomes = new Map<string, ReturnType<typeof applied>>();
  const apply = (submitted: SubmittedPatch) => {
    const key = `${submitted.state} ${hash("sha256", submitted.bytes)}`;
    const known = outcomes.get(key) ?? applied(gitDir, index, base, store, submitted);
    outcomes.set(key, known);
    return known;
  };

  const rollouts: WorkspaceRollout[] = [];
  for (const given of input.rollouts) {
    const label = labels.get(given.id) ?? given.id;
    const { patch, files } = await apply(await given.patch());
    if (patch.reason !== undefined)
      options.warn({
        code: "patch_refused",
        message: patch.reason,
        where: { rollout: given.id, field: "patch" },
      });
    if (patch.left_out !== undefined)
      options.warn({
        code: "binary_left_out",
        message: `${missingContent(patch.left_out)}; the rest was applied`,
        where: { rollout: given.id, field: "patch" },
      });
    const path = join(input.dir, "rollouts", label);
    const rollout: WorkspaceRollout = { label, passed: given.passed, patch, files };
    const trajectory = await readable(given.id, "trajectory", given.trajectory, options.warn);
    if (trajectory !== undefined) {
      const stored = await storeTrajectory(`${path}.trajectory.jsonl`, trajectory);
      closers.push(() => stored.close());
      rollout.trajectory = stored;
    }
    const output = await readable(given.id, "test_output", given.testOutput, options.warn);
    if (output !== undefined) {
      const outputPath = `${path}.test-output.txt`;
      await writeFile(outputPath, output);
      rollout.testOutput = { bytes: Buffer.byteLength(output), read: () => readFile(outputPath, "utf8") };
    }
    rollouts.push(rollout);
  }
  rollouts.sort((a, b) => compareLabels(a.label, b.label));

  const byLabel = new Map(rollouts.map((rollout) => [rollout.label, rollout]));
  return {
    dir: input.dir,
    task: input.task,
    ...(input.testCommand === undefined ? {} : { testCommand: input.testCommand }),
    store,
    base,
    testsTree: await testsTree(gitDir, index, base, input.testsPatch, options.warn),
    rollouts,
    rollout: (label) => byLabel.get(label),
    idOf: (label) => ids.get(label) ?? label,
    labelOf: (id) => labels.get(id) ?? id,
    async close() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}

/** What a loader gives. One that fails is reported and counts as absent: the other rollouts are still judged. */
async function readable<T>(
  rollout: string,
  field: string,
  load: () => Promise<T | undefined>,
  warn: BaseOptions["warn"],
): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    warn({ code: `${field}_unreadable`, message, where: { rollout, field } });
    return undefined;
  }
}

async function applied(
  gitDir: string,
  index: string,
  base: Oid,
  store: ObjectStore,
  submitted: SubmittedPatch,
): Promise<{ patch: PatchOutcome; files: WorkspaceRollout["files"] }> {
  const { state, bytes } = submitted;
  if (state === "empty")
    return { patch: { state, tree: base, step: "none", bytes: bytes.length }, files: [] };
  if (state === "null" || state === "absent") return { patch: { state, bytes: 0 }, files: [] };
  const result = await applyPatch(gitDir, index, bytes);
  if (result.tree === undefined) {
    const refused = result.malformed ? ("unparsable" as const) : state;
    return { patch: { state: refused, reason: result.reason, bytes: bytes.length }, files: [] };
  }
  const { tree, step, leftOut } = result;
  // A change of which nothing is known is not an empty one.
  if (leftOut.length > 0 && tree === base)
    return { patch: { state, reason: missingContent(leftOut), bytes: bytes.length }, files: [] };
  try {
    const patch = { state, tree, step, bytes: bytes.length };
    return {
      patch: leftOut.length === 0 ? patch : { ...patch, left_out: leftOut },
      files: await store.diff(base, tree),
    };
  } catch (error) {
    // A change too large to show cannot be judged; that is this rollout's fate and not the group's.
    if (!(error instanceof GraderError)) throw error;
    return { patch: { state, reason: error.message, bytes: bytes.length }, files: [] };
  }
}

function missingContent(paths: readonly string[]): string {
  const shown = paths.slice(0, 4).join(", ");
  return `the patch does not hold the content of ${shown}${paths.length > 4 ? ` and ${paths.length - 4} more` : ""} (binary)`;
}

/** The base with the visible tests on top. A tests patch that does not apply is reported, and the base stands in. */
async function testsTree(
  gitDir: string,
  index: string,
  base: Oid,
  patch: Buffer | undefined,
  warn: (warning: Warning) => void,
): Promise<Oid> {
  if (patch === undefined) return base;
  const result = await applyPatch(gitDir, index, patch);
  if (result.tree !== undefined) return result.tree;
  warn({ code: "tests_patch_refused", message: result.reason, where: { field: "tests.patch_path" } });
  return base;
}
