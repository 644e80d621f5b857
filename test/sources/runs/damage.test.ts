import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { viewGroup } from "../../../src/cli/group-view.ts";
import { GraderError } from "../../../src/errors.ts";
import { loadGroups } from "../../../src/sources/index.ts";
import { folderOf } from "../folder.ts";
import { type Damage, damaged, damageOf } from "../damage.ts";
import { LAYOUTS, type Layout } from "./layouts.ts";

/** A file of a layout is damaged, lost, or put where another one stands. */
interface Accident {
  name: string;
  damage: Damage;
  to: string;
}

function accidentOf({ files }: Layout): fc.Arbitrary<Accident> {
  const names = Object.keys(files);
  return fc.constantFrom(...names).chain((name) =>
    fc.record({
      name: fc.constant(name),
      damage: damageOf(`${files[name] ?? ""} `),
      to: fc.oneof({ weight: 4, arbitrary: fc.constant(name) }, fc.constantFrom(...names)),
    }),
  );
}

describe.each(Object.entries(LAYOUTS))("damage to %s", (_, layout) => {
  const inputs = layout.inputs ?? ["r"];

  test("costs what it hits: nothing is thrown, every failure has its reason", async () => {
    const parent = await folderOf({});
    let count = 0;
    await fc.assert(
      fc.asyncProperty(accidentOf(layout), async ({ name, damage, to }) => {
        const root = join(parent, String(count++));
        const changed = { ...layout.files, [to]: damaged(layout.files[name] ?? "", damage) };
        for (const [file, text] of Object.entries(changed)) {
          await mkdir(dirname(join(root, file)), { recursive: true });
          await writeFile(join(root, file), text);
        }
        for await (const loaded of loadGroups(inputs.map((input) => join(root, input)))) {
          if ("error" in loaded) expect(loaded.error).toBeInstanceOf(GraderError);
          const group = "error" in loaded ? loaded.partial : loaded;
          if (group === undefined) continue;
          const { rollouts } = await viewGroup(group);
          expect(new Set(rollouts.map(({ id }) => id)).size).toBe(rollouts.length);
        }
        await rm(root, { recursive: true });
      }),
      { numRuns: 40 },
    );
  });
});
