import * as z from "zod";
import { GraderError } from "../errors.ts";
import type { TrajectoryEvent } from "../schema/trajectory.ts";
import { findTrajectory } from "./read-summary.ts";
import { cursor, defineTool, paged, rolloutLabel } from "./tool.ts";
import { foreign, omission, page } from "./view.ts";

export const readEventTool = defineTool({
  name: "read_event",
  title: "One event in full",
  description:
    "The full text of an event of a trajectory. With a call's id (t12.c1) the observation that answers it comes along. Quote from here for event citations.",
  readOnly: true,
  input: z.strictObject({
    rollout: rolloutLabel,
    event: z.string().describe("Event id, for example t12.c1 or t12.o1."),
    cursor,
  }),
  output: z.object({
    rollout: z.string(),
    events: z.array(z.object({ id: z.string(), kind: z.string(), role: z.string() })),
    lines: z.array(z.object({ event: z.string(), text: z.string() })),
    ...paged,
  }),
  async run(context, input) {
    const trajectory = findTrajectory(context, input.rollout);
    const event = await trajectory.get(input.event);
    if (event === undefined)
      throw new GraderError("bad_input", `rollout ${input.rollout} has no event ${input.event}`);
    const events = [event, ...(event.kind === "call" ? await answers(trajectory, event) : [])];
    const lines = events.flatMap(({ id, text }) =>
      text.split("\n").map((line) => ({ event: id, text: line })),
    );
    const { shown, next_cursor, left_out } = page(lines, input.cursor, {
      count: 1000,
      size: (line) => Math.min(line.text.length, 600) + 8,
    });
    const rest = next_cursor === undefined ? { left_out } : { next_cursor, left_out };
    return {
      data: {
        rollout: input.rollout,
        events: events.map(({ id, kind, role }) => ({ id, kind, role })),
        lines: shown,
        ...rest,
      },
      text: shown.map((line) => foreign(line.event, line.text)).join("\n") + omission(rest, "lines"),
    };
  },
});

/** Observations that answer a call stand in its turn. */
async function answers(
  trajectory: { ids: readonly string[]; get(id: string): Promise<TrajectoryEvent | undefined> },
  call: TrajectoryEvent,
): Promise<TrajectoryEvent[]> {
  const sameTurn = trajectory.ids.filter((id) => id.startsWith(`t${call.turn}.o`));
  const events = await Promise.all(sameTurn.map((id) => trajectory.get(id)));
  return events.filter((event) => event !== undefined).filter((event) => event.call === call.id);
}
