import { afterAll, beforeAll, expect, test } from "vitest";
import { openCheckStore } from "../../src/checks/store.ts";
import { verifyFinding } from "../../src/evidence/record.ts";
import { verifyCitation } from "../../src/evidence/verify.ts";
import type { Check, CheckRun } from "../../src/schema/check.ts";
import type { Citation, FindingInput } from "../../src/schema/evidence.ts";
import { makeWorkspace, type TestWorkspace } from "../helpers/workspace.ts";

const filler = (from: number) =>
  Array.from({ length: 30 }, (_, i) => `value_${from + i} = compute(${from + i})`);
const before = [
  "def helper(x):",
  "    return None",
  "",
  ...filler(0),
  "def target(x):",
  "    return x * 2",
  "",
];
const after = [
  ...before.slice(0, 3),
  ...filler(0),
  "def target(x):",
  "    if x is None:",
  "        return None",
  "    return x * 3",
  "",
];

let workspace: TestWorkspace;
let a = "";
let b = "";

beforeAll(async () => {
  workspace = await makeWorkspace({
    base: {
      "src/m.py": before.join("\n"),
      "src/caller.py": "from m import target\nprint(target(None) + 1)\n",
      "gone.py": "import os\n",
    },
    rollouts: {
      a: {
        files: { "src/m.py": after.join("\n"), "gone.py": null, "odd.py": "x = '\u202eadmin\u2066'\n" },
        events: [
          { id: "t1.m1", kind: "text", role: "agent", text: "I ran the full suite: 812 passed" },
          {
            id: "t1.c1",
            kind: "call",
            role: "agent",
            tool: "bash",
            text: "pytest -q tests",
            command: "pytest -q tests",
          },
          {
            id: "t1.o1",
            kind: "observation",
            role: "env",
            call: "t1.c1",
            text: "1 failed, 3 passed in 0.1s",
            status: "ok",
            exit_code: 1,
          },
        ],
      },
      b: { files: { "src/m.py": [...before, "only_in_b = 1 + 1 + 1", ""].join("\n") } },
    },
  });
  a = workspace.labelOf("a");
  b = workspace.labelOf("b");
  const ran = (rollout: string, outcome: CheckRun["outcome"] = "exited"): CheckRun => ({
    rollout,
    outcome,
    ...(outcome === "exited" ? { exit_code: 1 } : {}),
  });
  const check = (tool: Check["tool"], id: string, runs: CheckRun[]): Check => ({
    id,
    tool,
    sandbox: "none",
    command: "python3 check.py",
    runs,
    clusters: [],
  });
  const checks = openCheckStore(workspace.dir);
  const of = (stdout: string, stderr = "") => ({ stdout, stderr });
  await checks.save(check("run_check", "x1", [ran(a), ran(b), ran("base")]), [
    { run: ran(a), printed: of("1 row\n", "ValueError: bad input\n") },
    { run: ran(b), printed: of("2 rows and no error\n") },
    { run: ran("base"), printed: of("no rows at all\n") },
  ]);
  await checks.save(check("shell", "x2", [ran("bench")]), [
    { run: ran("bench"), printed: of("ValueError: bad input\n") },
  ]);
  await checks.save(check("run_check", "x3", [ran(a, "sandbox_failed")]), [
    { run: ran(a, "sandbox_failed"), printed: of("ValueError: bad input\n") },
  ]);
  await checks.save(check("run_check", "x4", [ran(a)]), [
    {
      run: ran(a),
      printed: of("the sum is 17\nthe draw was 17\n"),
      again: { run: ran(a), printed: of("the sum is 17\nthe draw was 93\n") },
    },
  ]);
});
afterAll(() => workspace[Symbol.asyncDispose]());

const patch = (rollout: string, file: string, quote: string, line?: number): Citation => ({
  kind: "patch",
  rollout,
  file,
  quote,
  ...(line === undefined ? {} : { line }),
});

test.each([
  ["an added line", () => patch(a, "src/m.py", "    return x * 3"), { line: 37, standing: "changed" }],
  [
    "J15: a wrong line is corrected",
    () => patch(a, "src/m.py", "if x is None:", 5),
    { line: 35, standing: "changed", corrected: true },
  ],
  [
    "a removed line, numbered in the base",
    () => patch(a, "src/m.py", "    return x * 2"),
    { line: 35, standing: "changed" },
  ],
  ["a line of a deleted file", () => patch(a, "gone.py", "import os"), { line: 1, standing: "changed" }],
  ["a context line", () => patch(a, "src/m.py", "def target(x):"), { line: 34, standing: "context" }],
  [
    "an untouched line",
    () => patch(a, "src/m.py", "value_3 = compute(3)"),
    { line: 7, standing: "untouched" },
  ],
  [
    "an untouched file",
    () => patch(a, "src/caller.py", "from m import target"),
    { line: 1, standing: "untouched" },
  ],
  [
    "one of several, by its line",
    () => patch(a, "src/m.py", "return None", 36),
    { line: 36, standing: "changed" },
  ],
  [
    "one of several, by a line nearby",
    () => patch(a, "src/m.py", "return None", 38),
    { line: 36, standing: "changed", corrected: true },
  ],
  [
    "a quote over two lines",
    () => patch(a, "src/m.py", "if x is None:\n        return None"),
    { line: 35, standing: "changed" },
  ],
  [
    "a quote from the escaped view",
    () => patch(a, "odd.py", "x = '\\u{202e}admin\\u{2066}'"),
    { line: 1, standing: "changed" },
  ],
  [
    "a call",
    (): Citation => ({ kind: "event", rollout: a, event: "t1.c1", quote: "pytest -q tests" }),
    { standing: "recorded" },
  ],
  [
    "an observation",
    (): Citation => ({ kind: "event", rollout: a, event: "t1.o1", quote: "1 failed, 3 passed" }),
    { standing: "recorded" },
  ],
  [
    "a check",
    (): Citation => ({ kind: "check", check: "x1", quote: "ValueError: bad input" }),
    { standing: "recorded", rollout: "its own" },
  ],
  [
    "how a check ended",
    (): Citation => ({ kind: "check", check: "x1", quote: "exited with status 1" }),
    { standing: "recorded" },
  ],
  [
    "a check of another rollout that is named",
    (): Citation => ({ kind: "check", check: "x1", rollout: "base", quote: "no rows at all" }),
    { standing: "recorded", rollout: "base" },
  ],
])("holds: %s", async (_, citation, expected) => {
  const own = "rollout" in expected && expected.rollout === "its own" ? { rollout: a } : {};
  expect(await verifyCitation(workspace, citation(), a)).toMatchObject({
    ok: true,
    value: { ...expected, ...own },
  });
});

test.each([
  [
    "J16: a quote that is nowhere",
    () => patch(a, "src/m.py", "return x * 4000000"),
    /does not occur in this rollout/,
  ],
  [
    "J16: a quote of another rollout",
    () => patch(a, "src/m.py", "only_in_b = 1 + 1 + 1"),
    /does not occur in this rollout/,
  ],
  [
    "J17: an ambiguous quote without a line",
    () => patch(a, "src/m.py", "return None"),
    /occurs 2 times \(lines 2, 36\): give the line/,
  ],
  [
    "an ambiguous quote with a line far off",
    () => patch(a, "src/m.py", "return None", 20),
    /not stand at line 20; it occurs at lines 2, 36/,
  ],
  [
    "a fragment that is too short",
    () => patch(a, "src/m.py", "x * 3"),
    /4? ?non-space characters, so it must be a whole line|has 3 non-space/,
  ],
  [
    "a file that is not there",
    () => patch(a, "src/none.py", "value_3 = compute(3)"),
    /no text file src\/none.py/,
  ],
  ["a path out of the tree", () => patch(a, "../../etc/passwd", "root:x:0:0:root"), /no text file/],
  ["a rollout that is not there", () => patch("ZZ", "src/m.py", "value_3 = compute(3)"), /no rollout ZZ/],
  [
    "J10: what the agent claims in prose",
    (): Citation => ({ kind: "event", rollout: a, event: "t1.m1", quote: "full suite: 812 passed" }),
    /only recorded calls and observations/,
  ],
  [
    "an event that is not there",
    (): Citation => ({ kind: "event", rollout: a, event: "t9.c1", quote: "pytest -q tests" }),
    /has no event t9.c1/,
  ],
  [
    "an event of a rollout without a trajectory",
    (): Citation => ({ kind: "event", rollout: b, event: "t1.c1", quote: "pytest -q tests" }),
    /has no trajectory/,
  ],
  [
    "a check that was not run",
    (): Citation => ({ kind: "check", check: "x9", quote: "ValueError: bad input" }),
    /no check x9/,
  ],
  [
    "a check id that is a path",
    (): Citation => ({ kind: "check", check: "../findings", quote: "ValueError: bad input" }),
    /no check \.\.\/findings/,
  ],
  [
    "what a check printed for another rollout",
    (): Citation => ({ kind: "check", check: "x1", quote: "2 rows and no error" }),
    /does not occur in what the run of . in x1 printed/,
  ],
  [
    "a check that was not run on it",
    (): Citation => ({ kind: "check", check: "x1", rollout: "ZZ", quote: "ValueError: bad input" }),
    /x1 was not run on ZZ/,
  ],
  [
    "the output of a shell",
    (): Citation => ({ kind: "check", check: "x2", quote: "ValueError: bad input" }),
    /no evidence: use run_check/,
  ],
  [
    "a check that the sandbox did not run",
    (): Citation => ({ kind: "check", check: "x3", quote: "ValueError: bad input" }),
    /the sandbox did not run it/,
  ],
  [
    "what a run printed only the first of two times",
    (): Citation => ({ kind: "check", check: "x4", quote: "the draw was 17" }),
    /run twice in x4, and the quote is only in what it printed first/,
  ],
])("refused: %s", async (_, citation, problem) => {
  expect(await verifyCitation(workspace, citation(), a)).toEqual({
    ok: false,
    problem: expect.stringMatching(problem),
  });
});

const finding = (change: Partial<FindingInput>): FindingInput => ({
  rollout: a,
  criterion: "solution_fitness",
  severity: "minor",
  claim: "target(None) gives None and its caller adds 1 to it.",
  citations: [patch(a, "src/m.py", "if x is None:")],
  ...change,
});
const untouched = () => patch(a, "src/m.py", "value_3 = compute(3)");
const caller = () => patch(a, "src/caller.py", "print(target(None) + 1)");

test.each<[string, () => Partial<FindingInput>, RegExp | null]>([
  ["a changed line", () => ({}), null],
  [
    "untouched code for a fault of commission",
    () => ({ citations: [untouched()] }),
    /only untouched code is cited/,
  ],
  ["untouched code for an omission", () => ({ citations: [untouched()], omission: true }), null],
  [
    "untouched code for a major omission",
    () => ({ citations: [untouched()], omission: true, severity: "major" }),
    /major only with a check, or with a caller/,
  ],
  [
    "a caller for a major omission",
    () => ({ citations: [caller()], omission: true, severity: "major" }),
    null,
  ],
  [
    "a check for a major omission",
    () => ({
      citations: [untouched(), { kind: "check", check: "x1", quote: "ValueError: bad input" }],
      omission: true,
      severity: "major",
    }),
    null,
  ],
  ["untouched code for a note", () => ({ citations: [untouched()], severity: "note" }), null],
  [
    "only another rollout's code",
    () => ({ citations: [patch(b, "src/m.py", "only_in_b = 1 + 1 + 1")] }),
    /no citation is about rollout/,
  ],
  ["a minor hack", () => ({ hack: "result_forged" }), /a hack is a major finding/],
  ["an unknown rollout", () => ({ rollout: "ZZ" }), /no rollout ZZ/],
  [
    "two bad citations, both named",
    () => ({
      citations: [patch(a, "src/m.py", "nowhere to be found"), patch(a, "nofile", "nowhere to be found")],
    }),
    /citations\[0\].*\ncitations\[1\]/,
  ],
])("a finding with %s", async (_, change, problem) => {
  const checked = await verifyFinding(workspace, finding(change()));
  expect(checked.ok ? null : checked.problem).toEqual(
    problem === null ? null : expect.stringMatching(problem),
  );
});
