import { openBox } from "./box.ts";
import type { Cell } from "./cell.ts";
import type { Box, BoxSpec, Limits, Sandbox } from "./types.ts";

/**
 * The boxes of one sandbox, each over cells that its backend starts: opened one by one, closed together.
 *
 * @param limits - Those of boxes that name none.
 */
export function openBoxes(
  start: (spec: BoxSpec) => Promise<Cell>,
  limits: Partial<Limits> = {},
): Pick<Sandbox, "open" | "close"> {
  const boxes = new Set<Box>();
  return {
    async open(given = {}) {
      const spec = { ...given, limits: { ...limits, ...given.limits } };
      const box = await openBox(
        () => start(spec),
        spec,
        () => boxes.delete(box),
      );
      boxes.add(box);
      return box;
    },
    async close() {
      await Promise.all([...boxes].map((box) => box.close()));
    },
  };
}
