import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectationOf, type Observed } from "../../../src/checks/tests/expected.ts";
import { countsOf, judge } from "../../../src/checks/tests/judge.ts";
import { notesOf } from "../../../src/checks/tests/notes.ts";
import type { TestResult } from "../../../src/checks/tests/results.ts";
import type { TestStatus } from "../../../src/schema/check.ts";

const none = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), truncated: false, wall_ms: 1 };
const results = (text: string): TestResult[] =>
  text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => {
      const [id = "", mark] = word.split(":");
      const status = mark === "f" || mark === "l" ? "failed" : mark === "s" ? "skipped" : "passed";
      return { id, status, ...(mark === "l" ? { load: true } : {}) };
    });
/** `a:f b` is a run in which a failed and b passed; `:s` is skipped, `:l` a file that cannot be loaded. */
const ran = (text: string | undefined, exit_code?: number, failed?: number): Observed => {
  const told = text === undefined ? undefined : results(text);
  const bad = told?.some(({ status }) => status === "failed") === true;
  return {
    result: { outcome: "exited", exit_code: exit_code ?? (bad ? 1 : 0), ...none },
    told,
    summary: failed === undefined ? undefined : { passed: 1, failed, skipped: 0, failing: [] },
  };
};

test.each<[string, Observed, Observed[], Observed, TestStatus, boolean]>([
  ["all pass", ran("a:f b"), [ran("a b")], ran("a b"), "passed", false],
  ["one fails", ran("a:f b"), [ran("a b")], ran("a:f b"), "failed", false],
  ["a failure under exit status 0", ran("a:f b"), [ran("a b")], ran("a:f b", 0), "failed", true],
  ["no report under exit status 0", ran("a:f b"), [ran("a b")], ran(undefined, 0), "invalid", true],
  ["no report of a crash", ran("a:f b"), [ran("a b")], ran(undefined, 139), "invalid", false],
  [
    "a report that passes what the summary fails",
    ran("a:f", 1, 1),
    [ran("a", 0, 0)],
    ran("a", 1, 1),
    "inconsistent",
    true,
  ],
  [
    "a report that passes what the exit status fails",
    ran("a:f"),
    [ran("a")],
    ran("a", 1),
    "inconsistent",
    false,
  ],
  ["a test of the base that is not run", ran("a:f b"), [ran("a b")], ran("b"), "missing", false],
  [
    "a test of the others that is not run",
    ran("t:l"),
    [ran("a b"), ran("a b"), ran("a b")],
    ran("b"),
    "missing",
    false,
  ],
  ["a test that few others have", ran("t:l"), [ran("a b"), ran("b"), ran("b")], ran("b"), "passed", false],
  ["a skip that the base does not do", ran("a:f b"), [ran("a b")], ran("a:s b"), "skipped", false],
  ["a skip that all do", ran("a:s b:f"), [ran("a:s b")], ran("a:s b"), "passed", false],
  ["another case of a parametrised test", ran("t[1]:f t[2] b"), [], ran("t[1] t[3] b"), "passed", false],
  ["no case of a parametrised test", ran("t[1]:f t[2] b"), [], ran("b"), "missing", false],
  ["nothing run at all", ran("a:f b"), [ran("a b")], ran(""), "missing", false],
  ["a file that cannot be loaded here alone", ran("a:f b"), [ran("a b")], ran("f:l"), "failed", false],
])("%s", (_what, base, rollouts, run, status, forged) => {
  const judged = judge(run, expectationOf(base, [...rollouts, run]));
  expect([judged.status, judged.forged !== undefined]).toEqual([status, forged]);
});

describe("a channel that tells nothing on the base tells nothing of a rollout", () => {
  test.each<[string, Observed, Observed, TestStatus, RegExp]>([
    ["exit status always 0", ran("a:f b", 0), ran("a b", 0), "passed", /exit status says nothing/],
    ["exit status always 1", ran("a b", 1), ran("a b", 1), "passed", /exit status says nothing/],
    ["a summary of something else", ran("a:f", 1, 0), ran("a", 0, 3), "passed", /summary says nothing/],
    ["no report anywhere", ran(undefined, 1), ran(undefined, 0), "exit_only", /no run wrote a report/],
  ])("%s", (_what, base, run, status, note) => {
    const expected = expectationOf(base, [run]);
    expect(judge(run, expected).status).toBe(status);
    expect(notesOf(base, expected, true).join("\n")).toMatch(note);
  });
});

test("a base that passes everything is told", () => {
  const base = ran("a b");
  expect(notesOf(base, expectationOf(base, []), true).join()).toContain("the base passes all tests");
  expect(notesOf(ran("a:f b"), expectationOf(base, []), true)).toEqual([]);
});

test("whatever a rollout reports, it passes only with every expected test passed, exit status 0 and no failure", () => {
  const mark = fc.constantFrom("", ":f", ":s");
  const report = fc
    .uniqueArray(fc.constantFrom("a", "b", "c"))
    .chain((ids) => fc.tuple(...ids.map((id) => mark.map((end) => id + end))))
    .map((words) => words.join(" "));
  const base = ran("a:f b c", 1, 1);
  fc.assert(
    fc.property(
      fc.option(report, { nil: undefined }),
      fc.constantFrom(0, 1, 2),
      fc.nat(1),
      (text, exit, failed) => {
        const run = ran(text, exit, failed);
        const expected = expectationOf(base, [run]);
        const honest = text !== undefined && ["a", "b", "c"].every((id) => text.split(" ").includes(id));
        expect(judge(run, expected).status === "passed").toBe(honest && exit === 0 && failed === 0);
      },
    ),
  );
});

test("counts name what did not pass, and not what is skipped everywhere", () => {
  const base = ran("a:f b c:s d");
  const run = ran("a:f b:s c:s");
  const expected = expectationOf(base, [run]);
  expect(countsOf(judge(run, expected).tests, expected)).toEqual({
    passed: 0,
    failed: 1,
    skipped: 2,
    missing: 1,
    failing: ["a"],
    apart: [
      { id: "b", status: "skipped" },
      { id: "d", status: "missing" },
    ],
  });
});
