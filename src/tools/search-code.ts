import * as z from "zod";
import { cursor, defineTool, findTree, paged, treeName } from "./tool.ts";
import { foreign, omission, page } from "./view.ts";

const MAX_MATCHES = 1000;

export const searchCodeTool = defineTool({
  name: "search_code",
  title: "Search in a tree",
  description:
    "Lines that match, in the base or in a rollout's version: who calls this, does a helper exist, where else.",
  readOnly: true,
  input: z.strictObject({
    tree: treeName,
    pattern: z.string().min(1),
    regex: z.boolean().optional().describe("POSIX extended regular expression instead of plain text."),
    ignore_case: z.boolean().optional(),
    word: z.boolean().optional().describe("Whole words only."),
    path: z.string().optional().describe("Folder or file to search in."),
    cursor,
  }),
  output: z.object({
    matches: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
    complete: z.boolean().describe("False when there are more matches than are counted here."),
    ...paged,
  }),
  async run(context, input) {
    const { matches, more } = await context.workspace.store.grep(findTree(context, input.tree), {
      pattern: input.pattern,
      limit: MAX_MATCHES,
      ...(input.regex === undefined ? {} : { regex: input.regex }),
      ...(input.ignore_case === undefined ? {} : { ignoreCase: input.ignore_case }),
      ...(input.word === undefined ? {} : { word: input.word }),
      ...(input.path === undefined ? {} : { path: input.path }),
    });
    const { shown, next_cursor, left_out } = page(matches, input.cursor, {
      count: 200,
      size: (match) => match.path.length + Math.min(match.text.length, 600),
    });
    const rest = next_cursor === undefined ? { left_out } : { next_cursor, left_out };
    const lines = shown.map((match) => foreign(`${match.path}:${match.line}`, match.text));
    const text = lines.length === 0 ? "no match" : lines.join("\n");
    const cut = more ? `\n[more than ${MAX_MATCHES} matches; narrow the search]` : "";
    return {
      data: { matches: shown, complete: !more, ...rest },
      text: text + omission(rest, "matches") + cut,
    };
  },
});
