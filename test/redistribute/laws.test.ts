import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  GraderError,
  identity,
  redistribute,
  type GroupInput,
  type RedistributionConfig,
  type RolloutInput,
} from "../../src/redistribute/index.ts";
import { advantagesOf, anyGroup, mayChange, placedGroup, ratedGroup, refusalOf } from "./groups.ts";

const modes = ["common-scale", "water-fill", "downweight-only"] as const;
const weights = ["rollout", "tokens"] as const;
const conserving = modes.slice(0, 2).flatMap((mode) => weights.map((each) => ({ mode, weights: each })));
const everything = modes.flatMap((mode) => weights.map((each) => ({ mode, weights: each })));
/** Large enough that it never binds for the generated qualities, whose ratio is at most 1e6. */
const loose = 1e7;

function massOf(rollouts: readonly RolloutInput[], by: RedistributionConfig["weights"]): number {
  return rollouts
    .filter(mayChange)
    .reduce((sum, { advantage, tokens = 0 }) => sum + (advantage ?? 0) * (by === "tokens" ? tokens : 1), 0);
}

/** The group as a trainer would have it afterwards. */
function applied(group: GroupInput, config: Partial<RedistributionConfig>): RolloutInput[] {
  const { rollouts } = redistribute(group, config);
  return group.rollouts.map((rollout, index) => ({
    ...rollout,
    advantage: rollouts[index]?.advantage ?? null,
  }));
}

describe.each(conserving)("$mode by $weights", (choice) => {
  const config = { ...choice, c_max: loose, s_max: loose };

  test("keeps the sum", () => {
    fc.assert(
      fc.property(anyGroup, (group) => {
        const before = massOf(group.rollouts, choice.weights);
        const after = massOf(applied(group, config), choice.weights);
        expect(Math.abs(after - before)).toBeLessThanOrEqual(1e-12 * before);
        expect(redistribute(group, config).redistribution.conserved).toBe(true);
      }),
    );
  });

  test("keeps the sum under the default cap, which never binds for tiers", () => {
    fc.assert(
      fc.property(placedGroup, (group) => {
        const before = massOf(group.rollouts, choice.weights);
        const after = massOf(applied(group, choice), choice.weights);
        expect(Math.abs(after - before)).toBeLessThanOrEqual(1e-12 * before);
        expect(redistribute(group, choice).redistribution.cap_active).toBe(false);
      }),
    );
  });
});

describe.each(everything)("$mode by $weights", (config) => {
  test("leaves everything outside the set as it was, to the bit", () => {
    fc.assert(
      fc.property(anyGroup, (group) => {
        const after = advantagesOf(group, config);
        const outside = [...group.rollouts.entries()].filter(
          ([, rollout]) => !mayChange(rollout) || (config.weights === "tokens" && rollout.tokens === 0),
        );
        expect(outside.map(([index]) => after[index])).toStrictEqual(
          outside.map(([, { advantage }]) => advantage),
        );
      }),
    );
  });

  test("what is outside the set makes no difference to it", () => {
    const noise = fc.double({ min: -1e3, max: -1e-3, noNaN: true });
    fc.assert(
      fc.property(ratedGroup, noise, (group, other) => {
        const rollouts = group.rollouts.map((rollout) =>
          mayChange(rollout) ? rollout : { ...rollout, advantage: other, quality: 5 },
        );
        const inside = (values: readonly unknown[]) =>
          values.filter((_, index) =>
            mayChange(group.rollouts[index] ?? { id: "", passed: false, advantage: 0 }),
          );
        expect(inside(advantagesOf({ rollouts }, config))).toStrictEqual(inside(advantagesOf(group, config)));
      }),
    );
  });

  test("keeps the order of equal advantages, and ties", () => {
    fc.assert(
      fc.property(anyGroup, (group) => {
        const { rollouts } = redistribute(group, config);
        const members = rollouts.filter((_, index) => {
          const rollout = group.rollouts[index];
          return rollout !== undefined && mayChange(rollout) && rollout.tokens !== 0;
        });
        const pairs = members.flatMap((one) =>
          members
            .filter((other) => other.advantage_given === one.advantage_given)
            .map((other) => ({
              better: Math.sign((one.quality ?? NaN) - (other.quality ?? NaN)),
              more: Math.sign((one.advantage ?? NaN) - (other.advantage ?? NaN)),
            })),
        );
        expect(
          pairs.filter(({ better, more }) => (better === 0 ? more !== 0 : better * more < 0)),
        ).toStrictEqual([]);
      }),
    );
  });

  test("does not depend on the order of the rollouts, to the bit", () => {
    const shuffled = anyGroup.chain((group) =>
      fc.tuple(
        fc.constant(group),
        fc.shuffledSubarray([...group.rollouts.keys()], { minLength: group.rollouts.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([group, order]) => {
        const one = redistribute(group, config);
        const other = redistribute(
          { ...group, rollouts: order.flatMap((index) => group.rollouts[index] ?? []) },
          config,
        );
        expect(other.redistribution).toStrictEqual(one.redistribution);
        for (const [position, index] of order.entries()) {
          expect(other.rollouts[position]).toStrictEqual(one.rollouts[index]);
        }
      }),
    );
  });

  test("is homogeneous: exactly for powers of two, but for rounding for others", () => {
    fc.assert(
      fc.property(
        anyGroup,
        fc.integer({ min: -60, max: 60 }),
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        (group, power, factor) => {
          const times = (by: number) => ({
            ...group,
            rollouts: group.rollouts.map((rollout) => ({
              ...rollout,
              advantage: rollout.advantage === null ? null : rollout.advantage * by,
            })),
          });
          const after = advantagesOf(group, config);
          const doubled = advantagesOf(times(2 ** power), config);
          const scaled = advantagesOf(times(factor), config);
          for (const [index, advantage] of after.entries()) {
            expect(doubled[index]).toBe(advantage === null ? null : advantage * 2 ** power);
            const size = Math.abs((advantage ?? 0) * factor);
            expect(Math.abs((scaled[index] ?? 0) - (advantage ?? 0) * factor)).toBeLessThanOrEqual(
              1e-12 * size,
            );
          }
        },
      ),
    );
  });

  test("keeps signs", () => {
    fc.assert(
      fc.property(anyGroup, (group) => {
        const after = advantagesOf(group, config);
        expect(after.map((value) => Math.sign(value ?? 0) + 0)).toStrictEqual(
          group.rollouts.map(({ advantage }) => Math.sign(advantage ?? 0) + 0),
        );
      }),
    );
  });

  test("all qualities equal: to the bit", () => {
    fc.assert(
      fc.property(ratedGroup, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (group, quality) => {
        const rollouts = group.rollouts.map((rollout) => ({ ...rollout, quality }));
        expect(advantagesOf({ rollouts }, config)).toStrictEqual(rollouts.map(({ advantage }) => advantage));
      }),
    );
  });

  test("one rollout in the set: to the bit", () => {
    fc.assert(
      fc.property(anyGroup, (group) => {
        const first = group.rollouts.findIndex(mayChange);
        const rollouts = group.rollouts.map((rollout, index) =>
          index === first ? rollout : { ...rollout, passed: false },
        );
        expect(advantagesOf({ rollouts }, config)).toStrictEqual(rollouts.map(({ advantage }) => advantage));
      }),
    );
  });

  test("nothing that is not finite comes in or goes out", () => {
    const wild = fc.double({ noNaN: false });
    fc.assert(
      fc.property(
        ratedGroup,
        fc.array(wild, { minLength: 48, maxLength: 48 }),
        fc.boolean(),
        (group, values, both) => {
          const rollouts = group.rollouts.map((rollout, index) => ({
            ...rollout,
            advantage: values[index] ?? 1,
            quality: both ? Math.abs(values[index + 24] ?? 1) : rollout.quality,
          }));
          let result;
          try {
            result = redistribute({ rollouts }, { ...config, c_max: loose, s_max: loose });
          } catch (error) {
            expect(error).toBeInstanceOf(GraderError);
            return;
          }
          const numbers = [
            ...result.rollouts.flatMap(({ advantage, quality = 1 }) => [advantage ?? 0, quality]),
            ...Object.values(result.redistribution).filter((value) => typeof value === "number"),
          ];
          expect(numbers.filter((value) => !Number.isFinite(value))).toStrictEqual([]);
        },
      ),
    );
  });
});

test("identity leaves every advantage as it is and keeps the same books", () => {
  fc.assert(
    fc.property(anyGroup, (group) => {
      const { rollouts, redistribution } = identity(group);
      expect(rollouts.map(({ advantage }) => advantage)).toStrictEqual(
        group.rollouts.map(({ advantage }) => advantage),
      );
      expect(redistribution).toMatchObject({ scale: 1, cap_active: false, conserved: true, residual: 0 });
      expect(redistribution.positive_sum_after).toBe(redistribution.positive_sum_before);
      expect(redistribution.positive_sum_before).toBe(redistribute(group).redistribution.positive_sum_before);
    }),
  );
});

describe.each(["advantage", "quality", "tokens"] as const)("a bad %s anywhere", (field) => {
  test("is refused with group, rollout and field", () => {
    fc.assert(
      fc.property(
        ratedGroup.filter(({ rollouts }) => rollouts.length > 0),
        fc.nat(),
        fc.constantFrom(NaN, Infinity, -Infinity),
        (group, die, bad) => {
          const index = die % group.rollouts.length;
          const rollouts = group.rollouts.map((rollout, i) =>
            i === index ? { ...rollout, [field]: bad } : rollout,
          );
          for (const act of [redistribute, identity]) {
            const error = refusalOf(() => act({ ...group, rollouts }, {}, { file: "x.jsonl", line: 3 }));
            expect(error.code).toBe("bad_input");
            expect(error.where).toStrictEqual({
              file: "x.jsonl",
              line: 3,
              group: "g",
              rollout: `r${index}`,
              field: `rollouts[${index}].${field}`,
            });
          }
        },
      ),
    );
  });
});
