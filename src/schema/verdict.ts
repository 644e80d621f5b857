import * as z from "zod";

/** 1 merge as it is, 2 merge after minor changes, 3 works by the tests but needs rework. */
export const Tier = z.union([z.literal(1), z.literal(2), z.literal(3)]);
export type Tier = z.infer<typeof Tier>;

/** What a grader submits: the tiers, and the whole order with ties. Both must say the same. */
export const Verdict = z.strictObject({
  tier_1: z.array(z.string()).describe("Merge as it is."),
  tier_2: z.array(z.string()).describe("Merge after minor changes."),
  tier_3: z.array(z.string()).describe("Works by the tests but needs rework."),
  ranking: z
    .array(z.array(z.string()).min(1))
    .describe("Best first. Rollouts in one inner list are tied; a tie never crosses tiers."),
});
export type Verdict = z.infer<typeof Verdict>;

/** Place of one rollout. `rank` is dense inside its tier: 1 is best, ties share it. */
export const Placement = z.strictObject({ tier: Tier, rank: z.int().positive() });
export type Placement = z.infer<typeof Placement>;
