import * as z from "zod";
import type { Checks } from "../checks/checks.ts";
import { GraderError } from "../errors.ts";
import type { Finding, Lead } from "../schema/evidence.ts";
import type { Verdict } from "../schema/verdict.ts";
import type { Log } from "../workspace/log.ts";
import type { Oid, Workspace, WorkspaceRollout } from "../workspace/types.ts";

/** What the tools of one group work on. The server, the graph and outside clients share it. */
export interface ToolContext {
  workspace: Workspace;
  leads: readonly Lead[];
  findings: Log<Finding>;
  /** Labels that a verdict must place. */
  graded: readonly string[];
  /** What can be run; without a sandbox its runs answer that none is there. */
  checks: Checks;
  /** Set by submit_verdict once a verdict holds. */
  verdict: { accepted?: Verdict };
}

/** What a tool answers: the same facts once as data and once as text to read. */
export interface ToolResult<T> {
  data: T;
  text: string;
}

/** A tool as the server sees it: `call` checks its arguments itself. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  /** False for the two tools that write findings and the verdict. */
  readOnly: boolean;
  /**
   * Throws GraderError `bad_input` for what the caller can mend; the server turns it into an error result.
   *
   * @param key - Names the call, so that a check which it has finished is not run again.
   */
  call(context: ToolContext, args: unknown, key?: string): Promise<ToolResult<Record<string, unknown>>>;
}

interface ToolDefinition<I extends z.ZodObject, O extends z.ZodObject> extends Omit<
  Tool,
  "input" | "output" | "call"
> {
  input: I;
  output: O;
  run(context: ToolContext, input: z.infer<I>, key?: string): Promise<ToolResult<z.infer<O>>>;
}

/** Declares a tool with its types inferred from the schemas. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: ToolDefinition<I, O>,
): Tool {
  return {
    ...definition,
    call: async (context, args, key) => definition.run(context, definition.input.parse(args), key),
  };
}

export const rolloutLabel = z
  .string()
  .min(1)
  .describe("Rollout label as list_rollouts shows it, for example A.");
export const treeName = z
  .string()
  .min(1)
  .describe('Whose files: a rollout label, "base", or "tests" for the base with the visible tests on top.');
export const cursor = z
  .string()
  .optional()
  .describe("next_cursor of the previous answer, to go on from there.");
/** Fields that every bounded answer has. */
export const paged = {
  next_cursor: z.string().optional().describe("Present when something was left out; pass it as cursor."),
  left_out: z.int().nonnegative().describe("How many items follow after this answer."),
};

/** The rollout of a label. */
export function findRollout(context: ToolContext, label: string): WorkspaceRollout {
  const rollout = context.workspace.rollout(label);
  if (rollout !== undefined) return rollout;
  const known = context.workspace.rollouts.map(({ label }) => label).join(", ");
  throw new GraderError("bad_input", `there is no rollout ${JSON.stringify(label)}; there are ${known}`);
}

/** The tree of a label, "base" or "tests". */
export function findTree(context: ToolContext, name: string): Oid {
  if (name === "base") return context.workspace.base;
  if (name === "tests") return context.workspace.testsTree;
  const rollout = findRollout(context, name);
  if (rollout.patch.tree !== undefined) return rollout.patch.tree;
  throw new GraderError(
    "bad_input",
    `rollout ${name} has no tree: its patch is ${rollout.patch.reason ?? rollout.patch.state}`,
  );
}
