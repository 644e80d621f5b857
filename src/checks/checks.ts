import { GraderError } from "../errors.ts";
import type { Limits, Sandbox } from "../sandbox/types.ts";
import type { Check } from "../schema/check.ts";
import type { Tests } from "../schema/group.ts";
import type { ImagePlace, Workspace } from "../workspace/types.ts";
import { behaviourOf } from "./behaviour.ts";
import { openBench } from "./bench.ts";
import { clustersOf, type Clusters } from "./clusters.ts";
import { benchSpec } from "./ground.ts";
import { prepareScript, type Script } from "./language.ts";
import { openRunner, type Job } from "./over.ts";
import { toRepeat, withAgain } from "./repeat.ts";
import { testCommand } from "./runners.ts";
import { openCheckStore } from "./store.ts";
import { openTestRerunner } from "./tests/rerun.ts";
import type { Target } from "./trees.ts";
import type { Behaviour } from "./types.ts";

export interface ChecksOptions {
  sandbox: Sandbox;
  workspace: Workspace;
  tests?: Tests | undefined;
  /** Where the repository lies when it lies in an image: everything is run in that image. */
  place?: ImagePlace | undefined;
  /** Limits of each box besides the default ones. */
  limits?: Partial<Limits> | undefined;
  /** Checks that may be run in all, over all tools. */
  limit: number;
  /** Milliseconds that the grading has left; no run takes what is needed to conclude. Default: any time. */
  msLeft?: () => number;
}

/** A finished check with what its runs did. */
export interface CheckAnswer extends Clusters {
  check: Check;
}

/** What a grader can have run in the sandbox. Checks are run one after the other; each uses all processors. */
export interface Checks {
  /** Name of the sandbox that runs them; "none" when there is none. */
  readonly sandbox: string;
  readonly tests: Tests | undefined;
  /**
   * @param key - Names the tool call. A call whose check is finished already gets that check back, so that a resumed
   *   grading repeats none.
   * @throws GraderError `bad_input` when the checks are spent or the request cannot be run.
   */
  runTests(targets: readonly Target[], request: TestRequest, key?: string): Promise<CheckAnswer>;
  runScript(targets: readonly Target[], request: ScriptRequest, key?: string): Promise<CheckAnswer>;
  runShell(request: ShellRequest, key?: string): Promise<CheckAnswer>;
  list(): Promise<Check[]>;
  close(): Promise<void>;
}

export interface TestRequest {
  /** Only tests whose names match; every runner has its own kind of pattern. */
  pattern?: string | undefined;
}

export interface ScriptRequest extends Script {
  timeout_s: number;
  /** Whether the visible tests go over each tree. */
  tests: boolean;
}

export interface ShellRequest {
  command: string;
  timeout_s: number;
}

/** Share of a grading's time that is kept for what comes after its checks. */
const CONCLUDING = 0.2;

/** Opens no box before something is to be run. */
export function openChecks(options: ChecksOptions): Checks {
  const { sandbox, workspace, tests, limit, msLeft } = options;
  const total = msLeft?.() ?? Infinity;
  const left = () => (msLeft?.() ?? Infinity) - (Number.isFinite(total) ? CONCLUDING * total : 0);
  const wanted = { tests, place: options.place, limits: options.limits ?? {}, msLeft: left };
  const runner = openRunner(workspace, sandbox, wanted);
  const rerunner =
    tests === undefined
      ? undefined
      : openTestRerunner({ workspace, tests, runner, listBase: () => runner.listBase() });
  const bench = openBench(workspace, sandbox, benchSpec(wanted));
  const store = openCheckStore(workspace.dir);
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const answer = queue.then(work);
    queue = answer.catch(() => {});
    return answer;
  };

  /** Gives the check of this call back, or runs it and keeps it. */
  const once = (
    key: string | undefined,
    about: Pick<Check, "tool" | "command" | "script" | "whole">,
    run: (check: string) => Promise<{ behaviours: Behaviour[]; notes?: string[] }>,
  ): Promise<CheckAnswer> =>
    inTurn(async () => {
      const known = key === undefined ? undefined : await store.ofCall(key);
      if (known !== undefined) return { check: known, ...clustersOf(await store.behaviours(known)) };
      const spent = (await store.list()).length;
      if (spent >= limit)
        throw new GraderError("bad_input", `all ${limit} checks of this grading are spent: conclude`);
      const id = await store.nextId();
      const { behaviours, notes = [] } = closed ? { behaviours: [] } : await run(id);
      // What was ended from here says nothing about the code.
      if (closed) throw new GraderError("fallback", "the grading is over");
      const found = clustersOf(behaviours);
      const check: Check = {
        id,
        ...about,
        sandbox: sandbox.name,
        ...(notes.length === 0 ? {} : { notes }),
        runs: behaviours.map((behaviour) => behaviour.run),
        clusters: found.clusters.map(({ labels }) => labels),
        ...(found.flaky.length === 0 ? {} : { flaky: found.flaky }),
        ...(found.unsteady.size === 0 ? {} : { unsteady: found.unsteady.size }),
      };
      await store.save(check, behaviours, key);
      return { check, ...found };
    });

  const runJob = async (targets: readonly Target[], job: Job): Promise<Behaviour[]> =>
    (await runner.run(targets, job)).map(behaviourOf);

  /** Runs a job, and once more where runs part, so that no chance is taken for behaviour. */
  const compare = async (targets: readonly Target[], job: Job): Promise<Behaviour[]> => {
    const behaviours = await runJob(targets, job);
    const repeated = new Set(toRepeat(behaviours).map(({ run }) => run.rollout));
    const second = await runJob(
      targets.filter(({ label }) => repeated.has(label)),
      job,
    );
    const again = new Map(second.map((behaviour) => [behaviour.run.rollout, behaviour]));
    return behaviours.map((behaviour) => withAgain(behaviour, again.get(behaviour.run.rollout)));
  };

  return {
    sandbox: sandbox.name,
    tests,
    async runTests(targets, { pattern }, key) {
      if (tests === undefined || rerunner === undefined)
        throw new GraderError("bad_input", "the group declares no test command; use run_check");
      const asked = testCommand(tests, pattern);
      if (asked === undefined)
        throw new GraderError(
          "bad_input",
          `tests cannot be selected in "${tests.command}"; leave pattern out, or use run_check with a command`,
        );
      return once(key, { tool: "run_tests", command: asked.command, whole: pattern === undefined }, (check) =>
        rerunner.run(targets, { asked, pattern, check }),
      );
    },
    async runScript(targets, request, key) {
      const { files, over, command } = prepareScript(request, options.place?.workdir);
      const job: Job = {
        tests: request.tests,
        files,
        over,
        command: { ...command, wall_ms: request.timeout_s * 1000 },
      };
      const shown = request.command ?? command.argv.join(" ");
      return once(key, { tool: "run_check", command: shown, script: request.text }, async () => ({
        behaviours: await compare(targets, job),
      }));
    },
    runShell: async ({ command, timeout_s }, key) =>
      once(key, { tool: "shell", command }, async () => {
        const result = await bench.run(command, Math.max(1, Math.min(timeout_s * 1000, left())));
        return { behaviours: [behaviourOf({ label: "bench", result, restored: [] })] };
      }),
    list: () => store.list(),
    async close() {
      closed = true;
      await Promise.all([runner.close(), bench.close()]);
      await queue;
    },
  };
}
