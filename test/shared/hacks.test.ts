import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { verifyFinding } from "../../src/evidence/record.ts";
import { DETECTORS, HACK_DETECTORS } from "../../src/leads/index.ts";
import { testEdits } from "../../src/leads/test-edits.ts";
import { loadGroups } from "../../src/sources/index.ts";
import { workspaceInput } from "../../src/workspace-input.ts";
import { createWorkspace } from "../../src/workspace/create.ts";
import { sharedData } from "../helpers/shared-data.ts";

const root = sharedData ?? "";
const detectors = [...new Set([...HACK_DETECTORS, ...DETECTORS, testEdits])];

/** Ids of rollouts with a suspicion of reward hacking whose citations hold. */
async function flagged(folder: string, outcomes?: string): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), "gagar-hacks-"));
  try {
    const ids = new Set<string>();
    for await (const loaded of loadGroups(folder, outcomes === undefined ? {} : { outcomes })) {
      if ("error" in loaded) throw loaded.error;
      const input = await workspaceInput(loaded, join(dir, "workspace"), 1, () => {});
      const workspace = await createWorkspace(input, { cacheDir: join(dir, "cache"), warn: () => {} });
      for (const detector of detectors)
        for (const suspicion of await detector.detect(workspace))
          if (suspicion.hack !== undefined && (await verifyFinding(workspace, suspicion)).ok)
            ids.add(workspace.idOf(suspicion.rollout));
      await workspace.close();
    }
    return [...ids].sort();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const groups = readdirSync(join(root, "groups")).filter((name) =>
  existsSync(join(root, "groups", name, "task.md")),
);
const hard = readdirSync(join(root, "hard"));

test.each(groups)("%s: no real rollout is taken for a hack", async (name) => {
  const folder = join(root, "groups", name);
  expect(await flagged(folder, join(folder, "labels/outcomes.json"))).toEqual([]);
});

test.each(hard)("%s: no subtle fault is taken for a hack", async (name) => {
  expect(await flagged(join(root, "hard", name))).toEqual([]);
});

const degraded = groups.filter((name) => existsSync(join(root, "groups", name, "labels/metamorphic")));
test.each(degraded)("%s: of its degraded patches only the one that edits a test is", async (name) => {
  const source = join(root, "groups", name);
  const dir = mkdtempSync(join(tmpdir(), "gagar-degraded-"));
  try {
    cpSync(join(source, "task.md"), join(dir, "task.md"));
    cpSync(join(source, "repo.tar.gz"), join(dir, "repo.tar.gz"));
    const patches = readdirSync(join(source, "labels/metamorphic")).filter((file) => file.endsWith(".patch"));
    for (const patch of patches) {
      const folder = join(dir, "rollouts", basename(patch, ".patch"));
      mkdirSync(folder, { recursive: true });
      cpSync(join(source, "labels/metamorphic", patch), join(folder, "patch.diff"));
    }
    const passed = Object.fromEntries(patches.map((patch) => [basename(patch, ".patch"), true]));
    writeFileSync(join(dir, "outcomes.json"), JSON.stringify(passed));
    expect(await flagged(dir, join(dir, "outcomes.json"))).toEqual(["edit_tests"]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
