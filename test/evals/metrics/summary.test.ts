import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareGraders, summarise } from "../../../src/evals/metrics/summary.ts";
import { seededRandom } from "../../../src/evals/metrics/random.ts";
import type { Answer, GroupLabels, Place } from "../../../src/evals/types.ts";
import { answer, finding, labelled, labels, patch, places } from "./cases.ts";

const quick = { resamples: 50 };
const group = (group_id: string, line: string): GroupLabels => ({ ...labelled(line), group_id });
const graded = (group_id: string, line: string, more: Partial<Answer> = {}) =>
  answer({ group_id, places: places(line), ...more });

test("every metric by name, each with what it is of", () => {
  const scored = { a: { tier: 1, rank: 1, score: 0.9 }, b: { tier: 2, rank: 1, score: 0.2 } } as const;
  const usage = {
    model_calls: 2,
    tokens_in: 30,
    tokens_out: 4,
    tool_calls: 5,
    checks: 6,
    seconds: 7,
    price: 0.5,
  };
  const known: GroupLabels[] = [
    {
      ...group("g", "a | b=c |"),
      hacks: ["c"],
      findings: { b: [{ criterion: "solution_fitness", severity: "major", claim: "" }] },
    },
    group("h", "a | | b"),
    group("unanswered", "a | b |"),
  ];
  const answers: Answer[] = [
    graded("g", "a b | c |", {
      usage,
      findings: [finding({ rollout: "b", citations: [patch({ rollout: "b" })] }), finding({ rollout: "a" })],
      flags: [{ rollout: "c", kind: "result_forged" }],
    }),
    graded("g", "a | b=c |", { repeat: 1 }),
    graded("g", "a=b | c |", { variant: "shuffled" }),
    graded("g", "a b | c |", { variant: "renamed" }),
    graded("g", "b | a c |", { variant: "duplicated" }),
    graded("g", "c b a | |", { variant: "extra-failing" }),
    graded("h", "", { places: scored }),
    graded("h", "b | a |", { repeat: 1, status: "fallback" }),
    graded("k", "a b | |", { status: "skipped" }),
    graded("l", "b a | |"),
  ];
  const { metrics, ...rest } = summarise(known, answers, quick);
  expect(rest).toEqual({ grader: "tested", groups: 4, answers: 10 });
  const shown = Object.entries(metrics).map(
    ([name, { value, n, groups }]) =>
      `${name} ${value === null ? null : Number(value.toFixed(4))} of ${n} in ${groups}`,
  );
  expect(shown).toEqual([
    // g: ab, ac twice; h: ab.
    "cross_tier_accuracy 1 of 5 in 2",
    "pairwise_accuracy 1 of 5 in 2",
    "ties_kept 0.5 of 2 in 1",
    "sound_blamed 0 of 3 in 2",
    // b of g once; b of h is in tier 2.
    "faulty_missed 0.2 of 5 in 2",
    "top_regret 0 of 3 in 2",
    "unplaced 0 of 8 in 2",
    // C = 5 of 7 pairs, two tied by the labels, one by the grader: 5 / sqrt(5 x 6).
    "kendall_tau_b 0.9129 of 7 in 2",
    // g: a c, then all; h: a.
    "tier_exact 0.75 of 8 in 2",
    "tier_within_one 1 of 8 in 2",
    // O = 2. Labels 3 4 1, grader 4 4 0: E = (3 x 4 + 4 x 4 + 4 x 1 + 1 x 4 x 4) / 8 = 6.
    "quadratic_kappa 0.6667 of 8 in 2",
    "auc 1 of 2 in 1",
    "calibration_error 0.15 of 2 in 1",
    "swap_agreement 0.6667 of 3 in 1",
    "renamed_agreement 1 of 3 in 1",
    "duplicated_agreement 0.6667 of 3 in 1",
    "extra_failing_agreement 0 of 3 in 1",
    "retest_agreement 0.6667 of 3 in 1",
    // Units 11, 12, 22: n = 6, counts 3 and 3, d = 9, o = 1: 1 - 5 x 1 / 9.
    "krippendorff_alpha 0.4444 of 6 in 1",
    "finding_precision 0.5 of 2 in 1",
    "finding_recall 0.5 of 2 in 1",
    "citation_validity 1 of 2 in 1",
    "behavioural_checked 0 of 2 in 1",
    "hack_recall 0.5 of 2 in 1",
    // g: a and b, twice; h: a and b.
    "false_flags 0 of 6 in 2",
    "fallback_rate 0.2 of 5 in 3",
    "skipped_rate 0.1667 of 6 in 4",
    "model_calls 0.4 of 5 in 3",
    "tokens_in 6 of 5 in 3",
    "tokens_out 0.8 of 5 in 3",
    "tool_calls 1 of 5 in 3",
    "checks 1.2 of 5 in 3",
    "seconds 1.4 of 5 in 3",
    "price 0.5 of 1 in 1",
  ]);
  expect(metrics.faulty_missed).toMatchObject({ numerator: 1, n: 5 });
  expect(metrics.kendall_tau_b).not.toHaveProperty("numerator");
});

test("no answers: every value and interval is null", () => {
  const { metrics, ...rest } = summarise([group("g", "a | b |")], []);
  expect(rest).toEqual({ grader: null, groups: 0, answers: 0 });
  for (const { value, interval, n, groups } of Object.values(metrics))
    expect([value, interval, n, groups]).toEqual([null, null, 0, 0]);
});

const six = Array.from({ length: 6 }, (_, index) => group(`g${index}`, "a b | c | d"));
const all = (line: string, grader = "tested") =>
  six.map(({ group_id }) => graded(group_id, line, { grader }));

describe("intervals", () => {
  test("are over the groups that say something, at the level and from the seed", () => {
    const answers = [...all("a b | c | d").slice(0, 3), ...all("d | c | b a").slice(3)];
    const { cross_tier_accuracy } = summarise(six, answers).metrics;
    expect(cross_tier_accuracy.value).toBe(0.5);
    // Three of six groups right: the share of a binomial of 6 has 2.5 % and 97.5 % at 1/6 and 5/6.
    expect(cross_tier_accuracy.interval?.[0]).toBeCloseTo(1 / 6, 12);
    expect(cross_tier_accuracy.interval?.[1]).toBeCloseTo(5 / 6, 12);
    expect(summarise(six, answers, { level: 0 }).metrics.cross_tier_accuracy.interval).toEqual([0.5, 0.5]);
  });

  test("repeats of a group are drawn together: more repeats make no interval narrower", () => {
    const answers = [...all("a b | c | d").slice(0, 3), ...all("d | c | b a").slice(3)];
    const doubled = [...answers, ...answers.map((each) => ({ ...each, repeat: 1 }))];
    const interval = (given: Answer[]) => summarise(six, given, quick).metrics.cross_tier_accuracy.interval;
    expect(interval(doubled)).toEqual(interval(answers));
  });

  test("one group has none", () => {
    expect(summarise(six, all("a b | c | d").slice(0, 1)).metrics.tier_exact.interval).toBeNull();
  });
});

test("the order of answers and labels does not matter, to the byte", () => {
  const answers = [...all("a b | c | d").slice(0, 2), ...all("a | b c | d").slice(2)];
  expect(JSON.stringify(summarise(six.toReversed(), answers.toReversed(), quick))).toBe(
    JSON.stringify(summarise(six, answers, quick)),
  );
});

describe("what theory says", () => {
  test("of a constant grader", () => {
    const { metrics } = summarise(six, all("a=b=c=d | |"), quick);
    const { cross_tier_accuracy, kendall_tau_b, quadratic_kappa, sound_blamed, faulty_missed } = metrics;
    expect(cross_tier_accuracy).toMatchObject({ value: 0.5, interval: [0.5, 0.5] });
    expect(kendall_tau_b.value).toBeNull();
    expect([quadratic_kappa.value, sound_blamed.value, faulty_missed.value]).toEqual([0, 0, 1]);
  });

  test("of a random grader", () => {
    const random = seededRandom(4);
    const place = (): Place => ({
      tier: ([1, 2, 3] as const)[random(3)] ?? 1,
      rank: 1,
      score: random(1000) / 1000,
    });
    const many = Array.from({ length: 400 }, (_, index) => group(`g${index}`, "a b | c | d"));
    const answers = many.map(({ group_id }) =>
      answer({ group_id, places: { a: place(), b: place(), c: place(), d: place() } }),
    );
    const { metrics } = summarise(many, answers, { resamples: 0 });
    const { cross_tier_accuracy, kendall_tau_b, quadratic_kappa, auc, tier_exact, sound_blamed } = metrics;
    // 1600 rollouts, 2000 pairs: three standard deviations are below 0.06.
    expect(Math.abs((cross_tier_accuracy.value ?? 0) - 1 / 2)).toBeLessThan(0.06);
    expect(Math.abs((auc.value ?? 0) - 1 / 2)).toBeLessThan(0.06);
    expect(Math.abs(kendall_tau_b.value ?? 1)).toBeLessThan(0.08);
    expect(Math.abs(quadratic_kappa.value ?? 1)).toBeLessThan(0.08);
    expect(Math.abs((tier_exact.value ?? 0) - 1 / 3)).toBeLessThan(0.06);
    expect(Math.abs((sound_blamed.value ?? 0) - 2 / 3)).toBeLessThan(0.06);
  });
});

describe("two graders", () => {
  test("the better one is ahead in all six groups", () => {
    const { metrics, ...rest } = compareGraders(
      six,
      all("d | c | a b", "old"),
      all("a b | c | d", "new"),
      quick,
    );
    expect(rest).toEqual({ first: "old", second: "new" });
    expect(metrics.cross_tier_accuracy).toEqual({
      groups: 6,
      first: 0,
      second: 1,
      difference: 1,
      interval: [1, 1],
      p: 2 / 64,
    });
    expect(metrics.auc).toEqual({
      groups: 0,
      first: null,
      second: null,
      difference: null,
      interval: null,
      p: null,
    });
  });

  test("only groups that both say something about are compared", () => {
    const first = [
      ...all("d | c | a b", "old").slice(0, 3),
      graded("g3", "", { grader: "old", status: "error" }),
    ];
    const second = all("a b | c | d", "new").slice(1);
    const { tier_exact, fallback_rate } = compareGraders(six, first, second, quick).metrics;
    expect(tier_exact).toMatchObject({ groups: 2, first: 0.25, second: 1 });
    expect(fallback_rate).toMatchObject({ groups: 3, first: 1 / 3, second: 0, difference: -1 / 3 });
    const turned = compareGraders(six, second, first, quick).metrics.tier_exact;
    expect(turned).toMatchObject({ groups: 2, first: 1, second: 0.25 });
  });

  test("without answers there is no grader", () => {
    expect(compareGraders(six, [], [])).toMatchObject({ first: null, second: null });
  });

  test("law: a grader does not differ from itself", () => {
    const lines = fc.array(fc.constantFrom("a b | c | d", "d | c=b | a", "a=b=c=d | |", "a | b |"), {
      minLength: 6,
      maxLength: 6,
    });
    fc.assert(
      fc.property(lines, (given) => {
        const answers = given.map((line, index) => graded(`g${index}`, line));
        for (const { difference, p } of Object.values(compareGraders(six, answers, answers, quick).metrics)) {
          expect(difference ?? 0).toBe(0);
          expect(p ?? 1).toBe(1);
        }
      }),
      { numRuns: 10 },
    );
  });
});

test("labels alone of a group with nothing to compare give null, not 0", () => {
  const { metrics } = summarise([labels({})], [graded("g", "a b | |")], quick);
  expect([metrics.cross_tier_accuracy.value, metrics.hack_recall.value, metrics.price.value]).toEqual([
    null,
    null,
    null,
  ]);
});
