import { requireTokens, signalsOf } from "./advantages.ts";
import { formatPlace, type Warning } from "./errors.ts";
import { gradeOf } from "./graph/answer.ts";
import { contradictedPolicy, type ContradictedPolicy } from "./graph/contradictions.ts";
import { DEFAULT_BUDGET, type Budget } from "./graph/budget.ts";
import { runGraph } from "./graph/run.ts";
import { openSession, type GradingInput, type Session } from "./graph/session.ts";
import type { GradingState } from "./graph/state.ts";
import { offlineInspector } from "./models/offline.ts";
import type { Inspector } from "./models/inspector.ts";
import {
  capWarning,
  redistributionConfig,
  type Estimator,
  type RedistributionConfig,
} from "./redistribute/index.ts";
import { boxLimits } from "./sandbox/limits.ts";
import { unavailableSandbox } from "./sandbox/unavailable.ts";
import type { Limits, Sandbox } from "./sandbox/types.ts";
import { openRunFolder } from "./run-folder.ts";
import type { Grade } from "./schema/grade.ts";
import type { LoadedGroup } from "./sources/index.ts";
import { VERSION } from "./version.ts";
import { workspaceInput } from "./workspace-input.ts";

/** Where a grading stands, for a progress display. */
export interface Progress {
  group_id: string;
  /** Node of the graph: prepare, inspect, tools, rank, redistribute. */
  step: string;
}

export interface GradeOptions {
  /** What inspects the group. Default: the offline grader, which runs all tests again where there is a sandbox. */
  inspector?: Inspector;
  /** Seed of the blind labels. Default 0. */
  seed?: number;
  /** Grade any group with two passing rollouts and leave the advantages alone. Default false. */
  rankOnly?: boolean;
  /** How advantages are made where the group gives none; also the trainer's estimator for the reward form. Default grpo. */
  estimator?: Estimator;
  redistribution?: Partial<Omit<RedistributionConfig, "estimator">>;
  budget?: Partial<Budget>;
  /**
   * What follows when the tests, run again in the sandbox, contradict a recorded pass beyond doubt: `report` warns,
   * `demote` (default) places the rollout last in tier 3, `exclude` leaves it ungraded with its advantage as given,
   * `veto` takes its positive advantage away and hands it to the other passing rollouts as far as the cap allows.
   */
  contradicted?: ContradictedPolicy;
  /** Where checks are run; see `selectSandbox`. It is not closed. Default: none, and checks answer that. */
  sandbox?: Sandbox;
  /** Limits of each box, in place of those of the sandbox. */
  limits?: Partial<Limits>;
  /** Folder for the workspace; it is kept. Default: a temporary one that is removed. */
  workspaceDir?: string;
  /** Go on with what an interrupted grading of the same group and configuration left in `workspaceDir`. Default false. */
  resume?: boolean;
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
  const sandbox = options.sandbox ?? unavailableSandbox("none was given");
  const rerunTests = sandbox.name !== "none";
  const inspector = options.inspector ?? offlineInspector({ rerunTests });
  if (rerunTests && inspector.kind === "offline" && group.tests === undefined)
    warn({
      code: "no_tests",
      message: "declares no tests, so none are run again",
      where: { field: "tests" },
    });
  const budget = { ...DEFAULT_BUDGET, ...options.budget };
  const grader: Grade["grader"] = {
    kind: inspector.kind,
    ...(inspector.model === undefined ? {} : { model: inspector.model }),
    ...(inspector.prompt_hash === undefined ? {} : { prompt_hash: inspector.prompt_hash }),
    seed,
  };
  const rankOnly = options.rankOnly ?? false;
  const signals = signalsOf(group, estimator, warn);
  if (config.weights === "tokens") requireTokens(group, signals, loaded.source);
  const contradicted = contradictedPolicy(options.contradicted);
  const identity = { version: VERSION, group, grader, rankOnly, config, contradicted, sandbox: sandbox.name };
  const folder = await openRunFolder(options.workspaceDir, identity, options.resume ?? false);
  if (folder.finished !== undefined) return folder.finished;
  let session: Promise<Session> | undefined;
  try {
    const input: GradingInput = {
      group,
      signals,
      workspace: await workspaceInput(loaded, folder.dir, seed, warn),
      ...(options.cacheDir === undefined ? {} : { cacheDir: options.cacheDir }),
      rankOnly,
      sandbox,
      ...(options.limits === undefined ? {} : { limits: boxLimits(options.limits) }),
      checks: budget.checks,
      contradicted,
      msLeft: () => budget.wall_s * 1000 - (clock() - started),
      warn,
    };
    const elapsed = () => (clock() - started) / 1000;
    const answer = async (state: GradingState) =>
      gradeOf({
        input,
        session: await session?.catch(() => undefined),
        state,
        config,
        grader,
        wall_s: Math.round(elapsed() * 1000) / 1000,
        warnings: warnings.map(({ where, message }) =>
          [formatPlace(where), message].filter((part) => part !== "").join(": "),
        ),
      });
    const grade = await runGraph({
      dir: folder.dir,
      durable: options.workspaceDir !== undefined,
      session: () => (session ??= openSession(input)),
      inspect: { inspector, budget, elapsed },
      answer,
      warn,
      onStep: (step) => options.onProgress?.({ group_id: group.group_id, step }),
    });
    await folder.finish(grade);
    return grade;
  } finally {
    await session?.then((open) => open.close()).catch(() => {});
    await folder.leave();
  }
}
