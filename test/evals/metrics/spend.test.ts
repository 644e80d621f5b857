import { expect, test } from "vitest";
import type { GroupRun } from "../../../src/evals/metrics/metric.ts";
import { fallbackRate, skippedRate, spend } from "../../../src/evals/metrics/spend.ts";
import type { Answer } from "../../../src/evals/types.ts";
import { answer } from "./cases.ts";

const each = (...numerators: number[]) => numerators.map((numerator) => ({ numerator, denominator: 1 }));

const usage = {
  model_calls: 2,
  tokens_in: 30,
  tokens_out: 4,
  tool_calls: 5,
  checks: 6,
  seconds: 0.5,
  price: 0.25,
};
const plain: Answer[] = [
  answer({ usage }),
  answer({ status: "fallback", usage: { ...usage, model_calls: 7, price: null } }),
  answer({ status: "error", usage: { ...usage, model_calls: 0, price: 0 } }),
  answer({ status: "skipped", usage: { ...usage, model_calls: 9, price: 9 } }),
];
const group: GroupRun = {
  group_id: "g",
  plain,
  variants: { shuffled: [answer({ usage, status: "error" })] },
};

test("fallbacks and errors are no answer; skipped groups were not due; variants do not count", () => {
  expect(fallbackRate(group)).toEqual(each(0, 1, 1));
  expect(skippedRate(group)).toEqual(each(0, 0, 0, 1));
});

test("spending is of the answers that were due, and an unknown price is no price", () => {
  expect(spend(group, "model_calls")).toEqual(each(2, 7, 0));
  expect(spend(group, "tokens_in")).toEqual(each(30, 30, 30));
  expect(spend(group, "seconds")).toEqual(each(0.5, 0.5, 0.5));
  expect(spend(group, "price")).toEqual(each(0.25, 0));
});
