import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Grade } from "../../src/schema/grade.ts";
import { fakeOpenAI, type Reply, type Seen } from "../helpers/fake-openai.ts";
import { placed, resumedGrade, untimed } from "../helpers/grade-process.ts";
import { makeGroup } from "../helpers/group.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const STEPS = 24;
const KILLS = 10;

const group = {
  base: { "f.py": "def f(x):\n    return x\n" },
  rollouts: {
    a: { files: { "f.py": "def f(x):\n    return x + 1\n" }, advantage: 1 },
    b: { files: { "f.py": "def f(x):\n    return x + 2\n" }, advantage: 1 },
    c: { files: {}, advantage: -2, passed: false },
  },
};

/** Steps of checks, then a finding that cites one, then a verdict. */
function script({ messages }: Seen): Reply {
  const step = messages.filter(({ role }) => role === "assistant").length - 3;
  const [a = "", b = ""] = placed(messages);
  if (step < STEPS)
    return {
      calls: [
        { name: "run_check", args: { script: `from f import f\nprint(f(${step}) + 1000)` } },
        step % 3 === 0
          ? { name: "shell", args: { command: `grep -c return */f.py; echo ${step}` } }
          : { name: "search_code", args: { tree: "base", pattern: `step${step}` } },
      ],
    };
  const worse = printed(messages, "1002");
  if (step === STEPS)
    return {
      calls: [
        {
          name: "record_finding",
          args: {
            rollout: worse,
            criterion: "solution_fitness",
            severity: "major",
            claim: "Adds another number than the task says.",
            citations: [{ kind: "check", check: "x1", quote: "1002" }],
          },
        },
      ],
    };
  const better = worse === a ? b : a;
  return {
    calls: [
      {
        name: "submit_verdict",
        args: { tier_1: [better], tier_2: [], tier_3: [worse], ranking: [[better], [worse]] },
      },
    ],
  };
}

/** The label of the rollout that alone printed a line. */
function printed(messages: Seen["messages"], line: string): string {
  const found = messages.flatMap(({ content }) => [
    ...String(content).matchAll(new RegExp(`^1 (\\w+)\\| ${line}$`, "gm")),
  ]);
  return found[0]?.[1] ?? "?";
}

/** Resolves when the record has `more` lines than now, and then a little later. */
async function grown(work: string, more: number, ms: number): Promise<void> {
  const lines = async () =>
    (await readFile(join(work, "g", "trace.jsonl"), "utf8").catch(() => "")).split("\n").length;
  const before = await lines();
  while ((await lines()) < before + more) await delay(5);
  await delay(ms);
}

test("ten kills at random points of a grade with real checks: the same answer, nothing finished is run again", async () => {
  await using server = await fakeOpenAI(script);
  using made = makeGroup(group);
  using folder = tempDir();
  const options = ["--sandbox", "bubblewrap"];
  const grade = (work: string, until?: Promise<void>) =>
    resumedGrade({ server, group: made.dir, work, options, until });
  const whole = await grade(join(folder.path, "whole"));
  const asked = server.seen.length;
  expect(whole).toMatchObject({
    status: "graded",
    spend: { model_calls: STEPS + 2, checks: STEPS + STEPS / 3 },
  });
  const work = join(folder.path, "killed");
  let state = 7;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  for (let kills = 0; kills < KILLS; kills += 1)
    expect(await grade(work, grown(work, 1 + random(5), random(120)))).toBeNull();
  const last = (await grade(work)) as Grade;
  expect(untimed(last)).toEqual(untimed(whole as Grade));
  // A request that was under way at a kill may be asked again; a finished one never is.
  expect(server.seen.length - asked).toBeLessThanOrEqual(asked + KILLS);
}, 240_000);
