import * as z from "zod";
import { GraderError } from "../errors.ts";
import { cursor, defineTool, findTree, paged, treeName } from "./tool.ts";
import { foreign, omission, page } from "./view.ts";

export const readFileTool = defineTool({
  name: "read_file",
  title: "Read a file",
  description:
    "Lines of a file in the base or in a rollout's version, with line numbers. A symlink shows its target; it is never followed.",
  readOnly: true,
  input: z.strictObject({
    tree: treeName,
    path: z.string().min(1),
    from_line: z.int().positive().optional().describe("First line, 1-based. Ignored when a cursor is given."),
    lines: z.int().positive().max(2000).optional().describe("How many lines; 400 by default."),
    cursor,
  }),
  output: z.object({
    path: z.string(),
    first_line: z.int(),
    lines: z.array(z.string()),
    total_lines: z.int(),
    ...paged,
  }),
  async run(context, input) {
    const tree = findTree(context, input.tree);
    const entry = await context.workspace.store.entry(tree, input.path);
    if (entry === undefined)
      throw new GraderError("bad_input", `there is no file ${JSON.stringify(input.path)} in ${input.tree}`);
    const text = await context.workspace.store.readText(tree, input.path);
    if (text === undefined)
      throw new GraderError(
        "bad_input",
        `${input.path} is binary, a submodule or too large to read (${entry.size} bytes)`,
      );
    const all = text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n");
    const from = input.cursor ?? String((input.from_line ?? 1) - 1);
    const { shown, start, next_cursor, left_out } = page(all, from, {
      count: input.lines ?? 400,
      size: (line) => Math.min(line.length, 600) + 8,
    });
    const rest = next_cursor === undefined ? { left_out } : { next_cursor, left_out };
    const numbered = shown
      .map((line, index) => foreign(String(start + index + 1).padStart(5), line))
      .join("\n");
    return {
      data: { path: input.path, first_line: start + 1, lines: shown, total_lines: all.length, ...rest },
      text: (entry.mode === "120000" ? "symlink; its target is:\n" : "") + numbered + omission(rest, "lines"),
    };
  },
});
