import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalJson,
  configHash,
  inputHash,
  refuseMarked,
  redistributionConfig,
  redistributionMarker,
  type GroupInput,
  type RolloutInput,
} from "../../src/redistribute/index.ts";
import { passing, refusalOf } from "./groups.ts";

const group = passing([{ quality: 1, tokens: 5 }, { placement: { tier: 1, rank: 2 } }]);

test("a marker is two SHA-256 in hexadecimal, the same every time", () => {
  const config = redistributionConfig();
  const marker = redistributionMarker(group, config);
  expect(Object.keys(marker)).toStrictEqual(["input_hash", "config_hash"]);
  for (const hash of Object.values(marker)) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(redistributionMarker(structuredClone(group), redistributionConfig({ c_max: 2 }))).toStrictEqual(
    marker,
  );
});

function changed(fields: Partial<RolloutInput>): GroupInput {
  const [first, ...others] = group.rollouts;
  return { ...group, rollouts: first === undefined ? [] : [{ ...first, ...fields }, ...others] };
}

describe("the hash of the input", () => {
  test.each<Partial<RolloutInput>>([
    { id: "other" },
    { passed: null },
    { passed: false },
    { advantage: 1 + 2 ** -52 },
    { advantage: null },
    { quality: 2 },
    { quality: undefined },
    { tokens: 6 },
    { tokens: undefined },
    { placement: { tier: 1, rank: 5 } },
    { placement: { tier: 2, rank: 1 } },
    { masked: true },
    { ungraded: true },
    { excluded: true },
  ])("changes with %o", (fields) => {
    expect(inputHash(changed(fields))).not.toBe(inputHash(group));
  });

  test("changes with the group's id and tells tokens from tiers, ranks and qualities", () => {
    expect(inputHash({ ...group, group_id: "h" })).not.toBe(inputHash(group));
    const [tokens, quality] = [{ tokens: 1 }, { quality: 1 }].map((fields) => inputHash(passing([fields])));
    expect(tokens).not.toBe(quality);
  });

  test("changes with the rank alone", () => {
    const [first, second] = [1, 2].map((rank) => inputHash(changed({ placement: { tier: 1, rank } })));
    expect(first).not.toBe(second);
  });

  test("tells where the group's id ends", () => {
    const named = (group_id: string, id: string) =>
      inputHash({ group_id, rollouts: [{ id, passed: true, advantage: 1 }] });
    expect(named("a b", "c")).not.toBe(named("a", "b c"));
    expect(named("a b", " ")).not.toBe(named("a", "b  "));
  });

  test("tells every combination of flags apart", () => {
    const flags = [true, false];
    const hashes = flags.flatMap((masked) =>
      flags.flatMap((ungraded) =>
        flags.map((excluded) => inputHash(changed({ masked, ungraded, excluded }))),
      ),
    );
    expect(new Set(hashes).size).toBe(8);
  });

  test("does not change between false and absent", () => {
    expect(inputHash(changed({ masked: false, ungraded: undefined }))).toBe(inputHash(group));
  });

  test.each([
    [
      ["a b", ""],
      ["a", "b"],
    ],
    [
      ["a", "b c"],
      ["a b", "c"],
    ],
    [['a","b'], ["a", "b"]],
  ])("tells ids %j from %j", (one, other) => {
    const named = (ids: readonly string[]) =>
      inputHash({ rollouts: ids.map((id) => ({ id, passed: true, advantage: 1 })) });
    expect(named(one)).not.toBe(named(other));
  });
});

test.each([
  { c_max: 3 },
  { s_max: 3 },
  { mode: "water-fill" },
  { weights: "tokens" },
  { estimator: "rloo" },
  { hack_policy: "report" },
] as const)("the hash of the configuration changes with %o", (options) => {
  expect(configHash(redistributionConfig(options))).not.toBe(configHash(redistributionConfig()));
});

describe("canonical JSON", () => {
  test.each([
    { value: { b: 1, a: [2, { d: null, c: "x" }] }, json: '{"a":[2,{"c":"x","d":null}],"b":1}' },
    { value: { a: undefined, b: 1 }, json: '{"b":1}' },
    { value: [], json: "[]" },
    { value: "a\n\u2028", json: '"a\\n\u2028"' },
  ])("$json", ({ value, json }) => {
    expect(canonicalJson(value)).toBe(json);
  });

  test("depends on the data and on nothing else", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toStrictEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
      }),
    );
  });
});

test.each([{}, { input_hash: "x" }, true, false, "yes", 0])("a marker of %j is refused", (redistributed) => {
  expect(refusalOf(() => refuseMarked({ redistributed })).code).toBe("already_redistributed");
});

test.each([{}, { redistributed: undefined }, { redistributed: null }])("%o carries no marker", (unmarked) => {
  expect(() => refuseMarked(unmarked)).not.toThrow();
});
