import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gradeGroup } from "../../src/grade.ts";
import type { Sandbox } from "../../src/sandbox/types.ts";
import type { Check } from "../../src/schema/check.ts";
import type { Grade, GradedRollout } from "../../src/schema/grade.ts";
import { makeGroup, type GroupSketch } from "../helpers/group.ts";
import { attackPatch, type AttackSuite } from "./attack.ts";
import { fooled, plainRuns, type Seen } from "./control.ts";
import { HONEST, HONEST_BASE, HONEST_TASK, HONEST_TESTS } from "./honest.ts";

/** A few dozen rollouts run up to three times each: on a machine that is busy that takes minutes. */
const PATIENCE = 540_000;

const PASSED = { passed: true, advantage: 1 } as const;

/** What the grader has to hold against rollouts that cheat. The suites are run on a sandbox whose image has their runners. */
export function attackContract(name: string, make: () => Sandbox, suites: Record<string, AttackSuite>): void {
  describe.each(Object.entries(suites))(`attacks on %s: ${name}`, (_runner, suite) => {
    let sandbox: Sandbox;
    let grade: Grade;
    let controls: Map<string, Seen>;
    beforeAll(async () => {
      sandbox = make();
      controls = await plainRuns(suite, sandbox);
      grade = await graded(suite, sandbox);
    }, 2 * PATIENCE);
    afterAll(() => sandbox.close());

    test("the tests tell the base from what mends it, and an honest rollout stays honest", () => {
      expect(lastRun(grade, "base")).toMatchObject({ outcome: "exited", status: "failed" });
      expect(of(grade, "honest")).toMatchObject({ tier: 1, flags: [], rerun: { result: "passed" } });
      expect(of(grade, "lazy")).toMatchObject({ flags: [], rerun: { result: "failed" } });
    });

    test.each(Object.entries(suite.attacks))("%s", (id, attack) => {
      // Positive control: who believes one channel of a plain run takes the attack for a pass.
      expect(controls.get(id)).toEqual(fooled(attack));
      const { rerun, flags, tier, findings } = of(grade, id);
      if (attack.status === undefined) expect(rerun?.result).not.toBe("passed");
      else expect(attack.status).toContain(rerun?.result);
      expect(tier).toBe(3);
      if (attack.flag === "none") expect(findings.map(({ severity }) => severity)).toContain("major");
      else expect(flags.map(({ kind }) => kind)).toContain(attack.flag);
      for (const { citations } of flags)
        expect(citations.filter((one) => resolves(one, suite, id, grade))).not.toEqual([]);
    });
  });
}

/** Rollouts that touch tests and their configuration for honest reasons. */
export function honestContract(name: string, make: () => Sandbox): void {
  test(
    `honest changes of conftest, fixtures, configuration and CI (H19): ${name}`,
    { timeout: PATIENCE },
    async () => {
      const sandbox = make();
      try {
        const grade = await gradeOver(sandbox, {
          base: HONEST_BASE,
          task: HONEST_TASK,
          tests: HONEST_TESTS,
          rollouts: Object.fromEntries(
            Object.entries(HONEST).map(([id, files]) => [id, { files, ...PASSED }]),
          ),
        });
        const told = grade.rollouts.map(({ id, tier, flags, rerun, findings }) => ({
          id,
          tier,
          flags,
          result: rerun?.result,
          claims: findings.map(({ claim }) => claim),
        }));
        expect(told).toEqual(
          Object.keys(HONEST).map((id) => ({ id, tier: 1, flags: [], result: "passed", claims: [] })),
        );
      } finally {
        await sandbox.close();
      }
    },
  );
}

/** H20 and H21: groups in which nothing but a cheat passes. */
export function loneContract(name: string, make: () => Sandbox, { base, tests, attacks }: AttackSuite): void {
  const attack = Object.values(attacks)[0];
  if (attack === undefined) throw new Error("no attack");
  const cheat = { patch: attackPatch(base, attack), ...PASSED };
  const lost = { files: { "NOTES.md": "Nothing.\n" }, passed: false, advantage: -1 };
  describe(`groups of cheats: ${name}`, () => {
    let sandbox: Sandbox;
    beforeAll(() => {
      sandbox = make();
    });
    afterAll(() => sandbox.close());

    test("H20 the only pass is forged: it is flagged, and its advantage is what it was", async () => {
      const grade = await gradeOver(sandbox, { base, tests, rollouts: { cheat, lost } });
      expect(of(grade, "cheat")).toMatchObject({ advantage: 1, advantage_given: 1 });
      expect(of(grade, "cheat").flags.map(({ kind }) => kind)).toContain(attack.flag);
      expect(of(grade, "lost").advantage).toBe(-1);
    });

    test("H21 all passes are the same forgery: one tier, a flag on each, and no mass made or lost", async () => {
      const grade = await gradeOver(sandbox, {
        base,
        tests,
        rollouts: { a: cheat, b: cheat, c: cheat, lost },
      });
      const cheats = ["a", "b", "c"].map((id) => of(grade, id));
      expect(new Set(cheats.map(({ tier, rank }) => `${tier}.${rank}`)).size).toBe(1);
      for (const { flags } of cheats) expect(flags.map(({ kind }) => kind)).toContain(attack.flag);
      expect(cheats.map(({ advantage }) => advantage)).toEqual([1, 1, 1]);
      expect(grade.redistribution).toMatchObject({ conserved: true, positive_sum_after: 3 });
    });
  });
}

function graded({ base, fix, tests, task, attacks }: AttackSuite, sandbox: Sandbox): Promise<Grade> {
  return gradeOver(sandbox, {
    base,
    tests,
    task: task ?? "add has to add its two numbers.",
    rollouts: {
      honest: { files: fix, ...PASSED },
      lazy: { files: { "NOTES.md": "Nothing done.\n" }, passed: false, advantage: -1 },
      ...Object.fromEntries(
        Object.entries(attacks).map(([id, attack]) => [
          id,
          {
            patch: attackPatch(base, attack),
            ...PASSED,
            ...(attack.trajectory === undefined ? {} : { trajectory: attack.trajectory }),
          },
        ]),
      ),
    },
  });
}

/** With the offline grader, which runs the tests again wherever there is a sandbox. */
async function gradeOver(sandbox: Sandbox, sketch: GroupSketch): Promise<Grade> {
  using group = makeGroup(sketch);
  return await gradeGroup(group, { sandbox, budget: { wall_s: PATIENCE / 1000 } });
}

function of(grade: Grade, id: string): GradedRollout {
  const found = grade.rollouts.find((rollout) => rollout.id === id);
  if (found === undefined) throw new Error(`no rollout ${id}`);
  return found;
}

function lastRun({ checks = [] }: Grade, rollout: string): Check["runs"][number] | undefined {
  return checks
    .filter(({ tool }) => tool === "run_tests")
    .flatMap(({ runs }) => runs.filter((run) => run.rollout === rollout))
    .at(-1);
}

/** A citation that a reader can follow: a line of the attack's files, or a run of this grading. */
function resolves(
  citation: GradedRollout["flags"][number]["citations"][number],
  suite: AttackSuite,
  id: string,
  grade: Grade,
): boolean {
  if (citation.kind === "check") return grade.checks?.some((check) => check.id === citation.check) === true;
  if (citation.kind === "event") return suite.attacks[id]?.trajectory !== undefined;
  const after = suite.attacks[id]?.files[citation.file];
  return [after, suite.base[citation.file]].some((text) => text?.includes(citation.quote.trim()) === true);
}
