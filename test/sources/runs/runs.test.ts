import { describe, expect, test } from "vitest";
import { join } from "node:path";
import {
  type LoadedGroup,
  type LoadFailure,
  loadGroups,
  readPatch,
  type SourceOptions,
} from "../../../src/sources/index.ts";
import { viewGroup } from "../../../src/cli/group-view.ts";
import { folderOf } from "../folder.ts";
import { fixture, readWithNotes } from "../render.ts";
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

test("a conversation in a folder of a run is read as one: its events, its statement, its state", async () => {
  const events = fixture("openhands-sdk-2026.jsonl").trimEnd().split("\n");
  const files = events.map((text, index) => [`r/o__r-1/attempt_1/events/event-0000${index}-x.json`, text]);
  const root = await folderOf({
    ...(Object.fromEntries(files) as Record<string, string>),
    "r/o__r-1/attempt_2/events/event-00000-x.json": events[0] ?? "",
  });
  const [loaded] = await load([join(root, "r")]);
  const group = loaded !== undefined && "error" in loaded ? loaded.partial : loaded;
  const { rollouts } = await viewGroup(group ?? expect.fail("no group"));
  const alone = readWithNotes(fixture("openhands-sdk-2026.jsonl")).trajectory?.events ?? [];
  expect(rollouts.map(({ id, trajectory }) => [id, trajectory?.format, trajectory?.calls])).toEqual([
    ["attempt_1", "openhands-sdk", alone.filter(({ kind }) => kind === "call").length],
    ["attempt_2", "openhands-sdk", 0],
  ]);
  expect(alone.filter(({ kind }) => kind === "call").length).toBeGreaterThan(0);
});
