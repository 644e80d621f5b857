import * as z from "zod";
import { Citation, HackKind } from "./evidence.ts";

/** How a run ended. The last two say nothing about the code that was to run. */
export const CheckOutcome = z.enum([
  "exited",
  "timed_out",
  "out_of_memory",
  "output_limit",
  "sandbox_failed",
  "unavailable",
]);
export type CheckOutcome = z.infer<typeof CheckOutcome>;

/**
 * What a run of the tests says, or what it says of one test. Never one for another:
 *
 * - `passed`, `failed`: exit status, report, collected set and output agree.
 * - `skipped`: a test was skipped that runs on the base or on other rollouts.
 * - `missing`: a test of the expected set was not run.
 * - `flaky`: two runs of the same code disagree.
 * - `inconsistent`: the channels disagree, or a test that must fail did not.
 * - `invalid`: the runner wrote no report, though it does so on the base or on other rollouts.
 * - `exit_only`: there is nothing but the exit status, since the runner is not known or tells nothing here.
 */
export const TestStatus = z.enum([
  "passed",
  "failed",
  "skipped",
  "missing",
  "flaky",
  "inconsistent",
  "invalid",
  "exit_only",
]);
export type TestStatus = z.infer<typeof TestStatus>;

/** How many tests have which status. Names are the runner's own. */
export const TestCounts = z.strictObject({
  passed: z.int(),
  failed: z.int(),
  skipped: z.int().describe("Those that are skipped on the base as well are among them."),
  missing: z.int().optional(),
  flaky: z.int().optional(),
  inconsistent: z.int().optional(),
  failing: z.array(z.string()).describe("Names of the first failing tests."),
  apart: z
    .array(z.strictObject({ id: z.string(), status: TestStatus }))
    .optional()
    .describe(
      "The first tests that neither passed nor failed and that count: skipped here alone, missing, flaky, ...",
    ),
});
export type TestCounts = z.infer<typeof TestCounts>;

/**
 * What became of a test that was added under a random name and has to fail: `failed` as it must; `passed`, `absent` from
 * the report, or `ignored` by the exit status, which an honest run does not do; `none` could be placed; `unclear` where
 * that run did not end.
 */
export const CANARY_STATES = ["failed", "passed", "absent", "ignored", "none", "unclear"] as const;
export const CanaryState = z.enum(CANARY_STATES);
export type CanaryState = z.infer<typeof CanaryState>;

/** Forging that a run of the tests shows, with its evidence. */
export const RunFlag = z.strictObject({
  kind: HackKind,
  claim: z.string(),
  citations: z.array(Citation).min(1),
});
export type RunFlag = z.infer<typeof RunFlag>;

/** One rollout's part of a check. */
export const CheckRun = z.strictObject({
  rollout: z.string().describe('A rollout, or "base" for the code before any change.'),
  outcome: CheckOutcome,
  exit_code: z.int().optional().describe("Only for exited."),
  reason: z.string().optional().describe("Why the sandbox failed or is unavailable."),
  status: TestStatus.optional().describe("Only for run_tests that exited."),
  problem: z
    .string()
    .optional()
    .describe("Why the status is what it is, where the exit status alone says otherwise."),
  tests: TestCounts.optional(),
  told_by: z.enum(["report", "output"]).optional().describe("Where the tests stand one by one."),
  restored: z
    .array(z.string())
    .optional()
    .describe(
      "Tests and runner configuration that the rollout had changed or removed and that were put back first.",
    ),
  left_out: z
    .array(z.string())
    .optional()
    .describe(
      "What the rollout adds and a runner or interpreter would load by itself: not there in this run.",
    ),
  canary: CanaryState.optional().describe("Only for run_tests whose first run passed."),
  own: TestStatus.or(CheckOutcome.exclude(["exited"]))
    .optional()
    .describe(
      "The status with the rollout's own configuration, where that was replaced and the tests did not pass.",
    ),
  flags: z.array(RunFlag).optional(),
});
export type CheckRun = z.infer<typeof CheckRun>;

export const CHECK_TOOLS = ["run_tests", "run_check", "shell"] as const;

/** Something that a grader ran in the sandbox. Its output can be cited by its id, but for a shell's. */
export const Check = z.strictObject({
  id: z.string().describe("x1, x2, ... in the order of the runs."),
  tool: z.enum(CHECK_TOOLS),
  sandbox: z.string(),
  command: z.string(),
  script: z.string().optional(),
  whole: z.boolean().optional().describe("For run_tests: whether all tests were asked for."),
  notes: z.array(z.string()).optional().describe("What holds for all runs: what the base says of the tests."),
  runs: z.array(CheckRun),
  clusters: z
    .array(z.array(z.string()))
    .describe("Rollouts that behaved alike: same end, same standard output, same last line of errors."),
  flaky: z
    .array(z.string())
    .optional()
    .describe("Rollouts whose run came out differently when it was made twice; they are in no cluster."),
  unsteady: z
    .int()
    .positive()
    .optional()
    .describe("Lines or cases that differ between two runs of one rollout; left out of the comparison."),
});
export type Check = z.infer<typeof Check>;
