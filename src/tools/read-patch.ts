import * as z from "zod";
import type { FileDiff, WorkspaceRollout } from "../workspace/types.ts";
import { cursor, defineTool, findRollout, paged, rolloutLabel } from "./tool.ts";
import { foreign, omission, page } from "./view.ts";

const DiffLine = z.object({
  file: z.string(),
  hunk: z.string().optional(),
  kind: z.enum(["file", "hunk", "context", "added", "removed"]),
  line: z.int().optional().describe("In the new version; in the old one for a removed line."),
  text: z.string(),
});
type Row = z.infer<typeof DiffLine>;

/** Output of every tool that shows a difference between trees. */
export const diffOutput = z.object({ lines: z.array(DiffLine), ...paged });

export const readPatchTool = defineTool({
  name: "read_patch",
  title: "A rollout's change",
  description:
    "What a rollout changed against the base, as the trees differ (not as its patch was written). Hunks have ids like f1.h2. Quote from here for patch citations, without the marks in front.",
  readOnly: true,
  input: z.strictObject({
    rollout: rolloutLabel,
    file: z.string().optional().describe("Only this file."),
    unlike: z
      .array(z.string().min(1))
      .optional()
      .describe(
        "Rollouts that you have read: what is changed exactly as in one of them is named and not shown.",
      ),
    cursor,
  }),
  output: diffOutput,
  async run(context, input) {
    const rollout = findRollout(context, input.rollout);
    const read = (input.unlike ?? []).map((label) => findRollout(context, label));
    const files = rollout.files.filter((file) => input.file === undefined || file.path === input.file);
    if (files.length === 0) {
      const why =
        rollout.patch.reason ??
        (rollout.files.length > 0 ? "it does not change this file" : `patch is ${rollout.patch.state}`);
      return { data: { lines: [], left_out: 0 }, text: `no change: ${why}` };
    }
    return showDiff(files, input.cursor, (file) => twinOf(file, read));
  },
});

/** The first of these rollouts that changes a file in the same way. */
function twinOf(file: FileDiff, others: readonly WorkspaceRollout[]): string | undefined {
  const same = (other: FileDiff) =>
    JSON.stringify({ ...other, id: "" }) === JSON.stringify({ ...file, id: "" });
  return others.find((other) => !file.binary && other.files.some(same))?.label;
}

/** The lines of a difference as data and as text, from the cursor on. */
export function showDiff(
  files: readonly FileDiff[],
  from: string | undefined,
  twin: (file: FileDiff) => string | undefined = () => undefined,
) {
  const all = files.flatMap((file) => rows(file, twin(file)));
  const { shown, next_cursor, left_out } = page(all, from, {
    count: 1500,
    size: (row) => Math.min(row.text.length, 600) + 10,
  });
  const rest = next_cursor === undefined ? { left_out } : { next_cursor, left_out };
  return { data: { lines: shown, ...rest }, text: shown.map(line).join("\n") + omission(rest, "lines") };
}

function rows(file: FileDiff, twin: string | undefined): Row[] {
  const from = file.old_path === undefined ? "" : ` from ${file.old_path}`;
  const mode =
    file.old_mode === file.new_mode || file.status === "added" || file.status === "deleted"
      ? ""
      : `, mode ${file.old_mode} to ${file.new_mode}`;
  const size = file.binary ? "binary" : `+${file.added} -${file.removed}`;
  const head: Row = {
    file: file.path,
    kind: "file",
    text: `${file.id} ${file.status}${from}, ${size}${mode}${twin === undefined ? "" : `, exactly as in ${twin}`}`,
  };
  if (twin !== undefined) return [head];
  return [
    head,
    ...file.hunks.flatMap((hunk) => [
      { file: file.path, hunk: hunk.id, kind: "hunk" as const, text: hunk.header },
      ...hunk.lines.map((line): Row => {
        const number = line.new ?? line.old;
        return {
          file: file.path,
          hunk: hunk.id,
          kind: line.kind,
          ...(number === undefined ? {} : { line: number }),
          text: line.text,
        };
      }),
    ]),
  ];
}

const MARK: Record<Row["kind"], string> = { file: "", hunk: "", context: " ", added: "+", removed: "-" };

function line(row: Row): string {
  if (row.kind === "file") return foreign(`file ${row.text} `, row.file);
  if (row.kind === "hunk") return foreign(row.hunk ?? "", row.text);
  return foreign(`${String(row.line ?? "").padStart(5)} ${MARK[row.kind]}`, row.text);
}
