import { describe, expect, test } from "vitest";
import {
  applyHackPolicy,
  redistribute,
  redistributionConfig,
  type HackPolicy,
  type Placement,
  type SuspectRollout,
} from "../../src/redistribute/index.ts";

function apply(rollouts: readonly SuspectRollout[], hack_policy: HackPolicy) {
  return applyHackPolicy(rollouts, redistributionConfig({ hack_policy }));
}

function at(id: string, tier: Placement["tier"], rank: number, hacked = false): SuspectRollout {
  return { id, passed: true, advantage: 1, placement: { tier, rank }, hacked };
}

function rated(id: string, quality: number, hacked = false): SuspectRollout {
  return { id, passed: true, advantage: 1, quality, hacked };
}

const places = (rollouts: readonly SuspectRollout[]) =>
  apply(rollouts, "bottom").map(({ placement }) => placement && [placement.tier, placement.rank]);
const qualities = (rollouts: readonly SuspectRollout[]) =>
  apply(rollouts, "bottom").map(({ quality }) => quality);

describe("bottom", () => {
  test.each([
    {
      name: "from the top, and the ranks above close up",
      rollouts: [at("a", 1, 1, true), at("b", 1, 2), at("c", 2, 1)],
      wanted: [
        [3, 1],
        [1, 1],
        [2, 1],
      ],
    },
    {
      name: "behind the others of the last tier, tied with other hacks",
      rollouts: [at("a", 3, 1, true), at("b", 3, 2), at("c", 3, 3), at("d", 1, 1, true)],
      wanted: [
        [3, 3],
        [3, 1],
        [3, 2],
        [3, 3],
      ],
    },
    {
      name: "nothing but hacks: all tied",
      rollouts: [at("a", 1, 1, true), at("b", 2, 1, true)],
      wanted: [
        [3, 1],
        [3, 1],
      ],
    },
  ])("$name", ({ rollouts, wanted }) => {
    expect(places(rollouts)).toStrictEqual(wanted);
    const again = apply(rollouts, "bottom").map((rollout, i) => ({
      ...rollout,
      hacked: rollouts[i]?.hacked,
    }));
    expect(places(again)).toStrictEqual(wanted);
    expect(redistribute({ rollouts: again }).redistribution.conserved).toBe(true);
  });

  test.each([
    {
      name: "half the largest",
      rollouts: [rated("a", 10, true), rated("b", 8), rated("c", 9)],
      wanted: [5, 8, 9],
    },
    {
      name: "the lowest of the others",
      rollouts: [rated("a", 10, true), rated("b", 2), rated("c", 9)],
      wanted: [2, 2, 9],
    },
    {
      name: "its own, when lower still",
      rollouts: [rated("a", 1, true), rated("b", 2), rated("c", 9)],
      wanted: [1, 2, 9],
    },
  ])("given qualities: at most $name", ({ rollouts, wanted }) => {
    expect(qualities(rollouts)).toStrictEqual(wanted);
  });

  test("a failing hack, and one that nobody could judge, stay where they are", () => {
    const rollouts = [
      { ...at("a", 1, 1, true), passed: false },
      { id: "b", passed: true, advantage: 1, hacked: true },
      at("c", 1, 1),
    ];
    expect(places(rollouts)).toStrictEqual([[1, 1], undefined, [1, 1]]);
  });
});

test("exclude marks the hack and nothing else", () => {
  const rollouts = apply([at("a", 1, 1, true), at("b", 1, 2), at("c", 1, 2)], "exclude");
  expect(rollouts.map(({ excluded }) => excluded)).toStrictEqual([true, undefined, undefined]);
  expect(redistribute({ rollouts }, { c_max: 2 }).rollouts.map(({ advantage }) => advantage)).toStrictEqual([
    0,
    expect.closeTo(1.5, 12),
    expect.closeTo(1.5, 12),
  ]);
});

test("report changes nothing, nor does any policy without a hack", () => {
  const hacked = [at("a", 1, 1, true), at("b", 1, 2)];
  const clean = [at("a", 1, 1), at("b", 1, 2)];
  expect(apply(hacked, "report")).toBe(hacked);
  expect(apply(clean, "bottom")).toBe(clean);
  expect(apply(clean, "exclude")).toBe(clean);
});
