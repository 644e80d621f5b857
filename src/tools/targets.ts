import * as z from "zod";
import type { Target } from "../checks/trees.ts";
import { findTree, type ToolContext } from "./tool.ts";

/** Which rollouts something is run on. */
export const targetInput = {
  rollouts: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("Labels. Default: all that are to be placed."),
  base: z.boolean().default(true).describe("Also the code before any change, as a control."),
};

/** The trees of the wanted rollouts, the base last. Throws for a label that has none. */
export function targetsOf(
  context: ToolContext,
  { rollouts, base }: { rollouts?: string[] | undefined; base: boolean },
): Target[] {
  const labels = new Set([...(rollouts ?? context.graded), ...(base ? ["base"] : [])]);
  return [...labels].map((label) => ({ label, tree: findTree(context, label) }));
}
