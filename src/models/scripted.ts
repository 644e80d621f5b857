import { GraderError } from "../errors.ts";
import type { Entry, Inspector, ToolCall } from "./inspector.ts";

/** One step of a script: the calls to make, fixed or made from what came before. */
export type ScriptStep = Omit<ToolCall, "id">[] | ((entries: readonly Entry[]) => Omit<ToolCall, "id">[]);

/** An inspector that follows a script, for tests and demonstrations. It fails when the script ends too early. */
export function scriptedInspector(steps: readonly ScriptStep[]): Inspector {
  return {
    kind: "scripted",
    async next(entries) {
      const turn = entries.filter((entry) => entry.type === "assistant").length;
      const step = steps[turn];
      if (step === undefined)
        throw new GraderError("internal", `the script ends after ${steps.length} steps`);
      const calls = typeof step === "function" ? step(entries) : step;
      return {
        text: "",
        calls: calls.map((call, index) => ({ id: `s${turn}.${index}`, ...call })),
        model_calls: 1,
        tokens_in: 0,
        tokens_out: 0,
      };
    },
  };
}
