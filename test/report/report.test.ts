import { expect, test } from "vitest";
import { decidingFinding, gradeMarkdown, gradeText } from "../../src/report/grade.ts";
import { markdownTable, shortNumber, textTable } from "../../src/report/table.ts";
import type { Finding } from "../../src/schema/evidence.ts";
import type { Grade } from "../../src/schema/grade.ts";

const finding = (severity: Finding["severity"], claim: string, hack?: "result_forged"): Finding => ({
  id: "n1",
  rollout: "b",
  criterion: "solution_fitness",
  severity,
  claim,
  citations: [
    { kind: "patch", rollout: "b", file: "src/a.py", line: 3, quote: "x = '```\u202e'", standing: "changed" },
  ],
  ...(hack === undefined ? {} : { hack }),
});
const grade: Grade = {
  group_id: "g|1",
  status: "graded",
  grader: { kind: "offline", seed: 0 },
  rollouts: [
    { id: "c", passed: false, advantage_given: -1, advantage: -1, findings: [], flags: [] },
    {
      id: "b",
      passed: true,
      tier: 3,
      rank: 1,
      advantage_given: 0.5,
      advantage: 0.33333333,
      findings: [finding("minor", "Small."), finding("major", "Large | fault.")],
      flags: [],
    },
    {
      id: "a",
      passed: true,
      tier: 1,
      rank: 1,
      advantage_given: 0.5,
      advantage: 0.66666666,
      findings: [],
      flags: [],
    },
    {
      id: "u",
      passed: true,
      ungraded: "patch_absent",
      advantage_given: null,
      advantage: null,
      findings: [],
      flags: [],
    },
  ],
  redistribution: {
    mode: "common-scale",
    scale: 1.25,
    cap: 2,
    cap_active: false,
    conserved: true,
    residual: 0,
    positive_sum_before: 1,
    positive_sum_after: 1,
    negative_sum: -1,
  },
  redistributed: { input_hash: "0", config_hash: "0" },
  spend: { model_calls: 0, tokens_in: 0, tokens_out: 0, tool_calls: 0, checks: 0, wall_s: 0 },
  warnings: ["rollout u: no patch"],
};

test("the table for a terminal: best first, the deciding finding, nothing unknown shown as zero", () => {
  expect(gradeText(grade, 100)).toMatchInlineSnapshot(`
    "g|1: graded, grader: offline, common-scale scale 1.25, positive sum 1 -> 1 kept
    rollout  passed  tier  rank  given     new  decided by
    a        yes        1     1    0.5  0.6667
    b        yes        3     1    0.5  0.3333  src/a.py:3 Large | fault.
    c        no         -     -     -1      -1
    u        yes        -     -      -       -  patch_absent
    warning: rollout u: no patch"
  `);
});

test("the page to read escapes what is not ours and fences quotes safely", () => {
  expect(gradeMarkdown(grade)).toMatchInlineSnapshot(`
    "# Grade of g|1

    graded, grader: offline, common-scale scale 1.25, positive sum 1 -> 1 kept

    Tiers: 1 merge as it is, 2 merge after minor changes, 3 works by the tests but needs rework.

    | rollout | passed | tier | rank | given | new | decided by |
    | --- | --- | --- | --- | --- | --- | --- |
    | a | yes | 1 | 1 | 0.5 | 0.6667 |  |
    | b | yes | 3 | 1 | 0.5 | 0.3333 | src/a.py:3 Large \\| fault. |
    | c | no | - | - | -1 | -1 |  |
    | u | yes | - | - | - | - | patch_absent |

    ## b

    **minor** solution_fitness: Small.

    src/a.py:3 (changed)

    \`\`\`\`
    x = '\`\`\`\\u{202e}'
    \`\`\`\`

    **major** solution_fitness: Large | fault.

    src/a.py:3 (changed)

    \`\`\`\`
    x = '\`\`\`\\u{202e}'
    \`\`\`\`

    ## Warnings

    - rollout u: no patch
    "
  `);
});

test("a hack decides before a major fault, a major before a minor one, a note never", () => {
  const rollout = (findings: Finding[]) => ({
    id: "b",
    passed: true,
    advantage_given: 1,
    advantage: 1,
    findings,
    flags: [],
  });
  const all = [
    finding("note", "n"),
    finding("minor", "m"),
    finding("major", "M"),
    finding("major", "H", "result_forged"),
  ];
  expect(decidingFinding(rollout(all))?.claim).toBe("H");
  expect(decidingFinding(rollout(all.slice(0, 3)))?.claim).toBe("M");
  expect(decidingFinding(rollout(all.slice(0, 2)))?.claim).toBe("m");
  expect(decidingFinding(rollout(all.slice(0, 1)))).toBeUndefined();
});

test("tables line up with wide and hidden characters", () => {
  const rows = [
    ["漢字", "1"],
    ["a\u200b\nb", "-12.5"],
  ];
  expect(textTable(["id", "n"], rows).split("\n")).toEqual([
    "id               n",
    "漢字             1",
    "a\\u{200b} b  -12.5",
  ]);
  expect(markdownTable(["a|b"], [["c\\d\n<e>"]])).toBe("| a\\|b |\n| --- |\n| c\\\\d &lt;e> |");
});

test.each([
  [null, "-"],
  [undefined, "-"],
  [0, "0"],
  [-0, "0"],
  [0.123456, "0.1235"],
  [1e-12, "1e-12"],
  [1234.5, "1235"],
])("the number %s reads %s", (value, text) => {
  expect(shortNumber(value)).toBe(text);
});
