import { describe, expect, test } from "vitest";
import { type CallStyle, callsIn, resultsIn, styleOf } from "../../src/sources/trajectories/text-calls.ts";

const tagged = (body: string): string => `<tool_call>\n${body}\n</tool_call>`;

describe("how a model writes its calls", () => {
  test.each<[string, CallStyle | undefined]>([
    ["I look.\n<function=bash>\n<parameter=command>ls</parameter>\n</function>", "xml"],
    ["<function=submit>\n</function>\n\n", "xml"],
    [tagged('{"name":"bash","arguments":{"command":"ls"}}'), "tags"],
    [tagged("<function=bash>\n<parameter=command>ls</parameter>\n</function>"), "tags"],
    ["Write <function=name> and </function> to call.", undefined],
    ["<function=bash>\n<parameter=command>ls</parameter>\n</function> is the form.", undefined],
    ["<function=two words></function>", undefined],
    ["template<function=f>text</function>", undefined],
    ["<tool_call>what?</tool_call>", undefined],
    ["```bash\nls\n```", undefined],
    ["", undefined],
  ])("%j", (text, style) => {
    expect(styleOf(text)).toBe(style);
  });
});

describe("calls in a text", () => {
  test.each<[string, CallStyle, string, string, unknown[]]>([
    [
      "values keep what is in them but for one line end around",
      "xml",
      "a<function=edit>\n<parameter=path>\n/x.py\n</parameter>\n<parameter=text>\n\n<b>\n\n</parameter>\n</function>b",
      "ab",
      [{ tool: "edit", path: "/x.py", arguments: { path: "/x.py", text: "\n<b>\n" } }],
    ],
    [
      "a value that the text ends in goes to the end",
      "xml",
      "<function=bash>\n<parameter=command>ls -a",
      "",
      [{ tool: "bash", command: "ls -a" }],
    ],
    [
      "of several the first is run",
      "xml",
      "<function=a>\n</function>\n<function=b>\n</function>",
      "\n<function=b>\n</function>",
      [{ tool: "a" }],
    ],
    [
      "in tags all are run, and what is no call stays",
      "tags",
      `one ${tagged('{"name":"a","arguments":{}}')} two ${tagged("?")} three ${tagged('{"name":"b","arguments":"{\\"command\\":1}"}')}`,
      `one  two ${tagged("?")} three `,
      [{ tool: "a" }, { tool: "b", arguments: { command: 1 } }],
    ],
    ["an open tag", "tags", '<tool_call>{"name":"a"}', "", [{ tool: "a" }]],
    ["a fence at the end", "fence", "I run.\n```\nls\n```\n", "I run.\n", [{ tool: "bash", command: "ls" }]],
    ["the last fence", "fence", "```\na\n```\nor\n```\nb\n```", "```\na\n```\nor\n", [{ command: "b" }]],
    ["a fence in the midst", "fence", "```\nls\n``` was it", "```\nls\n``` was it", []],
    ["an empty fence", "fence", "```\n\n```", "```\n\n```", []],
    ["three ticks", "fence", "```", "```", []],
  ])("%s", (_, style, text, said, calls) => {
    const spoken = callsIn(text, style);
    expect(spoken.said).toBe(said);
    expect(spoken.calls).toHaveLength(calls.length);
    expect(spoken.calls).toMatchObject(calls);
  });
});

test.each<[string, CallStyle, string[]]>([
  ["<tool_response>\na\n</tool_response>\n<tool_response>\n\nb</tool_response>", "tags", ["a", "\nb"]],
  ["plain", "tags", ["plain"]],
  ["<tool_response>a</tool_response>", "xml", ["<tool_response>a</tool_response>"]],
])("results in %j", (text, style, results) => {
  expect(resultsIn(text, style)).toEqual(results);
});
