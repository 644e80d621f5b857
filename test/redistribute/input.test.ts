import { describe, expect, test } from "vitest";
import { identity, redistribute, type GroupInput, type RolloutInput } from "../../src/redistribute/index.ts";
import { passing, refusalOf } from "./groups.ts";

/** What a caller without types may send in place of the second rollout's field. */
const faults: { field: string; text: string }[] = [
  { field: "id", text: '""' },
  { field: "id", text: "7" },
  { field: "id", text: "null" },
  { field: "passed", text: "1" },
  { field: "passed", text: '"true"' },
  { field: "advantage", text: '"1"' },
  { field: "advantage", text: "true" },
  { field: "quality", text: '"1"' },
  { field: "quality", text: "null" },
  { field: "tokens", text: "-1" },
  { field: "tokens", text: "1.5" },
  { field: "tokens", text: '"3"' },
  { field: "placement", text: "null" },
  { field: "placement", text: "1" },
  { field: "masked", text: "1" },
  { field: "ungraded", text: '"patch_absent"' },
  { field: "excluded", text: "null" },
];

function withFault(field: string, text: string): GroupInput {
  const group = passing([{ quality: 1 }, { quality: 2 }]);
  const fault: Partial<RolloutInput> = JSON.parse(`{${JSON.stringify(field)}:${text}}`);
  return {
    ...group,
    rollouts: group.rollouts.map((each, index) => (index === 1 ? { ...each, ...fault } : each)),
  };
}

describe.each([
  { name: "redistribute", act: redistribute },
  { name: "identity", act: identity },
])("$name", ({ act }) => {
  test.each(faults)("refuses $text as $field", ({ field, text }) => {
    const error = refusalOf(() => act(withFault(field, text)));
    expect(error.code).toBe("bad_input");
    expect(error.where).toMatchObject({ group: "g", field: `rollouts[1].${field}` });
  });

  test("refuses an id that is used twice, at its second place", () => {
    const error = refusalOf(() => act(withFault("id", '"p0"')));
    expect(error.code).toBe("bad_input");
    expect(error.where).toStrictEqual({ group: "g", rollout: "p0", field: "rollouts[1].id" });
    expect(error.message).toContain("rollouts[0]");
  });

  test("an outcome that is missing is not unknown", () => {
    const rollouts: RolloutInput[] = JSON.parse('[{"id":"a","advantage":1}]');
    expect(refusalOf(() => act({ rollouts })).where).toStrictEqual({
      rollout: "a",
      field: "rollouts[0].passed",
    });
  });

  test("a group of nobody is answered", () => {
    expect(act({ rollouts: [] })).toStrictEqual({
      rollouts: [],
      redistribution: {
        mode: "common-scale",
        scale: 1,
        cap: 2,
        cap_active: false,
        conserved: true,
        residual: 0,
        positive_sum_before: 0,
        positive_sum_after: 0,
        negative_sum: 0,
      },
    });
  });

  test("token masses are told only where tokens are", () => {
    const failing = (tokens?: number) => ({ rollouts: [{ id: "a", passed: false, advantage: -1, tokens }] });
    expect(act(failing()).redistribution).not.toHaveProperty("token_mass_before");
    expect(act(failing(5)).redistribution).toMatchObject({ token_mass_before: 0, token_mass_after: 0 });
  });
});

test("the input is left as it was", () => {
  const group = passing([{ quality: 1 }, { quality: 2 }, { quality: 1, excluded: true }]);
  const copy = structuredClone(group);
  redistribute(group);
  expect(group).toStrictEqual(copy);
});
