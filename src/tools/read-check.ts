import * as z from "zod";
import { describeEnd } from "../checks/describe.ts";
import { readCheck, readRun } from "../checks/store.ts";
import { GraderError } from "../errors.ts";
import { cursor, defineTool, paged } from "./tool.ts";
import { foreign, omission, page } from "./view.ts";

export const readCheckTool = defineTool({
  name: "read_check",
  title: "All that a run printed",
  description: "What one rollout's run in a check printed, in full, by cursor.",
  readOnly: true,
  input: z.strictObject({
    check: z.string().describe("Id of a check, for example x3."),
    rollout: z.string().optional().describe('Label, or "base". Not needed when the check has one run.'),
    cursor,
  }),
  output: z.object({
    check: z.string(),
    rollout: z.string(),
    end: z.string(),
    lines: z.array(z.object({ stream: z.enum(["out", "err"]), text: z.string() })),
    ...paged,
  }),
  async run({ workspace }, input) {
    const check = await readCheck(workspace.dir, input.check);
    if (check === undefined) throw new GraderError("bad_input", `no check ${input.check} has been run`);
    const wanted = input.rollout ?? (check.runs.length === 1 ? check.runs[0]?.rollout : undefined);
    const run = check.runs.find(({ rollout }) => rollout === wanted);
    if (run === undefined) {
      const known = check.runs.map(({ rollout }) => rollout).join(", ");
      throw new GraderError("bad_input", `check ${check.id} has runs of ${known}: name one as rollout`);
    }
    const { printed } = await readRun(workspace.dir, check.id, run.rollout);
    const { stdout, stderr } = printed;
    const lines = [...linesOf("out", stdout), ...linesOf("err", stderr)];
    const { shown, next_cursor, left_out } = page(lines, input.cursor, {
      count: 500,
      size: (line) => Math.min(line.text.length, 600) + 6,
    });
    const rest = next_cursor === undefined ? { left_out } : { next_cursor, left_out };
    const end = describeEnd(run);
    return {
      data: { check: check.id, rollout: run.rollout, end, lines: shown, ...rest },
      text:
        [`${run.rollout}: ${end}`, ...shown.map(({ stream, text }) => foreign(stream, text))].join("\n") +
        omission(rest, "lines"),
    };
  },
});

function linesOf(stream: "out" | "err", text: string) {
  return text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => ({ stream, text: line }));
}
