import * as z from "zod";
import { Check, CheckOutcome, TestStatus } from "./check.ts";
import { Finding, HackKind } from "./evidence.ts";
import { Tier } from "./verdict.ts";

export const RedistributionMode = z.enum(["common-scale", "water-fill", "downweight-only"]);
export type RedistributionMode = z.infer<typeof RedistributionMode>;

/** A verified hack with its evidence. */
export const Flag = z.strictObject({
  kind: HackKind,
  claim: z.string(),
  citations: Finding.shape.citations,
});
export type Flag = z.infer<typeof Flag>;

export const GradedRollout = z.strictObject({
  id: z.string(),
  label: z.string().optional().describe("The blind label under which a grader's claims name it."),
  passed: z.boolean().nullable(),
  tier: Tier.optional(),
  rank: z.int().positive().optional().describe("Dense inside the tier; ties share it."),
  quality: z.number().positive().max(1).optional(),
  advantage_given: z.number().nullable(),
  advantage: z
    .number()
    .nullable()
    .describe("Bit-identical to advantage_given outside the redistributed set."),
  reward_equivalent: z
    .number()
    .optional()
    .describe(
      "The reward that makes the trainer's own estimator give `advantage`; only where that is exact.",
    ),
  ungraded: z.string().optional().describe("Why a passing rollout has no tier, for example patch_absent."),
  rerun: z
    .strictObject({ check: z.string(), result: z.union([TestStatus, CheckOutcome.exclude(["exited"])]) })
    .optional()
    .describe("What the tests said when they were run again; the last time, if they were more than once."),
  findings: z.array(Finding),
  flags: z.array(Flag),
});
export type GradedRollout = z.infer<typeof GradedRollout>;

export const Redistribution = z.strictObject({
  mode: RedistributionMode,
  scale: z.number().describe("The common factor c (common-scale), lambda (water-fill) or 1."),
  cap: z.number().describe("The largest scale allowed."),
  cap_active: z.boolean(),
  conserved: z.boolean(),
  residual: z
    .number()
    .describe(
      "(after - before) / before of what is conserved: the positive sum, or its token mass; 0 when before is 0.",
    ),
  positive_sum_before: z.number(),
  positive_sum_after: z.number(),
  negative_sum: z.number(),
  token_mass_before: z.number().optional(),
  token_mass_after: z.number().optional(),
  group_std_shrink: z
    .number()
    .optional()
    .describe("The factor by which a trainer that divides by the group's std will shrink the whole group."),
});
export type Redistribution = z.infer<typeof Redistribution>;

export const Spend = z.strictObject({
  model_calls: z.int(),
  tokens_in: z.int(),
  tokens_out: z.int(),
  tool_calls: z.int(),
  checks: z.int(),
  wall_s: z.number(),
});
export type Spend = z.infer<typeof Spend>;

/** The answer for one group. Every group gets one. */
export const Grade = z.strictObject({
  group_id: z.string(),
  status: z.enum(["graded", "skipped", "fallback"]),
  reason: z.string().optional().describe("Why it was skipped or fell back."),
  grader: z.strictObject({
    kind: z.enum(["offline", "agent", "scripted"]),
    model: z.string().optional(),
    seed: z.int(),
    prompt_hash: z.string().optional(),
  }),
  rollouts: z.array(GradedRollout),
  redistribution: Redistribution,
  reward_form: z
    .string()
    .optional()
    .describe("exact when reward_equivalent is there; else why no rewards give the new advantages."),
  redistributed: z
    .strictObject({ input_hash: z.string(), config_hash: z.string() })
    .describe("Marks the advantages as already redistributed; input that carries it is refused."),
  checks: z.array(Check).optional().describe("What was run in the sandbox, in order."),
  spend: Spend,
  warnings: z.array(z.string()).optional().describe("What could not be read, each with its place."),
});
export type Grade = z.infer<typeof Grade>;
