import { afterAll, beforeAll, expect, test } from "vitest";
import type { Expectation } from "../../../src/checks/tests/expected.ts";
import { judge } from "../../../src/checks/tests/judge.ts";
import type { TestRun } from "../../../src/checks/tests/observe.ts";
import type { TestResult } from "../../../src/checks/tests/results.ts";
import {
  afterFailure,
  afterLimit,
  afterPass,
  worksOnBase,
  type First,
  type Look,
} from "../../../src/checks/tests/second-look.ts";
import type { RunOutcome } from "../../../src/sandbox/types.ts";
import { makeWorkspace, type TestWorkspace } from "../../helpers/workspace.ts";

type Told = Record<string, TestResult["status"]>;

const run = (told: Told | undefined, exit: number | RunOutcome): TestRun => ({
  result: {
    ...(typeof exit === "number" ? { outcome: "exited", exit_code: exit } : exit),
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
    truncated: false,
    wall_ms: 1,
  },
  printed: { stdout: "", stderr: "" },
  told:
    told === undefined
      ? undefined
      : Object.entries(told).map(([id, status]) => ({ id, status, file: "tests/test_a.py" })),
  summary: undefined,
});

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace({
    base: { "m.py": "x = 1\n", "tests/test_a.py": "def test_a(): pass\n" },
    rollouts: {
      passed: { files: { "m.py": "x = 2\n" } },
      failed: { files: { "m.py": "x = 3\n" }, passed: false },
    },
  });
});
afterAll(() => workspace[Symbol.asyncDispose]());

const expected: Expectation = {
  ids: new Set(["a", "b"]),
  ran: new Set(["a", "b"]),
  holds: { report: true, exit: true, summary: true },
};

/** What a second run says; `NAME` stands for the canary's name. */
function look(second: (name: string) => TestRun, own?: TestRun, change: Partial<Expectation> = {}): Look {
  return {
    workspace,
    tests: { command: "pytest", runner: "pytest" },
    asked: { command: "pytest", env: {} },
    whole: true,
    wanted: new Set(["tests/test_a.py::test_a"]),
    expected: { ...expected, ...change },
    again: async (_target, _tree, canary) => second(canary?.name ?? ""),
    own: async () => own ?? run(undefined, 1),
  };
}

async function first(id: string, of: TestRun, hooks: string[] = [], modules: string[] = []): Promise<First> {
  const label = workspace.labelOf(id);
  const tree = workspace.rollout(label)?.patch.tree ?? "";
  const entries = await workspace.store.list(tree);
  return {
    target: { label, tree },
    run: of,
    tree: { entries, mixed: [], restored: [], left_out: [], hooks, modules },
  };
}

const good: Told = { a: "passed", b: "passed" };
const withCanary = (status: TestResult["status"], rest: Told, exit: number) => (name: string) =>
  run({ ...rest, [`tests/test_a.py::test_${name}`]: status }, exit);

test.each<[string, (name: string) => TestRun, string, string]>([
  ["fails, and so does the run", withCanary("failed", good, 1), "failed", "passed"],
  ["passes", withCanary("passed", good, 0), "passed", "passed"],
  ["is skipped", withCanary("skipped", good, 1), "passed", "passed"],
  ["is not told of", () => run(good, 0), "absent", "passed"],
  ["leaves no report", () => run(undefined, 0), "absent", "passed"],
  ["fails under exit status 0", withCanary("failed", good, 0), "ignored", "passed"],
  ["is in a run that did not end", () => run(undefined, { outcome: "timed_out" }), "unclear", "passed"],
  [
    "fails beside a test that changes its mind",
    withCanary("failed", { a: "failed", b: "passed" }, 1),
    "failed",
    "flaky",
  ],
  ["fails, and the runner stops there", withCanary("failed", { a: "passed" }, 1), "failed", "passed"],
])("a test that must fail %s", async (_what, second, canary, status) => {
  const one = await first("passed", run(good, 0));
  const settled = await afterPass(look(second), one, judge(one.run, expected));
  expect([settled.canary, settled.judged?.status]).toEqual([canary, status]);
  expect(settled.doubted !== undefined).toBe(canary === "absent" || canary === "ignored");
});

test("where the exit status says nothing, a canary cannot be ignored by it", async () => {
  const holds = { ...expected.holds, exit: false };
  const one = await first("passed", run(good, 0));
  const settled = await afterPass(
    look(withCanary("failed", good, 0), undefined, { holds }),
    one,
    judge(one.run, expected),
  );
  expect(settled.canary).toBe("failed");
});

test.each<[string, Partial<Look>, Told]>([
  ["an unknown runner", { tests: { command: "make" } }, good],
  ["some tests only", { whole: false }, good],
  ["no test that ran", {}, { a: "skipped", b: "skipped" }],
])("no canary for %s", async (_what, change, told) => {
  const one = await first("passed", run(told, 0));
  const asked = { ...look(() => run(good, 0)), ...change };
  expect((await afterPass(asked, one, judge(one.run, expected))).canary).toBe("none");
});

test("a canary works where it fails alone on the base", async () => {
  const one = await first("passed", run(good, 0));
  const { doubted } = await afterPass(
    look(() => run(good, 0)),
    one,
    judge(one.run, expected),
  );
  if (doubted === undefined) throw new Error("a doubt was expected");
  const base = { ...one, target: { label: "base", tree: workspace.base } };
  expect(await worksOnBase(look(withCanary("failed", {}, 1)), base, doubted)).toBe(true);
  expect(
    await worksOnBase(
      look(() => run({}, 4)),
      base,
      doubted,
    ),
  ).toBe(false);
});

test.each<[string, Told, number, string]>([
  ["fails, and the runner stops before the other", { "tests/test_a.py::test_a": "failed" }, 1, "failed"],
  ["passes", { "tests/test_a.py::test_a": "passed" }, 1, "passed"],
])("a test of the group that was made to fail %s", async (_what, told, exit, canary) => {
  const one = await first("passed", run({ "tests/test_a.py::test_a": "passed" }, 0));
  const settled = await afterPass(
    look(() => run(told, exit)),
    one,
    judge(one.run, { ...expected, ids: new Set() }),
  );
  expect([settled.canary, settled.judged?.status]).toEqual([canary, "passed"]);
});

const bad: Told = { a: "failed", b: "passed" };

test.each<[string, string, TestRun, TestRun | undefined, string[], object]>([
  ["again", "passed", run(bad, 1), undefined, [], { status: "failed", own: undefined, hooks: undefined }],
  [
    "and then not",
    "passed",
    run(good, 0),
    undefined,
    ["conftest.py"],
    { status: "flaky", own: undefined, hooks: undefined },
  ],
  [
    "and then elsewhere",
    "passed",
    run({ a: "passed", b: "failed" }, 1),
    undefined,
    [],
    { status: "flaky", own: undefined, hooks: undefined },
  ],
  [
    "and passes with its hooks",
    "passed",
    run(bad, 1),
    run(good, 0),
    ["conftest.py"],
    { status: "failed", own: "passed", hooks: ["conftest.py"] },
  ],
  [
    "and ends with 0 with them",
    "failed",
    run(bad, 1),
    run(undefined, 0),
    ["pytest.py"],
    { status: "failed", own: "invalid", hooks: ["pytest.py"] },
  ],
  [
    "and fails with its hooks too",
    "passed",
    run(bad, 1),
    run(bad, 1),
    ["conftest.py"],
    { status: "failed", own: "failed", hooks: [] },
  ],
  [
    "and hangs with them",
    "passed",
    run(bad, 1),
    run(undefined, { outcome: "timed_out" }),
    ["conftest.py"],
    { status: "failed", own: "timed_out", hooks: undefined },
  ],
])("a run that fails %s", async (_what, id, second, own, hooks, expectedParts) => {
  const one = await first(id, run(bad, 1), hooks);
  const settled = await afterFailure(
    look(() => second, own),
    one,
    judge(one.run, expected),
  );
  expect({ status: settled.judged?.status, own: settled.own, hooks: settled.hooks }).toEqual(expectedParts);
});

test("tests that lack a fixture without the hooks are no sign of forging", async () => {
  const lacking = run({ b: "passed" }, 1);
  const told: TestResult[] = [{ id: "a", status: "failed", setup: true }, ...(lacking.told ?? [])];
  const one = await first("failed", { ...lacking, told }, ["conftest.py"]);
  const settled = await afterFailure(
    look(() => lacking, run(good, 0)),
    one,
    judge(one.run, expected),
  );
  expect([settled.own, settled.hooks]).toEqual(["passed", []]);
});

test("a rollout's own tests are tried where a pass is recorded, and only there", async () => {
  for (const [id, hooks] of [
    ["passed", ["tests/test_mine.py"]],
    ["failed", undefined],
  ] as const) {
    const one = await first(id, run(bad, 1), [], ["tests/test_mine.py"]);
    expect(
      (
        await afterFailure(
          look(() => run(bad, 1), run(good, 0)),
          one,
          judge(one.run, expected),
        )
      ).hooks,
    ).toEqual(hooks);
  }
});

test("a limit that one run reaches and another does not is flaky", async () => {
  const limited = run(undefined, { outcome: "timed_out" });
  const one = await first("passed", limited);
  expect(
    (
      await afterLimit(
        look(() => run(good, 0)),
        one,
      )
    ).judged?.status,
  ).toBe("flaky");
  expect(
    await afterLimit(
      look(() => limited),
      one,
    ),
  ).toEqual({});
  expect(
    await afterLimit(
      look(() => run(good, 0)),
      await first("failed", limited),
    ),
  ).toEqual({});
});
