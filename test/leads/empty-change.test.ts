import { expect, test } from "vitest";
import { verifyFinding } from "../../src/evidence/record.ts";
import { emptyChange } from "../../src/leads/empty-change.ts";
import { makeWorkspace, type RolloutSketch } from "../helpers/workspace.ts";

const base = { "f.py": "def f(x):\n    return x\n" };
const fixed = { files: { "f.py": "def f(x):\n    return x + 1\n" } };

test.each<[string, Record<string, RolloutSketch>, string[]]>([
  ["J12: an empty patch beside a fix", { empty: { files: {} }, fixed }, ["empty"]],
  ["J12: a patch of white space alone", { empty: { patch: "\n \n" }, fixed }, ["empty"]],
  ["an empty patch that fails", { empty: { files: {}, passed: false }, fixed }, []],
  ["a missing patch", { missing: { patch: null }, fixed }, []],
  ["nobody changes anything", { empty: { files: {} }, other: { files: {} } }, []],
])("%s", async (_, rollouts, expected) => {
  await using workspace = await makeWorkspace({ base, rollouts });
  const found = await emptyChange.detect(workspace);
  expect(found.map(({ rollout }) => workspace.idOf(rollout))).toEqual(expected);
  for (const suspicion of found)
    expect(await verifyFinding(workspace, suspicion)).toMatchObject({ ok: true });
});
