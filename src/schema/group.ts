import * as z from "zod";

/** A path inside the group's folder. `sources` refuses one that leaves it. */
const path = z.string().min(1);

export const RepoSource = z.union([
  z.strictObject({ path: path.describe("A plain directory with the tree at the base commit.") }),
  z.strictObject({
    archive: path.describe("tar or tar.gz of the tree; a single leading folder is stripped."),
  }),
  z.strictObject({
    git: z.string().min(1).describe("Repository path or https URL."),
    commit: z.string().min(4),
  }),
  z.strictObject({
    image: z
      .string()
      .min(1)
      .describe("A container image that has the repository, and in which rollouts are run."),
    workdir: z.string().min(1).describe("Where in the image, as an absolute path."),
  }),
]);
export type RepoSource = z.infer<typeof RepoSource>;

export const RUNNERS = [
  "pytest",
  "unittest",
  "jest",
  "vitest",
  "mocha",
  "node",
  "go",
  "cargo",
  "custom",
] as const;

/** How the group's tests are run (design section 7). */
export const Tests = z.strictObject({
  command: z.string().min(1),
  runner: z.enum(RUNNERS).optional(),
  report_path: path.optional(),
  test_files: z.array(z.string()).optional(),
  setup: z
    .string()
    .optional()
    .describe("Run once on the base, by root, before any tests; all rollouts start from its result."),
  setup_network: z
    .boolean()
    .optional()
    .describe("The setup gets the engine's network: only for a base that is trusted. Default false."),
  patch_path: path
    .optional()
    .describe("Visible tests; go on top of a rollout's tree and replace what it did to those files."),
  timeout_s: z.number().positive().optional(),
  image: z
    .string()
    .optional()
    .describe("Where tests and scripts are run. Default: the repository's, or gagar's own."),
});
export type Tests = z.infer<typeof Tests>;

/** One attempt at the task by the policy. */
export const Rollout = z
  .strictObject({
    id: z.string().min(1),
    patch: z
      .string()
      .nullable()
      .optional()
      .describe("Unified diff against the base; null or absent are not empty."),
    patch_path: path.optional(),
    trajectory: z.unknown().optional().describe("The agent's record, in any format that gagar reads."),
    trajectory_path: path.optional(),
    test_output: z.string().optional(),
    test_output_path: path.optional(),
    passed: z.boolean().nullable().describe("Test outcome; null is unknown, not failed."),
    reward: z.number().nullable().optional(),
    advantage: z.number().nullable().optional().describe("The trainer's advantage, before redistribution."),
    tokens: z.int().nonnegative().optional().describe("Trainable, unmasked tokens."),
    masked: z.boolean().optional().describe("Left out of the loss by the trainer; never redistributed."),
  })
  .refine((rollout) => rollout.patch === undefined || rollout.patch_path === undefined, {
    error: "give patch or patch_path, not both",
    path: ["patch_path"],
  })
  .refine((rollout) => rollout.trajectory === undefined || rollout.trajectory_path === undefined, {
    error: "give trajectory or trajectory_path, not both",
    path: ["trajectory_path"],
  })
  .refine((rollout) => rollout.test_output === undefined || rollout.test_output_path === undefined, {
    error: "give test_output or test_output_path, not both",
    path: ["test_output_path"],
  });
export type Rollout = z.infer<typeof Rollout>;

/** All rollouts of one task that one policy made, with what a grader may see. */
export const Group = z
  .strictObject({
    group_id: z.string().min(1),
    task: z.strictObject({ id: z.string().min(1), statement: z.string() }),
    repo: RepoSource,
    tests: Tests.optional(),
    rollouts: z.array(Rollout).max(1024),
    redistributed: z
      .unknown()
      .optional()
      .describe("Present in graded output; a group that has it is refused."),
  })
  .superRefine((group, context) => {
    const seen = new Map<string, number>();
    group.rollouts.forEach((rollout, index) => {
      const first = seen.get(rollout.id);
      if (first === undefined) seen.set(rollout.id, index);
      else
        context.addIssue({
          code: "custom",
          path: ["rollouts", index, "id"],
          message: `duplicate rollout id ${JSON.stringify(rollout.id)}, first used at rollouts[${first}]`,
        });
    });
  });
export type Group = z.infer<typeof Group>;
