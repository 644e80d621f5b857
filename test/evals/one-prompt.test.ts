import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { onePromptGrader } from "../../src/evals/graders/one-prompt.ts";
import type { GradingContext } from "../../src/evals/graders/grader.ts";
import { fakeOpenAI, type Reply, type Seen } from "../helpers/fake-openai.ts";
import { makeGroup, type GroupSketch } from "../helpers/group.ts";
import { CONTEXT } from "./labelled.ts";

const base = { "f.py": "x = 0\n" };
const rollout = (value: string) => ({
  files: { "f.py": `x = ${value}\n` },
  test_output: `tests of ${value}`,
  trajectory: [
    { role: "user", content: "Do it." },
    { role: "assistant", content: `I chose ${value}.` },
  ],
});
const sketch: GroupSketch = {
  base,
  task: "Make x right.",
  rollouts: {
    one: rollout("111"),
    two: rollout("222"),
    three: rollout("333"),
    failed: { ...rollout("444"), passed: false },
  },
};

beforeEach(() => {
  onTestFinished(() => void vi.unstubAllEnvs());
});

async function judge(
  script: (request: Seen, index: number) => Reply,
  context: Partial<GradingContext> = {},
  group: GroupSketch = sketch,
) {
  await using server = await fakeOpenAI(script);
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  vi.stubEnv("OPENAI_API_KEY", "test");
  using loaded = makeGroup(group);
  const grader = await onePromptGrader("openai:fake");
  return {
    graded: await grader.grade(loaded, { ...CONTEXT, signal: new AbortController().signal, ...context }),
    seen: server.seen,
  };
}

const shown = (request: Seen) => String(request.messages[1]?.content);
/** Values of the candidates in the order in which they are shown. */
const orderOf = (request: Seen) => [...shown(request).matchAll(/\+x = (\d+)/g)].map((match) => match[1]);
/** Scores by the value that a rollout chose, as the judge would give them by its number. */
const answer = (request: Seen, scores: Record<string, [number, number]>) => ({
  text: JSON.stringify({
    candidates: orderOf(request).map((value = "", index) => {
      const [score, tier] = scores[value] ?? [0, 3];
      return { id: String(index + 1), reason: "because", score, tier };
    }),
  }),
});
const scores: Record<string, [number, number]> = { "111": [0.5, 2], "222": [0.9, 1], "333": [0.7, 2] };

test("one request with everything under blind numbers, one answer", async () => {
  const { graded, seen } = await judge((request) => answer(request, scores));
  expect(seen).toHaveLength(1);
  expect(graded).toEqual({
    status: "graded",
    places: {
      one: { tier: 2, rank: 2, score: 0.5 },
      two: { tier: 1, rank: 1, score: 0.9 },
      three: { tier: 2, rank: 1, score: 0.7 },
    },
    findings: [],
    flags: [],
    usage: { model_calls: 1, tokens_in: 100, tokens_out: 10, tool_calls: 0, checks: 0 },
  });
  const text = shown(seen[0] as Seen);
  for (const part of ["Make x right.", "+x = 111", "tests of 222", "I chose 333."])
    expect(text).toContain(part);
  expect(text).not.toMatch(/444|\bone\b|\btwo\b|\bthree\b|failed/);
  expect(seen[0]?.tools).toBeUndefined();
});

test("the seed shuffles the order, and the order of the group does not matter", async () => {
  const orders = new Set<string>();
  for (let seed = 0; seed < 12; seed += 1) {
    const { seen } = await judge((request) => answer(request, scores), { seed });
    orders.add(orderOf(seen[0] as Seen).join());
  }
  expect(orders.size).toBeGreaterThan(3);
  const turned = { ...sketch, rollouts: Object.fromEntries(Object.entries(sketch.rollouts).toReversed()) };
  const [first, second] = [
    await judge((request) => answer(request, scores), { seed: 5 }),
    await judge((request) => answer(request, scores), { seed: 5 }, turned),
  ];
  expect(first.seen).toEqual(second.seen);
});

test.each<[string, (request: Seen) => string, RegExp]>([
  ["prose", () => "They are all fine.", /no JSON object/],
  ["broken JSON", () => '{"candidates": [}', /it is no JSON/],
  [
    "a score outside of 0..1",
    (request) => answer(request, { ...scores, "111": [5, 1] }).text,
    /candidates\.\d\.score/,
  ],
  ["a tier that there is not", (request) => answer(request, { ...scores, "111": [0.5, 4] }).text, /tier/],
  [
    "one left out",
    () => '{"candidates": [{"id": 1, "reason": "", "score": 1, "tier": 1}]}',
    /candidates 2, 3 are missing/,
  ],
  [
    "one twice",
    (request) => answer(request, scores).text.replace("[{", '[{"id":"1","reason":"","score":0,"tier":3},{'),
    /1 are no candidates or stand twice/,
  ],
])(
  "an answer with %s is sent back once with the reason; then the group falls back",
  async (_, bad, fault) => {
    const mended = await judge((request, index) =>
      index === 0 ? { text: bad(request) } : answer(request, scores),
    );
    expect(mended.graded).toMatchObject({ status: "graded", usage: { model_calls: 2, tokens_in: 200 } });
    expect(mended.seen[1]?.messages).toHaveLength(4);
    expect(String(mended.seen[1]?.messages[3]?.content)).toMatch(fault);
    const lost = await judge((request) => ({ text: bad(request) }));
    expect(lost.seen).toHaveLength(2);
    expect(lost.graded).toMatchObject({
      status: "fallback",
      reason: fault,
      places: {},
      usage: { model_calls: 2 },
    });
  },
);

test("JSON inside a fence or prose is read", async () => {
  const { graded } = await judge((request) => ({
    text: `Here:\n\`\`\`json\n${answer(request, scores).text}\n\`\`\``,
  }));
  expect(graded.status).toBe("graded");
});

test("a provider that refuses is a fallback that names it, and keeps what was spent", async () => {
  const { graded } = await judge((_, index) =>
    index === 0 ? { text: "?" } : { status: 400, message: "maximum context length is 10 tokens" },
  );
  expect(graded).toMatchObject({ status: "fallback", reason: /context_overflow/, usage: { model_calls: 1 } });
});

test("a judge that does not answer in time is a fallback", async () => {
  const { graded } = await judge(() => "silence", { signal: AbortSignal.timeout(300) });
  expect(graded).toMatchObject({ status: "fallback", reason: /time for one group is over/ });
});

test("a rollout without a patch is not judged", async () => {
  const { one, two } = sketch.rollouts;
  if (one === undefined || two === undefined) throw new Error("no sketch");
  const group = { base, rollouts: { one, two, none: { patch: null } } };
  const { graded } = await judge((request) => answer(request, scores), {}, group);
  expect(Object.keys(graded.places).toSorted()).toEqual(["one", "two"]);
});

test("one passing rollout is nothing to judge", async () => {
  const { graded, seen } = await judge(() => ({ text: "" }), {}, { base, rollouts: { one: rollout("1") } });
  expect([graded.status, seen.length]).toEqual(["skipped", 0]);
});

test("the request is bounded, and every cut says how much is missing", async () => {
  const huge = (letter: string) => ({
    files: { "f.py": `x = 0\n${`${letter.repeat(99)}\n`.repeat(2000)}` },
    test_output: `${letter.repeat(50_000)} the end of the output`,
    trajectory: [{ role: "user", content: `${letter.repeat(90_000)} the end of the run` }],
  });
  const ids = Array.from({ length: 10 }, (_, index) => `r${index}`);
  const rollouts = Object.fromEntries(ids.map((id, index) => [id, huge(String(index))]));
  const { seen } = await judge(() => ({ text: "?" }), {}, { base, rollouts });
  const text = shown(seen[0] as Seen);
  expect(text.length).toBeLessThan(370_000);
  expect(text.match(/\[\.\.\. \d+ characters are left out here \.\.\.\]/g)).toHaveLength(30);
  expect(text.match(/the end of the output/g)).toHaveLength(10);
  expect(text.match(/the end of the run/g)).toHaveLength(10);
});
