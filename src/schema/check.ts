import * as z from "zod";

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

/** Statuses of single tests as a runner's output tells them. Code under test wrote that output. */
export const TestCounts = z.strictObject({
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
  failing: z.array(z.string()).describe("Names of the first failing tests."),
});
export type TestCounts = z.infer<typeof TestCounts>;

/**
 * What a run of the tests says: `inconsistent` exited with 0 though a test failed or none ran; `exit_only` has nothing
 * but its exit status, since the runner is not known or gave no account.
 */
export const TestStatus = z.enum(["passed", "failed", "inconsistent", "exit_only"]);
export type TestStatus = z.infer<typeof TestStatus>;

/** One rollout's part of a check. */
export const CheckRun = z.strictObject({
  rollout: z.string().describe('A rollout, or "base" for the code before any change.'),
  outcome: CheckOutcome,
  exit_code: z.int().optional().describe("Only for exited."),
  reason: z.string().optional().describe("Why the sandbox failed or is unavailable."),
  status: TestStatus.optional().describe("Only for run_tests that exited."),
  tests: TestCounts.optional(),
  restored: z
    .array(z.string())
    .optional()
    .describe("Test files that the rollout had changed or removed and that were put back first."),
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
