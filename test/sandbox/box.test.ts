import { expect, test } from "vitest";
import { openBox } from "../../src/sandbox/box.ts";
import type { Cell } from "../../src/sandbox/cell.ts";
import { NotStarted, SandboxFault } from "../../src/sandbox/fault.ts";

/** Cells that fail as told, one error a command, and then run everything with status 0. */
function cells(errors: Error[]) {
  const made = { cells: 0, commands: 0 };
  const start = async (): Promise<Cell> => {
    made.cells += 1;
    return {
      put: async () => {},
      exec: async () => {
        made.commands += 1;
        const error = errors.shift();
        if (error !== undefined) throw error;
        return 0;
      },
      state: async () => ({ processes: 0, oomKills: 0, ipcObjects: 0, ended: false }),
      kill: async () => {},
    };
  };
  return { made, start };
}

const lost = () => new SandboxFault("sandbox_failed", "lost on the way");
const unstarted = () => new NotStarted("no process could be made");

test.each<[string, Error[], object, { cells: number; commands: number }]>([
  ["a command that works is run once", [], { outcome: "exited", exit_code: 0 }, { cells: 1, commands: 1 }],
  [
    "one that did not start is run again in a new cell",
    [unstarted()],
    { outcome: "exited", exit_code: 0 },
    { cells: 2, commands: 2 },
  ],
  [
    "one that does not start twice has failed",
    [unstarted(), unstarted()],
    { outcome: "sandbox_failed", reason: "no process could be made" },
    { cells: 2, commands: 2 },
  ],
  [
    "one that may have begun is never run again",
    [lost()],
    { outcome: "sandbox_failed", reason: "lost on the way" },
    { cells: 1, commands: 1 },
  ],
])("%s", async (_what, errors, expected, counts) => {
  const { made, start } = cells(errors);
  const box = await openBox(start, {}, () => {});
  const result = await box.run({ argv: ["true"] });
  expect(result).toMatchObject(expected);
  expect(result).not.toHaveProperty("started");
  expect(made).toEqual(counts);
  await box.close();
});
