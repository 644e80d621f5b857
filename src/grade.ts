import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signalsOf } from "./advantages.ts";
import { asGraderError, formatPlace, GraderError, type Warning } from "./errors.ts";
import { gradeOf } from "./graph/answer.ts";
import { DEFAULT_BUDGET, type Budget } from "./graph/budget.ts";
import { buildGraph } from "./graph/graph.ts";
import { openSession, type GradingInput, type Session } from "./graph/session.ts";
import { GradingState } from "./graph/state.ts";
import { offlineInspector } from "./models/offline.ts";
import type { Inspector } from "./models/inspector.ts";
import {
  capWarning,
  redistributionConfig,
  type Estimator,
  type RedistributionConfig,
} from "./redistribute/index.ts";
import type { Grade } from "./schema/grade.ts";
import type { LoadedGroup } from "./sources/index.ts";
import { workspaceInput } from "./workspace-input.ts";

/** Where a grading stands, for a progress display. */
export interface Progress {
  group_id: string;
  /** Node of the graph: prepare, inspect, tools, rank, redistribute. */
  step: string;
}

export interface GradeOptions {
  /** What inspects the group. Default: the offline grader. */
  inspector?: Inspector;
  /** Seed of the blind labels. Default 0. */
  seed?: number;
  /** Grade any group with two passing rollouts and leave the advantages alone. Default false. */
  rankOnly?: boolean;
  /** How advantages are made where the group gives none; also the trainer's estimator for the reward form. Default grpo. */
  estimator?: Estimator;
  redistribution?: Partial<Omit<RedistributionConfig, "estimator">>;
  budget?: Partial<Budget>;
  /** Folder for the workspace; it is kept. Default: a temporary one that is removed. */
  workspaceDir?: string;
  /** Folder for imported base trees. Default: the user's cache folder. */
  cacheDir?: string;
  onProgress?: (progress: Progress) => void;
  /** Milliseconds of a clock that never goes back; for `spend.wall_s` alone. */
  clock?: () => number;
}

/**
 * Grades one group and redistributes its advantages: the one function that every door calls.
 *
 * @returns Always an answer: graded, or skipped or fallback with a reason and every advantage as it was given.
 * @throws GraderError `bad_input` or `bad_config` when the caller's data or options are wrong, with their place.
 */
export async function gradeGroup(loaded: LoadedGroup, options: GradeOptions = {}): Promise<Grade> {
  const clock = options.clock ?? (() => performance.now());
  const started = clock();
  const { group } = loaded;
  const estimator = options.estimator ?? "grpo";
  const config = redistributionConfig({ ...options.redistribution, estimator });
  const warnings: Warning[] = [...loaded.warnings];
  const warn = (warning: Warning) => void warnings.push(warning);
  const seed = options.seed ?? 0;
  const capping = capWarning(config);
  if (capping !== undefined) warn(capping);
  const dir =
    options.workspaceDir === undefined
      ? await mkdtemp(join(tmpdir(), "gagar-"))
      : await freshFolder(options.workspaceDir);
  let session: Promise<Session> | undefined;
  try {
    const input: GradingInput = {
      group,
      signals: signalsOf(group, estimator, warn),
      workspace: await workspaceInput(loaded, dir, seed, warn),
      ...(options.cacheDir === undefined ? {} : { cacheDir: options.cacheDir }),
      rankOnly: options.rankOnly ?? false,
      warn,
    };
    const inspector = options.inspector ?? offlineInspector();
    const budget = { ...DEFAULT_BUDGET, ...options.budget };
    const answer = async (state: GradingState) =>
      gradeOf({
        input,
        session: await session?.catch(() => undefined),
        state,
        config,
        grader: {
          kind: inspector.kind,
          ...(inspector.model === undefined ? {} : { model: inspector.model }),
          ...(inspector.prompt_hash === undefined ? {} : { prompt_hash: inspector.prompt_hash }),
          seed,
        },
        wall_s: Math.round(clock() - started) / 1000,
        warnings: warnings.map(({ where, message }) =>
          [formatPlace(where), message].filter((part) => part !== "").join(": "),
        ),
      });
    let grade: Grade | undefined;
    const graph = buildGraph({
      session: () => (session ??= openSession(input)),
      inspect: { inspector, budget, elapsed: () => (clock() - started) / 1000 },
      finish: async (state) => {
        grade = await answer(state);
      },
      onStep: (step) => options.onProgress?.({ group_id: group.group_id, step }),
    });
    try {
      await graph.invoke(
        {},
        { recursionLimit: 3 * budget.model_calls + 50, signal: AbortSignal.timeout(budget.wall_s * 1000) },
      );
    } catch (error) {
      const late = error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
      const reason = late ? `deadline: ${budget.wall_s} s are over` : asGraderError(error).message;
      grade = await answer({ ...INITIAL, status: "fallback", reason });
    }
    return (
      grade ?? (await answer({ ...INITIAL, status: "fallback", reason: "the graph ended without an answer" }))
    );
  } finally {
    await session?.then((open) => open.close()).catch(() => {});
    if (options.workspaceDir === undefined) await rm(dir, { recursive: true, force: true });
  }
}

/** An earlier workspace of ours gives way; anything else that lies there is not ours to remove. */
async function freshFolder(dir: string): Promise<string> {
  const names = await readdir(dir).catch((): string[] => []);
  if (names.length > 0 && !names.includes("store.git"))
    throw new GraderError("bad_config", `${dir} is not empty and no workspace of gagar`, {
      field: "workspaceDir",
    });
  if (names.length > 0) await rm(dir, { recursive: true });
  return dir;
}

const INITIAL: GradingState = {
  status: "open",
  reason: "",
  model_calls: 0,
  tool_calls: 0,
  tokens_in: 0,
  tokens_out: 0,
  nudges: 0,
  concluding: false,
  placements: {},
};
