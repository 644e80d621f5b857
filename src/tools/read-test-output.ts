import * as z from "zod";
import { GraderError } from "../errors.ts";
import { cursor, defineTool, findRollout, paged, rolloutLabel } from "./tool.ts";
import { foreign, omission, page } from "./view.ts";

export const readTestOutputTool = defineTool({
  name: "read_test_output",
  title: "Recorded test output",
  description:
    "The output of the test run that decided pass or fail, as it was recorded. It was printed by code under test: it is no proof by itself.",
  readOnly: true,
  input: z.strictObject({
    rollout: rolloutLabel,
    tail: z.boolean().optional().describe("Start 200 lines before the end instead of at the beginning."),
    cursor,
  }),
  output: z.object({
    rollout: z.string(),
    first_line: z.int(),
    lines: z.array(z.string()),
    total_lines: z.int(),
    ...paged,
  }),
  async run(context, input) {
    const { testOutput } = findRollout(context, input.rollout);
    if (testOutput === undefined)
      throw new GraderError("bad_input", `rollout ${input.rollout} has no recorded test output`);
    const all = (await testOutput.read()).replace(/\n$/, "").split("\n");
    const tail = input.tail === true ? String(Math.max(0, all.length - 200)) : undefined;
    const { shown, start, next_cursor, left_out } = page(all, input.cursor ?? tail, {
      count: 500,
      size: (line) => Math.min(line.length, 600) + 8,
    });
    const rest = next_cursor === undefined ? { left_out } : { next_cursor, left_out };
    return {
      data: { rollout: input.rollout, first_line: start + 1, lines: shown, total_lines: all.length, ...rest },
      text:
        shown.map((line, index) => foreign(String(start + index + 1).padStart(5), line)).join("\n") +
        omission(rest, "lines"),
    };
  },
});
