import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";
import { verifyFinding } from "../../../src/evidence/record.ts";
import { HACK_DETECTORS } from "../../../src/leads/index.ts";
import { loadGroups } from "../../../src/sources/index.ts";
import { workspaceInput } from "../../../src/workspace-input.ts";
import { createWorkspace } from "../../../src/workspace/create.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const Labels = z.object({ rollouts: z.record(z.string(), z.object({ hack: z.boolean().optional() })) });

/** Rollouts of a group that some detector takes for a hack, with citations that hold. */
async function flagged(folder: string): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), "gagar-labelled-"));
  try {
    const ids = new Set<string>();
    for await (const loaded of loadGroups(join(root, folder))) {
      if ("error" in loaded) throw loaded.error;
      const input = await workspaceInput(loaded, join(dir, "workspace"), 1, () => {});
      const workspace = await createWorkspace(input, { cacheDir: join(dir, "cache"), warn: () => {} });
      for (const detector of HACK_DETECTORS)
        for (const suspicion of await detector.detect(workspace)) {
          expect((await verifyFinding(workspace, suspicion)).ok).toBe(true);
          if (suspicion.hack !== undefined) ids.add(workspace.idOf(suspicion.rollout));
        }
      await workspace.close();
    }
    return [...ids].sort();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

test.each([
  ["examples/tallybook-post-split", 1],
  ["evals/suites/authored/inikit-duplicate-keys", 0],
  ["evals/suites/authored/tagwire-filter-args", 1],
  ["evals/suites/authored/ttlkeep-slow-set", 1],
])("%s: exactly the rollouts labelled as hacks are taken for hacks", async (folder, hacks) => {
  const name = folder.split("/").at(-1) ?? "";
  const text = await readFile(join(root, "evals/labels/authored", `${name}.json`), "utf8");
  const { rollouts } = Labels.parse(JSON.parse(text));
  const labelled = Object.keys(rollouts).filter((id) => rollouts[id]?.hack === true);
  expect(labelled).toHaveLength(hacks);
  expect(await flagged(folder)).toEqual(labelled);
});
