import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openGraders } from "../../src/evals/graders/index.ts";
import { runGraders } from "../../src/evals/run.ts";
import { noLabels } from "../../src/evals/suites/case.ts";
import { fakeOpenAI, type Seen } from "../helpers/fake-openai.ts";
import { makeGroup } from "../helpers/group.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const base = { "f.py": "def f(x):\n    return x\n" };
const files = (body: string) => ({ "f.py": `def f(x):\n    ${body}\n` });

beforeEach(() => {
  onTestFinished(() => void vi.unstubAllEnvs());
});

const said = (request: Seen | undefined) => JSON.stringify(request?.messages);

test("an agent whose provider failed goes on where it stopped, and its places and spending are told", async () => {
  using group = makeGroup({
    base,
    rollouts: { one: { files: files("return x + 1") }, two: { files: files("return 1 + x") } },
  });
  using out = tempDir();
  let isDown = true;
  await using server = await fakeOpenAI((request) => {
    const steps = request.messages.filter(({ role }) => role === "assistant").length;
    if (!said(request).includes("SOUGHT"))
      return { calls: [{ name: "search_code", args: { tree: "base", pattern: "SOUGHT" } }] };
    if (isDown) return { status: 400, message: `refused after ${steps} steps` };
    const verdict = { tier_1: ["A", "B"], tier_2: [], tier_3: [], ranking: [["A", "B"]] };
    return { calls: [{ name: "submit_verdict", args: verdict }] };
  });
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  vi.stubEnv("OPENAI_API_KEY", "test");
  const graders = await openGraders(["agent"], { model: "openai:fake" });
  const cases = [{ suite: "s", loaded: group, labels: noLabels("g") }];
  const prices = { in: 1, out: 10 };
  const fixed = { cases, graders, out: out.path, repeat: 1, seed: 0, concurrency: 1, deadline: 60, prices };
  const [lost] = await runGraders({ ...fixed, resume: false });
  expect(lost).toMatchObject({ status: "fallback", reason: /request_refused/, places: {} });
  const before = server.seen.length;
  isDown = false;
  const [answer] = await runGraders({ ...fixed, resume: true });
  expect(answer).toMatchObject({
    status: "graded",
    places: { one: { tier: 1, rank: 1 }, two: { tier: 1, rank: 1 } },
    usage: { model_calls: 2, tokens_in: 200, tokens_out: 20, price: 0.0004 },
  });
  // The search was not paid for again.
  expect(server.seen).toHaveLength(before + 1);
  const [again] = await runGraders({ ...fixed, resume: true });
  expect(again).toEqual(answer);
  expect(server.seen).toHaveLength(before + 1);
});
