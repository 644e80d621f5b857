import * as z from "zod";

/**
 * One event of a normalised trajectory. Ids are `t<turn>.<letter><n>`, n from 1 inside its kind and turn:
 * `m` text, `r` reasoning, `c` call, `o` observation, `x` context (condensation, abort, note of the harness).
 * An observation belongs to the turn of the call that it answers, whatever the source format does.
 * They are given in reading order before anything is shortened, so damage later in a file never changes them.
 */
export const TrajectoryEvent = z.strictObject({
  id: z.string().regex(/^t\d+\.[mrcox]\d+$/),
  turn: z.int().nonnegative(),
  kind: z.enum(["text", "reasoning", "call", "observation", "context"]),
  role: z.enum(["system", "task", "user", "agent", "env"]),
  text: z.string().describe("What was said, called (command or arguments) or seen. Never shortened here."),
  tool: z.string().optional().describe("Calls: the tool's name."),
  arguments: z.unknown().optional().describe("Calls: parsed arguments; absent when they did not parse."),
  command: z.string().optional().describe("Calls: the shell command, when it is one."),
  path: z.string().optional().describe("Calls: the file that the tool reads or writes, when it names one."),
  call: z.string().optional().describe("Observations: the id of the call that it answers."),
  status: z.enum(["ok", "error", "timeout", "missing", "rejected"]).optional().describe("Observations."),
  exit_code: z.int().optional().describe("Observations: as recorded; absent when the format has none."),
  branch: z
    .enum(["sidechain", "abandoned"])
    .optional()
    .describe("Absent on the main line. A sub-agent's work, or a line of conversation that was left."),
  timestamp: z.string().optional(),
});
export type TrajectoryEvent = z.infer<typeof TrajectoryEvent>;

export const TRAJECTORY_FORMATS = [
  "sweagent",
  "mini-swe-agent",
  "openai-chat",
  "claude-code",
  "atif",
  "openhands",
  "openhands-sdk",
  "terminal",
  "inspect",
  "codex",
  "codex-exec",
  "openai-responses",
  "anthropic",
  "r2e-gym",
  "text",
] as const;
/** `text` is a record that no reader understands: kept whole as one context event, with a warning. */
export type TrajectoryFormat = (typeof TRAJECTORY_FORMATS)[number];

/** What a trajectory reader returns. Plain data, events in order. */
export interface Trajectory {
  format: TrajectoryFormat;
  /** The format's own version where it states one, for example "1.7" or "1.1". */
  version?: string;
  events: TrajectoryEvent[];
  /** How the run ended, as the harness says. */
  exit?: string;
  /** The patch that the agent submitted, when the trajectory holds one. */
  submission?: string;
  /** Tokens the model wrote, when recorded. */
  completion_tokens?: number;
}
