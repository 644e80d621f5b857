import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";
import { runnersImage } from "../../scripts/lib/runners.mjs";
import { IMAGE } from "../../src/sandbox/image/recipe.ts";
import { sharedData } from "../helpers/shared-data.ts";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const root = join(sharedData ?? "", "groups");

const Rerun = z.looseObject({
  rollouts: z.array(z.looseObject({ id: z.string(), result: z.string(), agreement: z.string() })),
  check: z.looseObject({
    runs: z.array(
      z.looseObject({ rollout: z.string(), status: z.string().optional(), canary: z.string().optional() }),
    ),
  }),
});
const Outcomes = z.looseObject({ rollouts: z.record(z.string(), z.looseObject({ resolved: z.boolean() })) });

/** Real tasks with patches of real agents: what was measured of them elsewhere, the sandbox measures again. */
test.each([
  ["sympy__sympy-21847", "python3 -m pytest -q sympy/polys/tests/test_monomials.py"],
  ["yt-dlp__yt-dlp-9862", "python3 -m pytest -q -m 'not download' test/test_YoutubeDL.py"],
  ["yt-dlp__yt-dlp-4841", "python3 -m pytest -q -m 'not download' test/test_utils.py"],
])("%s: one command reproduces the outcome of every rollout", { timeout: 600_000 }, (group, tests) => {
  const labels = join(root, group, "labels");
  const outcomes = join(labels, "outcomes.json");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      main,
      "test",
      join(root, group),
      "--json",
      "--sandbox=docker",
      `--test-image=${runnersImage(IMAGE)}`,
      "--runner=pytest",
      `--test-command=${tests}`,
      `--test-patch=${join(labels, "test.patch")}`,
      `--outcomes=${outcomes}`,
    ],
    { encoding: "utf8" },
  );
  expect([status, stderr]).toEqual([0, ""]);
  const { rollouts, check } = Rerun.parse(JSON.parse(stdout));
  const expected = Outcomes.parse(JSON.parse(readFileSync(outcomes, "utf8"))).rollouts;
  const known = rollouts.map(({ id }) => id);
  expect(known.length).toBeGreaterThan(3);
  expect(Object.fromEntries(rollouts.map(({ id, result }) => [id, result]))).toEqual(
    Object.fromEntries(known.map((id) => [id, expected[id]?.resolved === true ? "passed" : "failed"])),
  );
  expect(rollouts.filter(({ agreement }) => agreement !== "reproduced")).toEqual([]);
  // A pass is one only where a test that must fail was seen to fail, and the base has to fail.
  for (const { rollout, status: now, canary } of check.runs)
    expect([rollout, canary]).toEqual([rollout, now === "passed" ? "failed" : undefined]);
  expect(check.runs.find(({ rollout }) => rollout === "base")?.status).toBe("failed");
});
