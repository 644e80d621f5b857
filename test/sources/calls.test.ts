import { describe, expect, test } from "vitest";
import { describeCall, isFinalCall } from "../../src/sources/trajectories/calls.ts";

describe("describeCall", () => {
  test.each([
    ["bash", '{"command":"ls"}', { text: "ls", command: "ls" }],
    ["Bash", { command: "ls" }, { text: "ls", command: "ls" }],
    ["execute_bash", { command: "ls" }, { text: "ls", command: "ls" }],
    ["shell", { command: ["bash", "-lc", "ls | wc"] }, { text: "ls | wc", command: "ls | wc" }],
    ["container.exec", { cmd: ["git", "diff"] }, { text: "git diff", command: "git diff" }],
    ["bash_command", { keystrokes: "ls\n", duration: 0.1 }, { text: "ls\n", command: "ls\n" }],
    ["mcp__box__sh", { command: "ls" }, { text: "ls", command: "ls" }],
    ["bash", { command: "" }, { text: '{"command":""}' }],
    ["bash", '{"command":', { text: '{"command":' }],
    [
      "str_replace_editor",
      { command: "view", path: "/a" },
      { text: '{"command":"view","path":"/a"}', path: "/a" },
    ],
    [
      "Edit",
      { file_path: "/a", new_string: "x" },
      { text: '{"file_path":"/a","new_string":"x"}', path: "/a" },
    ],
    ["flush", { command: "x" }, { text: '{"command":"x"}' }],
    ["think", "", { text: "" }],
    ["think", undefined, { text: "" }],
  ])("%s %j", (tool, given, facts) => {
    const { arguments: _, ...rest } = describeCall(tool, given);
    expect(rest).toEqual({ tool, ...facts });
  });
});

test.each([
  [{ tool: "submit" }, true],
  [{ tool: "finish" }, true],
  [{ tool: "bash", command: "submit" }, true],
  [{ tool: "bash", command: "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt" }, true],
  [{ tool: "bash", command: "git commit -m submit" }, false],
  [{ tool: "submit_form" }, false],
  [{}, false],
])("%j ends a run: %s", (call, ends) => {
  expect(isFinalCall(call)).toBe(ends);
});
