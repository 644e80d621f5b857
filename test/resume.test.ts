import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { gradeGroup } from "../src/grade.ts";
import { scriptedInspector, type ScriptStep } from "../src/models/scripted.ts";
import type { Grade } from "../src/schema/grade.ts";
import { fakeOpenAI, type FakeOpenAI, type Reply, type Seen } from "./helpers/fake-openai.ts";
import { placed, resumedGrade, untimed } from "./helpers/grade-process.ts";
import { makeGroup } from "./helpers/group.ts";
import { tempDir } from "./helpers/temp-dir.ts";

const base = { "f.py": "def f(x):\n    return x\n" };
const sketch = {
  base,
  rollouts: {
    a: { files: { "f.py": "def f(x):\n    return x + 1\n" }, advantage: 1 },
    b: { files: { "f.py": "def f(x):\n    return 1 + x\n" }, advantage: 1 },
    c: { files: {}, advantage: -2, passed: false },
  },
};

/** Twelve steps of reading, then a verdict. What it says depends only on how far the conversation is. */
function script({ messages }: Seen): Reply {
  const steps = messages.filter(({ role }) => role === "assistant").length - 3;
  if (steps < 12)
    return {
      calls: [
        { name: "search_code", args: { tree: "base", pattern: `step${steps}` } },
        { name: "task", args: {} },
      ],
    };
  return {
    calls: [
      {
        name: "submit_verdict",
        args: { tier_1: placed(messages), tier_2: [], tier_3: [], ranking: [placed(messages)] },
      },
    ],
  };
}

/** Runs the grade, killed after so many milliseconds. Null when it was killed. */
async function run(
  server: FakeOpenAI,
  group: string,
  work: string,
  killAfter?: number,
): Promise<Grade | null> {
  const until = killAfter === undefined ? undefined : delay(killAfter);
  return resumedGrade({ server, group, work, options: ["--sandbox", "none"], until });
}

test("R08: a grading killed again and again ends as an undisturbed one, with the same counts", async () => {
  await using server = await fakeOpenAI(script);
  using group = makeGroup(sketch);
  using work = tempDir();
  const whole = await run(server, group.dir, join(work.path, "whole"));
  const asked = server.seen.length;
  expect(whole).toMatchObject({
    status: "graded",
    spend: { model_calls: 13, tool_calls: 3 + 2 + 2 + 24 + 1 },
  });
  let kills = 0;
  let grade: Grade | null = null;
  // Each attempt gets a little longer than the one before, so that the kills fall everywhere.
  for (let ms = 600; grade === null; ms += 70) {
    grade = await run(server, group.dir, join(work.path, "killed"), ms);
    if (grade === null) kills += 1;
  }
  expect(kills).toBeGreaterThan(2);
  expect(untimed(grade)).toEqual(untimed(whole as Grade));
  // A request that was under way at a kill may be asked again; a finished one never is.
  expect(server.seen.length - asked).toBeLessThanOrEqual(asked + kills);
  const requests = server.seen.length;
  expect(await run(server, group.dir, join(work.path, "killed"))).toEqual(grade);
  expect(server.seen.length).toBe(requests);
}, 240_000);

const main = fileURLToPath(new URL("../dist/index.js", import.meta.url));

/** A grading in a process of its own that kills itself as a step begins; with no step it prints its grade. */
function killedAt(step: string, group: string, work: string): string {
  const script = `
    const { gradeGroup, loadGroups, scriptedInspector } = await import(${JSON.stringify(main)});
    const [group, workspaceDir, step] = process.argv.slice(1);
    const places = { tier_1: ["A", "C"], tier_2: [], tier_3: [], ranking: [["A", "C"]] };
    const inspector = scriptedInspector([
      [{ name: "task", args: {} }],
      [{ name: "submit_verdict", args: places }],
    ]);
    const onProgress = (at) => at.step === step && process.kill(process.pid, "SIGKILL");
    for await (const loaded of loadGroups(group))
      console.log(JSON.stringify(await gradeGroup(loaded, { inspector, workspaceDir, resume: true, onProgress, clock: () => 0 })));
  `;
  // The step comes last: "inspect" in the first place would start Node's debugger.
  const node = ["--input-type=module", "-e", script, group, work, step];
  return spawnSync(process.execPath, node, { encoding: "utf8", timeout: 50_000 }).stdout;
}

test.each(["prepare", "inspect", "tools", "rank", "redistribute"])(
  "killed as %s begins, a grading goes on to the same answer",
  (step) => {
    using group = makeGroup(sketch);
    using work = tempDir();
    const whole = killedAt("", group.dir, join(work.path, "whole"));
    expect(JSON.parse(whole)).toMatchObject({ status: "graded", rollouts: [{ tier: 1 }, { tier: 1 }, {}] });
    const dir = join(work.path, "killed");
    expect(killedAt(step, group.dir, dir)).toBe("");
    expect(killedAt("", group.dir, dir)).toBe(whole);
  },
);

const submit: ScriptStep[] = [
  [{ name: "task", args: {} }],
  [{ name: "submit_verdict", args: { tier_1: ["A", "B"], tier_2: [], tier_3: [], ranking: [["A", "B"]] } }],
];

test("another configuration starts afresh, and so does a run without resume", async () => {
  using group = makeGroup({ base, rollouts: { a: sketch.rollouts.a, b: sketch.rollouts.b } });
  using work = tempDir();
  const workspaceDir = join(work.path, "w");
  const grade = (options: object) =>
    gradeGroup(group, { inspector: scriptedInspector(submit), workspaceDir, ...options });
  const first = await grade({});
  expect(first).toMatchObject({ status: "graded", spend: { tool_calls: 2 } });
  const broken = scriptedInspector([]);
  expect(await grade({ resume: true, inspector: broken })).toEqual(first);
  expect(await grade({ resume: true, seed: 1, inspector: broken })).toMatchObject({ status: "fallback" });
  // A fallback is no end: what stood in the way may be gone.
  expect(await grade({ resume: true, seed: 1 })).toMatchObject({
    status: "graded",
    spend: { tool_calls: 2 },
  });
  expect(await grade({ inspector: broken })).toMatchObject({ status: "fallback" });
});
