import { expect, test } from "vitest";
import { checkMarkdown, checkText } from "../../src/report/checks.ts";
import type { Check } from "../../src/schema/check.ts";

const check = (change: Partial<Check> = {}): Check => ({
  id: "x2",
  tool: "run_check",
  sandbox: "docker",
  command: "python3 /input/check/check.py",
  script: "print('``` hi')\n",
  runs: [
    { rollout: "r_1", outcome: "exited", exit_code: 0 },
    { rollout: "r2", outcome: "timed_out" },
    { rollout: "base", outcome: "sandbox_failed", reason: "no *room*" },
  ],
  clusters: [["r_1"], ["r2"], ["base"]],
  ...change,
});

test.each<[Check, string]>([
  [check(), "check x2: run_check in docker, 3 runs, 3 kinds of behaviour"],
  [
    check({ tool: "shell", command: "ls\u202e\ncat x", clusters: [["bench"]] }),
    "check x2: shell in docker, ls\\u{202e}",
  ],
])("a check on one line", (given, line) => {
  expect(checkText(given)).toBe(line);
});

test("a check on a page: the script inside a fence that it cannot leave, and who behaved alike", () => {
  expect(checkMarkdown(check())).toBe(`**x2** run_check, docker

\`\`\`\`
print('\`\`\` hi')
\`\`\`\`

- r_1: exit status 0
- r2: timed out
- base: sandbox failed: no *room*`);
  const tests = { passed: 3, failed: 1, skipped: 0, failing: ["a"] };
  const ran = check({
    runs: [{ rollout: "a", outcome: "exited", exit_code: 1, status: "failed", tests }],
    clusters: [["a", "b"]],
  });
  expect(checkMarkdown(ran)).toContain("- a, b: failed, exit status 1, 3 passed, 1 failed, 0 skipped");
  const long = checkMarkdown(check({ script: "x\n".repeat(250) }));
  expect(long).toContain("[50 more lines]");
});
