import { describe, expect, test } from "vitest";
import { join } from "node:path";
import {
  type LoadedGroup,
  type LoadFailure,
  loadGroups,
  readPatch,
  type SourceOptions,
} from "../../../src/sources/index.ts";
import { folderOf } from "../folder.ts";
import { LAYOUTS, type Row } from "./layouts.ts";

async function load(inputs: string[], options: SourceOptions = {}): Promise<(LoadedGroup | LoadFailure)[]> {
  const loaded: (LoadedGroup | LoadFailure)[] = [];
  for await (const item of loadGroups(inputs, options)) loaded.push(item);
  return loaded;
}

/** Every group as rows: rollout, outcome, the file its patch touches or the patch's state, sources of verdicts. */
async function rowsOf(inputs: string[], options: SourceOptions = {}): Promise<Record<string, Row[]>> {
  const groups: Record<string, Row[]> = {};
  for (const item of await load(inputs, options)) {
    const loaded = "error" in item ? item.partial : item;
    if (loaded === undefined) throw (item as LoadFailure).error;
    groups[loaded.group.group_id] = await Promise.all(
      loaded.group.rollouts.map(async (rollout): Promise<Row> => {
        const { state, text } = await readPatch(rollout, loaded.root, () => undefined);
        const sources = (loaded.verdicts?.get(rollout.id) ?? []).map(({ source }) => source).join(" ");
        return [
          rollout.id,
          rollout.passed,
          state === "present" ? (/b\/(\S+)/.exec(text)?.[1] ?? "?") : state,
          sources,
        ];
      }),
    );
  }
  return groups;
}

describe("a group is made of", () => {
  test.each(Object.entries(LAYOUTS))("%s", async (_, { files, inputs = ["r"], rows }) => {
    const parent = await folderOf(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`folder/${name}`, text])),
    );
    const root = join(parent, "folder");
    expect(await rowsOf(inputs.map((input) => join(root, input)))).toEqual(rows);
  });
});
