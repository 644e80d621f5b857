import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { TrajectoryEvent } from "../../src/schema/trajectory.ts";
import { OpenCalls } from "../../src/sources/trajectories/open-calls.ts";

const callOf = (turn: number, n: number): TrajectoryEvent => ({
  id: `t${turn}.c${n}`,
  turn,
  kind: "call",
  role: "agent",
  text: "",
});

/** The rule as it is written, over a plain list. */
class Plain {
  open: { event: TrajectoryEvent; nativeId: string | undefined }[] = [];

  take(turn: number, nativeId: string | undefined): TrajectoryEvent | undefined {
    const named = this.open.filter((call) => nativeId !== undefined && call.nativeId === nativeId);
    const latest = named.at(-1)?.event.turn;
    const found =
      named.find(({ event }) => event.turn === latest) ??
      this.open.find(
        (call) => call.event.turn === turn && (nativeId === undefined || call.nativeId === undefined),
      );
    this.open = this.open.filter((call) => call !== found);
    return found?.event;
  }
}

const step = fc.record({
  isCall: fc.boolean(),
  turn: fc.nat({ max: 3 }),
  id: fc.constantFrom(undefined, "a", "b", "c"),
});

test("whatever comes in whatever order, a result answers the call that the rule names", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [calls, plain] = [new OpenCalls(), new Plain()];
      for (const [n, { isCall, turn, id }] of steps.entries()) {
        if (isCall) {
          calls.add(callOf(turn, n), id);
          plain.open.push({ event: callOf(turn, n), nativeId: id });
        } else expect(calls.take(turn, id)).toEqual(plain.take(turn, id));
        expect(calls.isWaiting(turn)).toBe(plain.open.some(({ event }) => event.turn === turn));
      }
      const left = calls.unanswered().map((event) => event.id);
      expect(left.toSorted()).toEqual(plain.open.map(({ event }) => event.id).toSorted());
    }),
    { numRuns: 500 },
  );
});

test.each<[string, (n: number) => string, (n: number) => string]>([
  ["answered in order", (n) => `${n}`, (n) => `${n}`],
  ["answered backwards", (n) => `${n}`, (n) => `${49_999 - n}`],
  ["answered under other ids", (n) => `${n}`, (n) => `x${n}`],
  ["all of one id", () => "a", () => "a"],
])("50,000 calls of one turn, %s, are matched in reasonable time", (_, called, answered) => {
  const calls = new OpenCalls();
  const start = performance.now();
  for (let n = 0; n < 50_000; n++) calls.add(callOf(1, n), called(n));
  for (let n = 0; n < 50_000; n++) calls.take(1, answered(n));
  expect(performance.now() - start).toBeLessThan(3_000);
});
