import { expect, test } from "vitest";
import {
  capLoss,
  capWarning,
  DEFAULT_CONFIG,
  redistributionConfig,
  type RedistributionConfig,
} from "../../src/redistribute/index.ts";
import { refusalOf } from "./groups.ts";

const [first, second, third] = DEFAULT_CONFIG.tiers;

test("the defaults are gagar's own numbers", () => {
  expect(redistributionConfig()).toStrictEqual({
    mode: "common-scale",
    tiers: [
      { hi: 1, lo: 0.9 },
      { hi: 0.8, lo: 0.7 },
      { hi: 0.6, lo: 0.5 },
    ],
    c_max: 2,
    s_max: 2,
    weights: "rollout",
    estimator: null,
    hack_policy: "bottom",
  });
});

/** What a caller without types may send. */
function untyped(text: string): Partial<RedistributionConfig> {
  return JSON.parse(text);
}

test.each([
  { options: untyped('{"mode":"both"}'), field: "mode" },
  { options: untyped('{"weights":"chars"}'), field: "weights" },
  { options: untyped('{"estimator":"ppo"}'), field: "estimator" },
  { options: untyped('{"hack_policy":"ban"}'), field: "hack_policy" },
  { options: untyped('{"c_max":"2"}'), field: "c_max" },
  { options: untyped('{"c_max":null}'), field: "c_max" },
  { options: untyped('{"cap":2}'), field: "cap" },
  { options: untyped('{"toString":2}'), field: "toString" },
  { options: untyped('{"tiers":[{"hi":1,"lo":0.9}]}'), field: "tiers" },
  { options: untyped('{"tiers":[{"hi":1,"lo":0.9},null,{"hi":0.6,"lo":0.5}]}'), field: "tiers[1]" },
  { options: untyped('{"tiers":[{"hi":1,"lo":0.9},{"hi":0.8},{"hi":0.6,"lo":0.5}]}'), field: "tiers[1].lo" },
  { options: { c_max: 0.99 }, field: "c_max" },
  { options: { c_max: NaN }, field: "c_max" },
  { options: { s_max: Infinity }, field: "s_max" },
  { options: { s_max: 1e10 }, field: "s_max" },
  { options: { tiers: [{ hi: 1.1, lo: 0.9 }, second, third] }, field: "tiers[0].hi" },
  { options: { tiers: [{ hi: 0.8, lo: 0.9 }, second, third] }, field: "tiers[0].hi" },
  { options: { tiers: [first, { hi: 0.95, lo: 0.7 }, third] }, field: "tiers[1].hi" },
  { options: { tiers: [first, second, { hi: 0.6, lo: 0 }] }, field: "tiers[2].lo" },
  { options: { tiers: [first, second, { hi: 0.6, lo: -0.5 }] }, field: "tiers[2].lo" },
  { options: { tiers: [first, second, { hi: 0.6, lo: 1e-200 }] }, field: "tiers[2].lo" },
] satisfies { options: Partial<RedistributionConfig>; field: string }[])(
  "$field is refused: $options",
  ({ options, field }) => {
    const error = refusalOf(() => redistributionConfig(options));
    expect(error.code).toBe("bad_config");
    expect(error.where).toStrictEqual({ field });
  },
);

test("what is checked cannot be changed afterwards, and is not checked again", () => {
  const config = redistributionConfig({ c_max: 3 });
  expect(redistributionConfig(config)).toBe(config);
  expect(() => Object.assign(config, { c_max: NaN })).toThrow(TypeError);
  expect(() => Object.assign(config.tiers[0], { lo: 0 })).toThrow(TypeError);
  expect(redistributionConfig({ ...config })).not.toBe(config);
});

const low = { tiers: [first, second, { hi: 0.3, lo: 0.25 }] } as const;

const odd = [first, second, { hi: 0.47, lo: 0.47 }] as const;

test.each([
  { name: "the defaults", options: {}, loss: 0 },
  { name: "a lower last tier", options: low, loss: 0.5 },
  { name: "a cap that makes up for it", options: { ...low, c_max: 4 }, loss: 0 },
  { name: "a lower cap", options: { c_max: 1.5 }, loss: 0.25 },
  {
    name: "a cap that makes up for it but for rounding",
    options: { tiers: odd, c_max: 1 / 0.47 },
    loss: 0,
  },
  { name: "water-fill, where no mass is lost", options: { ...low, mode: "water-fill" }, loss: 0 },
  { name: "the ablation, which has no cap", options: { ...low, mode: "downweight-only" }, loss: 0 },
] satisfies { name: string; options: Partial<RedistributionConfig>; loss: number }[])(
  "$name: the cap can cost $loss of the mass",
  ({ options, loss }) => {
    const config = redistributionConfig(options);
    expect(capLoss(config)).toBeCloseTo(loss, 12);
    const warning = capWarning(config);
    if (loss === 0) expect(warning).toBeUndefined();
    else {
      expect(warning).toMatchObject({ code: "cap_can_bind", where: { field: "c_max" } });
      expect(warning?.message).toContain(`${(100 * loss).toFixed(1)} %`);
    }
  },
);

test("scores bring their own smallest quality", () => {
  expect(capWarning(redistributionConfig(), 0.1)?.message).toContain("80.0 %");
  expect(capWarning(redistributionConfig(), 0.5)).toBeUndefined();
});
