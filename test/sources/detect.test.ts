import { describe, expect, test } from "vitest";
import type { TrajectoryFormat } from "../../src/schema/trajectory.ts";
import { readTrajectoryText, readTrajectoryValue } from "../../src/sources/trajectories/detect.ts";

const user = { role: "user", content: "Fix it." };
const says = { role: "assistant", content: "Done." };
const item = { type: "function_call", call_id: "c", name: "bash", arguments: "{}" };
const typed = { type: "message", role: "user", content: [{ type: "input_text", text: "Fix it." }] };
const blocks = { role: "assistant", content: [{ type: "tool_use", id: "t", name: "bash", input: {} }] };
const chatCall = { role: "assistant", content: "", tool_calls: [{ id: "c", function: { name: "bash" } }] };
const meta = { timestamp: "2026", type: "session_meta", payload: { id: "s" } };
const done = { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Done." } };
const claude = { type: "user", message: user };
const run = {
  trajectory_steps: [{ thought: "", action: "", observation: "" }],
  problem_statement: "Fix it.",
};

// The more telling format wins wherever two could read a value.
const table: [string, TrajectoryFormat, unknown[] | object][] = [
  ["messages without calls", "openai-chat", [user, says]],
  ["messages with calls", "openai-chat", { messages: [user, chatCall] }],
  ["parts of input_text without a type", "openai-chat", [{ role: "user", content: typed.content }]],
  ["calls beside blocks", "openai-chat", [user, blocks, chatCall]],
  ["a result beside blocks", "openai-chat", [user, blocks, { role: "tool", content: "" }]],
  ["blocks", "anthropic", [user, blocks]],
  ["a request with a system prompt", "anthropic", { system: "You fix.", messages: [user, says] }],
  ["one answer", "anthropic", { type: "message", id: "m", ...blocks }],
  ["items", "openai-responses", [user, item]],
  ["typed messages", "openai-responses", [typed]],
  ["a request of items", "openai-responses", { instructions: "You fix.", input: [user] }],
  ["a response", "openai-responses", { id: "r", object: "response", output: [item] }],
  ["responses", "openai-responses", [{ id: "r", object: "response", output: [item] }]],
  ["a session line", "codex", meta],
  ["session lines", "codex", [meta, { type: "response_item", payload: typed }]],
  ["items with states between", "codex", [{ record_type: "state" }, typed, item]],
  ["a stream line", "codex-exec", done],
  ["stream lines", "codex-exec", [{ type: "turn.started" }, done]],
  ["a line of Claude Code", "claude-code", claude],
  ["lines of Claude Code", "claude-code", [claude, { type: "assistant", message: blocks }]],
  ["steps of R2E-Gym", "r2e-gym", run],
  [
    "steps of SWE-agent",
    "sweagent",
    { trajectory: [{ action: "ls", observation: "" }], history: [], info: {} },
  ],
  ["a row of nebius", "openai-chat", { trajectory: [{ role: "ai", text: "Done." }] }],
  ["mini-swe-agent", "mini-swe-agent", { trajectory_format: "mini-swe-agent-1", messages: [user, says] }],
  ["ATIF", "atif", { schema_version: "ATIF-v1.6", steps: [], messages: [user] }],
  ["a sample of Inspect", "inspect", { id: 1, epoch: 1, input: "", messages: [user, says] }],
  ["a log of Inspect", "inspect", { version: 2, eval: { task: "t" }, samples: [] }],
  ["a list of numbers", "text", [1, 2]],
  ["an empty object", "text", {}],
  ["a call of a tool that is named like a field", "text", { type: "function", name: "bash" }],
];

describe("the format of a value", () => {
  test.each(table)("%s: %s", (_, format, value) => {
    expect(readTrajectoryValue(value, () => undefined)?.format).toBe(format);
  });

  test.each(table.filter(([, , value]) => Array.isArray(value) && value.length > 1))(
    "%s, one on a line: %s",
    (_, format, value) => {
      const text = (value as unknown[]).map((line) => JSON.stringify(line)).join("\n");
      expect(readTrajectoryText(text, () => undefined)?.format).toBe(format);
    },
  );
});

describe("results of Codex", () => {
  test.each([
    ['{"output":"a","metadata":{"exit_code":2}}', "a", "error", 2],
    ['{"output":"Exit code: 7\\n","metadata":{}}', "Exit code: 7\n", undefined, undefined],
    ["Exit code: 0\nWall time: 1 seconds\nOutput:\na", undefined, "ok", 0],
    ["Wall time: 1 seconds\nProcess exited with code 127\nOutput:\na", undefined, "error", 127],
    ["Wall time: 1 seconds\nOutput:\nExit code: 3\n", undefined, undefined, undefined],
    ["command timed out after 1000 milliseconds", undefined, "timeout", undefined],
    ["exec command rejected by user", undefined, "rejected", undefined],
    ["failed in sandbox LinuxSeccomp with execution error", undefined, "error", undefined],
    ["{not json", undefined, undefined, undefined],
    [{ content: "refused", success: false }, "refused", "error", undefined],
    [
      [
        { type: "input_text", text: "a" },
        { type: "input_text", text: "b" },
      ],
      "a\nb",
      undefined,
      undefined,
    ],
    [null, "", undefined, undefined],
  ])("%j", (output, text, status, exitCode) => {
    const value = [item, { type: "function_call_output", call_id: "c", output }];
    const event = readTrajectoryValue(value, () => undefined)?.events.at(-1);
    expect(event).toMatchObject({ call: "t1.c1", text: text ?? output });
    expect([event?.status, event?.exit_code]).toEqual([status, exitCode]);
  });
});
