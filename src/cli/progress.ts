import type { Progress } from "../grade.ts";

const STEPS = ["prepare", "inspect", "tools", "rank", "redistribute"];
const WIDTH = 20;

/** Shows how far each group is, on stderr. */
export interface ProgressView {
  step(progress: Progress): void;
  done(groupId: string, outcome: string): void;
}

/**
 * One bar a group on a terminal, redrawn in place; one line a finished group elsewhere, so that a log stays readable.
 */
export function progressView(stream: NodeJS.WriteStream, quiet: boolean): ProgressView {
  if (quiet) return { step() {}, done() {} };
  const running = new Map<string, { at: number; step: string; calls: number }>();
  let drawn = 0;
  const clear = () => {
    if (drawn > 0) stream.write(`\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  };
  const draw = () => {
    for (const [id, { at, step, calls }] of running) {
      const filled = Math.round((WIDTH * at) / STEPS.length);
      const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
      const line = `${bar} ${id}: ${step}${calls > 1 ? ` (${calls})` : ""}`;
      stream.write(`${line.slice(0, Math.max(20, stream.columns - 1))}\n`);
      drawn += 1;
    }
  };
  return {
    step({ group_id, step }) {
      const before = running.get(group_id);
      const calls =
        before?.step === step || (step === "inspect" && before !== undefined) ? before.calls + 1 : 1;
      running.set(group_id, { at: Math.max(before?.at ?? 0, STEPS.indexOf(step)), step, calls });
      if (!stream.isTTY) return;
      clear();
      draw();
    },
    done(groupId, outcome) {
      running.delete(groupId);
      clear();
      stream.write(`${groupId}: ${outcome}\n`);
      if (stream.isTTY) draw();
    },
  };
}
