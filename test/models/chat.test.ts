import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { gradeGroup, type GradeOptions } from "../../src/grade.ts";
import { chatInspector } from "../../src/models/chat.ts";
import { resolveModel } from "../../src/models/resolve.ts";
import { failureKind, statusOf, withRetries } from "../../src/models/retry.ts";
import { fakeOpenAI, type Reply, type Seen } from "../helpers/fake-openai.ts";
import { makeGroup } from "../helpers/group.ts";

const base = { "f.py": "def f(x):\n    return x\n" };
const files = (body: string) => ({ "f.py": `def f(x):\n    ${body}\n` });
const sketch = {
  base,
  rollouts: {
    one: { files: files("return x + 1"), advantage: 0.5 },
    two: { files: files("return 1 + x"), advantage: 0.5 },
    same: { files: files("return x + 1"), advantage: 0.5 },
    failed: { files: files("return x + 2"), advantage: -1.5, passed: false },
  },
};

async function grade(script: (request: Seen, index: number) => Reply, options: GradeOptions = {}) {
  await using server = await fakeOpenAI(script);
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  vi.stubEnv("OPENAI_API_KEY", "test");
  using group = makeGroup(sketch);
  const inspector = chatInspector(await resolveModel("openai:fake"), "openai:fake");
  const result = await gradeGroup(group, { inspector, ...options });
  return { result, seen: server.seen };
}
beforeEach(() => {
  onTestFinished(() => void vi.unstubAllEnvs());
});

const said = (request: Seen) => JSON.stringify(request.messages);
/** Label of the rollout whose patch adds a line, out of what the endpoint was shown. */
function labelOf(request: Seen, line: string): string {
  for (const message of request.messages)
    for (const call of message.tool_calls ?? []) {
      const { id, function: called } = call as { id: string; function: { name: string; arguments: string } };
      const answer = request.messages.find(({ tool_call_id }) => tool_call_id === id);
      if (called.name === "read_patch" && String(answer?.content).includes(`+|     ${line}`))
        return String(JSON.parse(called.arguments).rollout);
    }
  throw new Error(`nobody adds ${line}`);
}
const finding = (rollout: string) => ({
  name: "record_finding",
  args: {
    rollout,
    criterion: "codebase_consistency",
    severity: "minor",
    claim: "Operands reversed.",
    citations: [{ kind: "patch", rollout, file: "f.py", quote: "return 1 + x" }],
  },
});
const verdict = (request: Seen) => {
  const two = labelOf(request, "return 1 + x");
  const [first = "", second = ""] = ["A", "B", "C", "D"].filter(
    (label) => said(request).includes(`${label}: passed`) && label !== two,
  );
  return {
    name: "submit_verdict",
    args: { tier_1: [first, second], tier_2: [two], tier_3: [], ranking: [[first, second], [two]] },
  };
};

test("a model grades: survey without a model call, findings, verdict; usage and prompt hash in the grade", async () => {
  const { result, seen } = await grade((request, index) =>
    index === 0
      ? { text: "Two writes it backwards.", calls: [finding(labelOf(request, "return 1 + x"))] }
      : { calls: [verdict(request)] },
  );
  expect(result).toMatchObject({
    status: "graded",
    grader: { kind: "agent", model: "openai:fake", prompt_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(result.rollouts.map(({ tier }) => tier)).toEqual([1, 2, 1, undefined]);
  expect(result.spend).toMatchObject({ model_calls: 2, tokens_in: 200, tokens_out: 20, tool_calls: 9 });
  // One patch a distinct tree and the file that they touch are shown before anybody asks; real ids are shown nowhere.
  expect(seen[0]?.messages.map(({ role }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "tool",
    "tool",
    "assistant",
    "tool",
    "tool",
    "assistant",
    "tool",
    "tool",
  ]);
  expect(seen[0]?.tools.map((tool) => tool.function.name)).toContain("submit_verdict");
  expect(seen.map(said).join("\n")).not.toMatch(/\b(one|two|same|failed)\b(?= *[:"])/);
});

test("arguments that do not parse, unknown tools and bad findings are answered, and the model goes on", async () => {
  const { result, seen } = await grade((request, index) => {
    const two = labelOf(request, "return 1 + x");
    if (index === 0)
      return {
        calls: [
          { name: "read_file", args: '{"tree": "A", "path"' },
          { name: "no_such_tool", args: {} },
        ],
      };
    if (index === 1) return { calls: [{ ...finding(two), args: { ...finding(two).args, citations: [] } }] };
    return index === 2 ? { calls: [finding(two)] } : { calls: [verdict(request)] };
  });
  expect(result.status).toBe("graded");
  expect(said(seen[1] as Seen)).toMatch(/no_such_tool/);
  expect(said(seen[2] as Seen)).toMatch(/citations/);
});

test("R02: a rate limit and a fault of the provider are waited out; every request is counted", async () => {
  const { result } = await grade((request, index) => {
    if (index === 0) return { status: 429, message: "slow down", headers: { "retry-after": "0" } };
    if (index === 1) return { status: 500, message: "oops" };
    return index === 2
      ? { calls: [finding(labelOf(request, "return 1 + x"))] }
      : { calls: [verdict(request)] };
  });
  expect(result).toMatchObject({ status: "graded", spend: { model_calls: 4 } });
});

test.each<[string, Reply, RegExp, number]>([
  [
    "R03: a context that is too long is not asked again",
    { status: 400, message: "This model's maximum context length is 8192 tokens" },
    /^the grader failed: context_overflow: /,
    1,
  ],
  [
    "a key that is refused is not tried again",
    { status: 401, message: "no such key" },
    /^the grader failed: not_authorized: /,
    1,
  ],
  [
    "J21: a model that says nothing is reminded once",
    { text: "", finish: "length" },
    /^no verdict was submitted$/,
    2,
  ],
])("fallback: %s", async (_, reply, reason, requests) => {
  const { result, seen } = await grade(() => reply);
  expect(result).toMatchObject({ status: "fallback", reason: expect.stringMatching(reason) });
  expect(seen).toHaveLength(requests);
  expect(result.rollouts.map(({ advantage }) => advantage)).toEqual([0.5, 0.5, 0.5, -1.5]);
});

test("R01: an endpoint that never answers ends with the deadline", async () => {
  const { result } = await grade(() => "silence", { budget: { wall_s: 1.5 } });
  expect(result).toMatchObject({ status: "fallback", reason: "deadline: 1.5 s are over" });
});

test("R09: at four fifths of the budget the model is told to conclude, at the end it is cut off", async () => {
  const { result, seen } = await grade(() => ({ calls: [{ name: "task", args: {} }] }), {
    budget: { model_calls: 5 },
  });
  expect(result).toMatchObject({
    status: "fallback",
    reason: "budget: 5 model calls are spent",
    spend: { model_calls: 5 },
  });
  expect(seen.map((request) => said(request).includes("Little of the budget is left"))).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
});

test.each([
  ["gpt-5", /"gpt-5" is no provider:model; providers are openai, anthropic/],
  ["nobody:x", /is no provider:model/],
  ["openai:", /is no provider:model/],
  ["groq:llama", /@langchain\/groq is not installed: npm install @langchain\/groq/],
])("the model %s is refused with what to do", async (spec, message) => {
  await expect(resolveModel(spec)).rejects.toMatchObject({
    code: "bad_config",
    message: expect.stringMatching(message),
  });
});

test.each([undefined, ""])("a missing key is said before anything is graded: address %j", async (url) => {
  vi.stubEnv("OPENAI_API_KEY", "");
  vi.stubEnv("OPENAI_BASE_URL", url);
  await expect(resolveModel("openai:x")).rejects.toMatchObject({
    code: "bad_config",
    message: expect.stringMatching(/openai:x needs a key: set OPENAI_API_KEY/),
  });
});

const failure = (fields: object) => Object.assign(new Error("x"), fields);

test("waits double, a Retry-After is capped, and attempts are bounded", async () => {
  const waits: number[] = [];
  const pause = async (ms: number) => void waits.push(ms);
  const always = () => Promise.reject(failure({ status: 503 }));
  await expect(withRetries(always, undefined, pause)).rejects.toThrow("x");
  expect(waits).toHaveLength(3);
  waits.forEach((ms, n) => expect(ms / (500 * 2 ** n)).toBeGreaterThanOrEqual(0.75));
  waits.length = 0;
  await withRetries(
    () =>
      waits.length === 0
        ? Promise.reject(failure({ status: 429, headers: { "retry-after": "3600" } }))
        : Promise.resolve(1),
    undefined,
    pause,
  );
  expect(waits).toEqual([20_000]);
});

test.each<[object, number | undefined, string]>([
  [{ status: 429 }, 429, "rate_limited"],
  [{ response: { status: 502 } }, 502, "provider_failed"],
  [{ statusCode: 404 }, 404, "request_refused"],
  [{ code: "ECONNRESET" }, undefined, "model_unreachable"],
])("the failure %j has status %s and is called %s", (fields, status, kind) => {
  expect([statusOf(failure(fields)), failureKind(failure(fields))]).toEqual([status, kind]);
});
