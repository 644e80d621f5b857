import * as z from "zod";
import { GraderError } from "../errors.ts";
import type { WorkspaceRollout } from "../workspace/types.ts";
import { cursor, defineTool, findRollout, paged, rolloutLabel } from "./tool.ts";
import { foreign, omission, page } from "./view.ts";

const MAX_MATCHES = 2000;

export const searchTrajectoryTool = defineTool({
  name: "search_trajectory",
  title: "Search in trajectories",
  description:
    "Lines of calls, observations and texts that contain a string, in one rollout's trajectory or in all of them.",
  readOnly: true,
  input: z.strictObject({
    text: z.string().min(2).describe("Plain text; letter case is ignored."),
    rollout: rolloutLabel.optional(),
    cursor,
  }),
  output: z.object({
    matches: z.array(
      z.object({ rollout: z.string(), event: z.string(), kind: z.string(), line: z.string() }),
    ),
    ...paged,
  }),
  async run(context, input) {
    const rollouts =
      input.rollout === undefined ? context.workspace.rollouts : [findRollout(context, input.rollout)];
    if (rollouts.every((rollout) => rollout.trajectory === undefined))
      throw new GraderError("bad_input", "there is no trajectory to search in");
    const all = await matches(rollouts, input.text.toLowerCase());
    const { shown, next_cursor, left_out } = page(all, input.cursor, {
      count: 100,
      size: ({ line }) => line.length + 20,
    });
    const rest = next_cursor === undefined ? { left_out } : { next_cursor, left_out };
    const text =
      shown.length === 0
        ? "no line contains it"
        : shown.map((match) => foreign(`${match.rollout} ${match.event}`, match.line)).join("\n");
    return { data: { matches: shown, ...rest }, text: text + omission(rest, "matches") };
  },
});

async function matches(rollouts: readonly WorkspaceRollout[], needle: string) {
  const found: { rollout: string; event: string; kind: string; line: string }[] = [];
  for (const { label, trajectory } of rollouts) {
    if (trajectory === undefined) continue;
    for await (const event of trajectory.events()) {
      if (!event.text.toLowerCase().includes(needle)) continue;
      for (const line of event.text.split("\n")) {
        const at = line.toLowerCase().indexOf(needle);
        if (at < 0) continue;
        if (found.length >= MAX_MATCHES) return found;
        const start = Math.max(0, at - 120);
        found.push({
          rollout: label,
          event: event.id,
          kind: event.kind,
          line: line.slice(start, at + needle.length + 240),
        });
      }
    }
  }
  return found;
}
