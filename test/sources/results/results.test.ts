import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  markedVerdict,
  readCtrf,
  readFlatResults,
  readInstanceReport,
  readJunit,
  readMarkedOutput,
  readMultiReport,
  readPredictions,
  readReward,
  readRewardText,
  readRowVerdict,
  readRunReport,
  readTestList,
  readTrialResult,
  settle,
} from "../../../src/sources/results/index.ts";

const diff = "diff --git a/a b/a\n";

describe("predictions", () => {
  test.each<[string, unknown, unknown]>([
    ["a list", [{ instance_id: "o__r-1", model_name_or_path: "m", model_patch: diff }], [["o__r-1", diff]]],
    ["by instance", { "o__r-1": { model_name_or_path: "m", model_patch: diff } }, [["o__r-1", diff]]],
    ["one alone", { instance_id: "o__r-1", model_patch: diff }, [["o__r-1", diff]]],
    ["a null patch", [{ instance_id: "o__r-1", model_patch: null }], [["o__r-1", null]]],
    ["an empty patch", [{ instance_id: "o__r-1", model_patch: "" }], [["o__r-1", ""]]],
    ["no patch", [{ instance_id: "o__r-1", model_name_or_path: "m" }], [["o__r-1", undefined]]],
    ["camel case", [{ instanceId: "o__r-1", modelPatch: diff }], [["o__r-1", diff]]],
    ["Multi-SWE-bench", [{ org: "o", repo: "r", number: "1", fix_patch: diff }], [["o__r-1", diff]]],
    [
      "SWE-bench Pro",
      [{ instance_id: "instance_o__r-1", patch: diff, prefix: "p" }],
      [["instance_o__r-1", diff]],
    ],
    ["OpenHands", [{ instance_id: "o__r-1", test_result: { git_patch: diff } }], [["o__r-1", diff]]],
    [
      "OpenHands' resolver",
      [{ issue: { owner: "o", repo: "r", number: 1 }, git_patch: diff }],
      [["o__r-1", diff]],
    ],
    [
      "two of one instance",
      [1, 2].map((n) => ({ instance_id: "x", model_patch: `${n}` })),
      [
        ["x", "1"],
        ["x", "2"],
      ],
    ],
    [
      "a data set's row: its patch is the solution",
      [{ instance_id: "x", patch: diff, test_patch: diff }],
      undefined,
    ],
    ["something else", { a: 1 }, undefined],
    ["nothing", null, undefined],
  ])("%s", (_, value, expected) => {
    expect(readPredictions(value)?.map(({ instance, patch }) => [instance, patch])).toEqual(expected);
  });
});

describe("verdicts by instance", () => {
  const report = { patch_exists: true, resolved: true, patch_successfully_applied: false };
  const statuses = {
    FAIL_TO_PASS: { success: ["a"], failure: ["b"] },
    PASS_TO_PASS: { success: [], failure: [] },
  };
  const named = (value: unknown): unknown =>
    (
      readInstanceReport(value) ??
      readMultiReport(value) ??
      readRunReport(value) ??
      readFlatResults(value)
    )?.map(({ instance, verdict }) => [instance, verdict.passed, verdict.detail]);
  test.each<[string, unknown, unknown]>([
    [
      "report, by instance",
      { "o__r-1": { ...report, tests_status: statuses } },
      [["o__r-1", true, "FAIL_TO_PASS 1 of 2, PASS_TO_PASS 0 of 0; patch not applied"]],
    ],
    [
      "report, bare",
      { ...report, resolved: false, patch_successfully_applied: true },
      [[undefined, false, undefined]],
    ],
    [
      "report, not judged",
      { ...report, resolved: null, patch_successfully_applied: true },
      [[undefined, null, undefined]],
    ],
    [
      "run report: what no list names is not in it",
      {
        total_instances: 9,
        submitted_ids: ["a", "b", "c", "d", "e"],
        resolved_ids: ["a"],
        unresolved_ids: ["b"],
        empty_patch_ids: ["c"],
        error_ids: ["d"],
      },
      [
        ["a", true, undefined],
        ["b", false, undefined],
        ["c", false, "empty patch"],
        ["d", null, "error in the evaluation"],
      ],
    ],
    [
      "run report, other names",
      { ids_resolved: ["a"], ids_unresolved: ["b"] },
      [
        ["a", true, undefined],
        ["b", false, undefined],
      ],
    ],
    ["run report, list only", { resolved: ["a"] }, [["a", true, undefined]]],
    ["run report, numbers only", { resolved: 3, unresolved: 4 }, undefined],
    ["Multi-SWE-bench ids", { resolved_ids: ["o/r:pr-7"] }, [["o__r-7", true, undefined]]],
    [
      "Multi-SWE-bench report",
      { org: "o", repo: "r", number: 7, valid: false, error_msg: "no test ran" },
      [["o__r-7", false, "no test ran"]],
    ],
    [
      "SWE-bench Pro",
      { "instance_o__r-1": true, "instance_o__r-2": false },
      [
        ["instance_o__r-1", true, undefined],
        ["instance_o__r-2", false, undefined],
      ],
    ],
    ["settings are no results", { verbose: true }, undefined],
    ["nothing", {}, undefined],
  ])("%s", (_, value, expected) => expect(named(value)).toEqual(expected));
});

describe("verdicts by place", () => {
  test.each<[string, unknown, boolean | null | undefined]>([
    ["reward 1", { reward: 1 }, true],
    ["reward 0", { reward: 0 }, false],
    ["reward in between", { reward: 0.5 }, false],
    ["one reward by name", { tests: 1 }, true],
    ["two, of which none is the reward", { tests: 1, style: 0 }, null],
    ["none", { reward: "1" }, undefined],
  ])("reward.json: %s", (_, value, passed) => expect(readReward(value)?.passed).toBe(passed));

  test.each<[string, boolean | undefined]>([
    ["1\n", true],
    ["1.0", true],
    ["0", false],
    [".5", false],
    ["", undefined],
    ["NaN", undefined],
    ["ok", undefined],
  ])("reward.txt: %j", (text, passed) => expect(readRewardText(text)?.passed).toBe(passed));

  test.each<[string, unknown, unknown]>([
    [
      "Harbor",
      { task_name: "t", trial_name: "t__x", verifier_result: { rewards: { reward: 1 } } },
      ["t", "t__x", true],
    ],
    [
      "Harbor, not judged",
      { task_name: "t", trial_name: "t__x", verifier_result: null },
      ["t", "t__x", undefined],
    ],
    [
      "Terminal-Bench",
      { task_id: "t", trial_name: "t.1", is_resolved: true, failure_mode: "agent_timeout" },
      ["t", "t.1", true],
    ],
    ["anything else", { name: "x" }, [undefined, undefined, undefined]],
  ])("result.json: %s", (_, value, expected) => {
    const result = readTrialResult(value);
    expect([result?.task, result?.trial, result?.verdict?.passed]).toEqual(expected);
  });

  test.each<[string, unknown, boolean | null | undefined]>([
    [
      "all passed",
      {
        results: {
          tests: [
            { name: "a", status: "passed" },
            { name: "b", status: "skipped" },
          ],
        },
      },
      true,
    ],
    [
      "one failed",
      {
        results: {
          tests: [
            { name: "a", status: "passed" },
            { name: "b", status: "failed" },
          ],
        },
      },
      false,
    ],
    ["none ran", { results: { tests: [{ name: "b", status: "skipped" }] } }, null],
    ["summary only", { results: { summary: { passed: 2, failed: 0 } } }, true],
    ["no report", { results: [] }, undefined],
  ])("CTRF: %s", (_, value, passed) => expect(readCtrf(value)?.passed).toBe(passed));

  test("a list of tests is counted; which of them had to pass stands elsewhere", () => {
    const tests = ["PASSED", "FAILED", "ERROR", "SKIPPED"].map((status) => ({ name: status, status }));
    expect(readTestList({ tests })).toEqual({
      source: "tests",
      passed: null,
      detail: "1 passed, 2 failed, 1 skipped",
    });
  });

  test.each<[string, string, string | undefined]>([
    [
      "passed",
      '<testsuite><testcase name="a"/><testcase name="b"></testcase></testsuite>',
      "2 passed, 0 failed, 0 skipped",
    ],
    [
      "failed",
      '<?xml version="1.0"?>\n<testsuites><testcase><failure/></testcase><testcase><error>x</error></testcase></testsuites>',
      "0 passed, 2 failed, 0 skipped",
    ],
    ["skipped", "<testsuite><testcase><skipped/></testcase></testsuite>", "0 passed, 0 failed, 1 skipped"],
    [
      "totals that lie",
      '<testsuite failures="0"><testcase><failure/></testcase></testsuite>',
      "0 passed, 1 failed, 0 skipped",
    ],
    [
      "output that looks like results",
      "<testsuite><testcase><system-out><![CDATA[<failure/>]]></system-out></testcase></testsuite>",
      "1 passed, 0 failed, 0 skipped",
    ],
    ["cut short", "<testsuite><testcase/><testcase><failure", "2 passed, 0 failed, 0 skipped"],
    ["other XML", "<html/>", undefined],
  ])("JUnit: %s", (_, text, detail) => {
    const verdict = readJunit(text);
    expect(verdict?.detail).toBe(detail);
    // Only a whole file can say that all is well.
    if (verdict?.passed === true) expect(text).toMatch(/<\/testsuites?>$/);
  });

  test.each<[string, unknown, boolean | null | undefined]>([
    ["resolved", { resolved: true }, true],
    ["a number", { resolved: 0 }, false],
    ["target", { target: true }, true],
    ["OpenHands' report", { test_result: { report: { resolved: false } } }, false],
    ["unknown", { resolved: null }, undefined],
    ["success of the run is none of the tests", { success: true }, undefined],
    ["R2E-Gym", { reward: 1, output_patch: "" }, true],
  ])("row: %s", (_, row, passed) => expect(readRowVerdict(row)?.passed).toBe(passed));
});

describe("test_output.txt", () => {
  const noise = "+ git status\n";
  const whole = `${noise}+ : '>>>>> Start Test Output'\na PASSED\n+ : '>>>>> End Test Output'\n${noise}`;
  test.each<[string, string, unknown, boolean | null | undefined]>([
    ["between its markers", whole, { tests: "a PASSED\n", state: "whole", timedOut: false }, undefined],
    ["without markers", noise, { tests: noise, state: "unmarked", timedOut: false }, undefined],
    ["cut", whole.slice(0, whole.indexOf("ED\n")), { tests: "a PASS", state: "cut", timedOut: false }, null],
    [
      "not applied",
      ">>>>> Patch Apply Failed\n",
      { tests: ">>>>> Patch Apply Failed\n", state: "unmarked", applied: false, timedOut: false },
      false,
    ],
    [
      "timed out",
      `>>>>> Applied Patch\n${whole}>>>>> Tests Timed Out`,
      { tests: "a PASSED\n", state: "whole", applied: true, timedOut: true },
      null,
    ],
  ])("%s", (_, text, expected, passed) => {
    expect(readMarkedOutput(text)).toEqual(expected);
    expect(markedVerdict(text)?.passed).toBe(passed);
  });
});

describe("what all sources say", () => {
  const verdict = fc.record({
    source: fc.constantFrom("report", "reward", "row"),
    passed: fc.constantFrom(true, false, null),
  });
  test("passed is what they agree on, null when none says anything, and a disagreement names both sides", () => {
    fc.assert(
      fc.property(fc.array(verdict), (verdicts) => {
        const said = new Set(verdicts.map(({ passed }) => passed).filter((passed) => passed !== null));
        const { passed, disagreement } = settle(verdicts);
        expect(passed).toBe(said.size === 1 ? [...said][0] : null);
        expect(disagreement !== undefined).toBe(said.size === 2);
      }),
    );
    expect(
      settle([
        { source: "report", passed: true, file: "r.json" },
        { source: "reward", passed: false },
      ]).disagreement,
    ).toBe("passed by report (r.json); failed by reward");
  });
});

test("no reader of results throws, whatever it is given", () => {
  const ofValues = [
    readPredictions,
    readInstanceReport,
    readRunReport,
    readFlatResults,
    readMultiReport,
    readCtrf,
    readTestList,
    readReward,
    readTrialResult,
    readRowVerdict,
  ];
  const ofTexts = [readJunit, readMarkedOutput, markedVerdict, readRewardText];
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string(), (value, text) => {
      for (const read of ofValues) expect(() => read(value)).not.toThrow();
      for (const read of ofTexts) expect(() => read(`<testsuite>${text}`)).not.toThrow();
    }),
  );
});
