import * as z from "zod";
import { GraderError } from "../errors.ts";
import type { EventSummary, TrajectoryStore } from "../workspace/types.ts";
import { cursor, defineTool, findRollout, paged, rolloutLabel, type ToolContext } from "./tool.ts";
import { foreign, omission, page } from "./view.ts";

const Row = z.object({
  id: z.string(),
  turn: z.int(),
  kind: z.string(),
  role: z.string(),
  about: z.string(),
  outcome: z.string().optional(),
  exit_code: z.int().optional(),
  bytes: z.int(),
});

export const readSummaryTool = defineTool({
  name: "read_summary",
  title: "Summary of a trajectory",
  description:
    "One line an event of a rollout's trajectory: id, tool and target, how it ended, size. Use it to find what deserves a closer look with read_event.",
  readOnly: true,
  input: z.strictObject({ rollout: rolloutLabel, cursor }),
  output: z.object({
    rollout: z.string(),
    format: z.string(),
    turns: z.int(),
    events: z.array(Row),
    ...paged,
  }),
  async run(context, input) {
    const trajectory = findTrajectory(context, input.rollout);
    const { shown, next_cursor, left_out } = page(trajectory.summary, input.cursor, {
      count: 400,
      size: (row) => row.about.length + 40,
    });
    const rest = next_cursor === undefined ? { left_out } : { next_cursor, left_out };
    return {
      data: {
        rollout: input.rollout,
        format: trajectory.format,
        turns: trajectory.turns,
        events: shown.map((row) => ({ ...row })),
        ...rest,
      },
      text: shown.map(line).join("\n") + omission(rest, "events"),
    };
  },
});

/** The trajectory of a label, or the reason why there is none to read. */
export function findTrajectory(context: ToolContext, label: string): TrajectoryStore {
  const { trajectory } = findRollout(context, label);
  if (trajectory === undefined) throw new GraderError("bad_input", `rollout ${label} has no trajectory`);
  return trajectory;
}

function line(row: EventSummary): string {
  const exit = row.exit_code === undefined ? "" : ` exit ${row.exit_code}`;
  const outcome =
    row.kind === "call" ? `${row.outcome ?? "missing"}${exit}, ${row.bytes} bytes` : `${row.bytes} bytes`;
  return foreign(
    `${row.id} ${row.kind === "call" ? "" : `${row.role} ${row.kind} `}[${outcome}] `,
    row.about,
  );
}
