import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openChecks } from "../../src/checks/checks.ts";
import { openCheckStore, readCheck } from "../../src/checks/store.ts";
import type { Box, Sandbox } from "../../src/sandbox/types.ts";
import { unavailableSandbox } from "../../src/sandbox/unavailable.ts";
import { makeWorkspace } from "../helpers/workspace.ts";

const sketch = {
  base: { "f.py": "def f(x):\n    return x\n" },
  rollouts: {
    a: { files: { "f.py": "def f(x):\n    return x + 1\n" } },
    b: { files: { "f.py": "def f(x):\n    return x + 1\n" } },
    c: { files: { "f.py": "def f(x):\n    return 1 + x\n" } },
  },
};
const script = { text: "print(1)", language: "python", timeout_s: 5, tests: false } as const;

/** A sandbox that counts what it is asked to run and loses the first ones; the others print all the same. */
function counting(lost = 0): { sandbox: Sandbox; ran: string[][] } {
  const ran: string[][] = [];
  const box: Box = {
    put: async () => {},
    lay: async () => {},
    warm: async () => {},
    run: async ({ argv }) => {
      ran.push([...argv]);
      const stdout = Buffer.from("1\n");
      if (ran.length <= lost)
        return {
          outcome: "sandbox_failed",
          reason: "lost",
          stdout,
          stderr: Buffer.alloc(0),
          truncated: false,
          wall_ms: 1,
        };
      return {
        outcome: "exited",
        exit_code: 0,
        stdout,
        stderr: Buffer.alloc(0),
        truncated: false,
        wall_ms: 1,
      };
    },
    read: async () => ({ outcome: "missing" }),
    close: async () => {},
  };
  const name = "bubblewrap" as const;
  const describe = async () => ({ name, available: true, found: "", root: "", cannot: [] });
  return { sandbox: { name, describe, open: async () => box, close: async () => {} }, ran };
}

test("a call that has finished its check gets it back, also in a later process; another call runs it again", async () => {
  await using workspace = await makeWorkspace(sketch);
  const { sandbox, ran } = counting();
  const targets = workspace.rollouts.flatMap(({ label, patch }) =>
    patch.tree === undefined ? [] : [{ label, tree: patch.tree }],
  );
  const first = openChecks({ sandbox, workspace, limit: 10 });
  const answer = await first.runScript(targets, script, "2.call_0");
  expect(answer.check).toMatchObject({
    id: "x1",
    tool: "run_check",
    sandbox: "bubblewrap",
    script: "print(1)",
  });
  // Two of the three have the same tree, which is run once.
  expect(ran).toHaveLength(2);
  expect(await first.runScript(targets, script, "2.call_0")).toEqual(answer);
  const second = openChecks({ sandbox, workspace, limit: 10 });
  expect(await second.runScript(targets, script, "2.call_0")).toEqual(answer);
  expect(ran).toHaveLength(2);
  expect((await second.runScript(targets, script, "3.call_0")).check.id).toBe("x2");
  expect((await second.runShell({ command: "ls", timeout_s: 1 })).check).toMatchObject({
    id: "x3",
    tool: "shell",
  });
  expect((await second.list()).map(({ id }) => id)).toEqual(["x1", "x2", "x3"]);
});

test.each([
  [1, { outcome: "exited", exit_code: 0 }],
  [2, { outcome: "sandbox_failed", reason: "lost" }],
])("a run that the sandbox loses is made once more: %i lost", async (lost, expected) => {
  await using workspace = await makeWorkspace(sketch);
  const { sandbox, ran } = counting(lost);
  const checks = openChecks({ sandbox, workspace, limit: 10 });
  const { check } = await checks.runScript([{ label: "base", tree: workspace.base }], script);
  expect(check.runs).toEqual([{ rollout: "base", ...expected }]);
  expect(ran).toHaveLength(2);
});

test("a check that was cut off is not there, and its id is used again", async () => {
  await using workspace = await makeWorkspace(sketch);
  const dir = join(workspace.dir, "checks");
  mkdirSync(join(dir, "x1"), { recursive: true });
  writeFileSync(join(dir, "x1", "A.json"), '{"stdout": "hal');
  writeFileSync(join(dir, "x1.json.new"), "{");
  expect(await openCheckStore(workspace.dir).list()).toEqual([]);
  expect(await readCheck(workspace.dir, "x1")).toBeUndefined();
  const checks = openChecks({ sandbox: counting().sandbox, workspace, limit: 10 });
  expect((await checks.runShell({ command: "ls", timeout_s: 1 })).check.id).toBe("x1");
  rmSync(dir, { recursive: true });
});

test("when the checks are spent the tool says so, and a finished one is still given back", async () => {
  await using workspace = await makeWorkspace(sketch);
  const checks = openChecks({ sandbox: counting().sandbox, workspace, limit: 1 });
  const { check } = await checks.runShell({ command: "ls", timeout_s: 1 }, "1.a");
  await expect(checks.runShell({ command: "ls", timeout_s: 1 }, "1.b")).rejects.toThrow(
    "all 1 checks of this grading are spent: conclude",
  );
  expect((await checks.runShell({ command: "ls", timeout_s: 1 }, "1.a")).check).toEqual(check);
});

test("without a sandbox every run says that there is none", async () => {
  await using workspace = await makeWorkspace(sketch);
  const checks = openChecks({
    sandbox: unavailableSandbox("no engine here"),
    workspace,
    limit: 10,
    tests: { command: "pytest", runner: "pytest" },
  });
  const { check } = await checks.runTests([{ label: "base", tree: workspace.base }], {});
  expect(check.runs).toEqual([{ rollout: "base", outcome: "unavailable", reason: "no engine here" }]);
});

test.each([
  [
    { command: "make check", runner: "custom" as const },
    { pattern: "x" },
    /cannot be selected in "make check"/,
  ],
  [undefined, {}, /declares no test command/],
])("tests that cannot be run are refused: %o %o", async (tests, request, problem) => {
  await using workspace = await makeWorkspace(sketch);
  const checks = openChecks({ sandbox: counting().sandbox, workspace, limit: 10, tests });
  await expect(checks.runTests([{ label: "base", tree: workspace.base }], request)).rejects.toThrow(problem);
});
