import * as z from "zod";
import { cursor, defineTool, findTree, paged, treeName } from "./tool.ts";
import { foreign, omission, page } from "./view.ts";

export const listFilesTool = defineTool({
  name: "list_files",
  title: "Files of a tree",
  description:
    "Paths and sizes in the base or in a rollout's version of the repository, in one folder or everywhere.",
  readOnly: true,
  input: z.strictObject({
    tree: treeName,
    folder: z.string().optional().describe("Only what lies below it."),
    cursor,
  }),
  output: z.object({
    files: z.array(z.object({ path: z.string(), mode: z.string(), bytes: z.int() })),
    ...paged,
  }),
  async run(context, input) {
    const entries = await context.workspace.store.list(findTree(context, input.tree));
    const below = input.folder === undefined ? "" : `${input.folder.replace(/\/+$/, "")}/`;
    const inside = entries.filter((entry) => below === "/" || entry.path.startsWith(below));
    const { shown, next_cursor, left_out } = page(inside, input.cursor, {
      count: 500,
      size: ({ path }) => path.length + 12,
    });
    const rest = next_cursor === undefined ? { left_out } : { next_cursor, left_out };
    const files = shown.map(({ path, mode, size }) => ({ path, mode, bytes: size }));
    const text =
      files.length === 0
        ? "no file there"
        : files.map((file) => foreign(`${file.mode} ${file.bytes}`, file.path)).join("\n");
    return { data: { files, ...rest }, text: text + omission(rest, "files") };
  },
});
