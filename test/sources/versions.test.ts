import { describe, expect, test } from "vitest";
import { readWithNotes, renderEvent, renderReading } from "./render.ts";

const read = (value: unknown): ReturnType<typeof readWithNotes> => readWithNotes(JSON.stringify(value));
const linesOf = (value: unknown): string[] => renderReading(JSON.stringify(value));
const codesOf = (value: unknown): string[] => read(value).notes.map((note) => note.split(" | ")[0] ?? "");

describe("ATIF", () => {
  const atif = (version: string, ...steps: unknown[]): unknown => ({
    schema_version: `ATIF-v${version}`,
    steps,
    later_field: { kept: false },
  });
  const steps = [
    { step_id: 1, source: "user", message: "Fix it.", new_field: 1 },
    {
      step_id: 2,
      source: "agent",
      message: "",
      tool_calls: [{ tool_call_id: "a", function_name: "bash", arguments: { command: "ls" }, added: [] }],
      observation: { results: [{ source_call_id: "a", content: "x", added: {} }] },
    },
  ];

  test.each(["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.10", "1.42"])(
    "%s is read like any other, without a note",
    (version) => {
      const { trajectory, notes } = read(atif(version, ...steps));
      expect(trajectory).toMatchObject({ format: "atif", version });
      expect(trajectory?.events.map(renderEvent)).toEqual([
        't0.m1 task "Fix it."',
        't1.c1 agent "ls" tool=bash',
        't1.o1 env "x" call=t1.c1',
      ]);
      expect(notes).toEqual([]);
    },
  );

  test("of another major version is read with a note", () => {
    expect(codesOf(atif("2.0", ...steps))).toEqual(["version_unknown"]);
  });

  test.each([
    ["(no assistant text)", 0],
    ["(No message)", 0],
    ["(no idea what this does)", 1],
  ])("the message %j is %d text", (message, texts) => {
    const { trajectory } = read(atif("1.7", { source: "agent", message }));
    expect(trajectory?.events).toHaveLength(texts);
  });

  test("sub-agents in the same file are side lines behind the main one, and theirs behind them", () => {
    const call = (id: string, command: string, result?: unknown): unknown => ({
      source: "agent",
      message: "",
      tool_calls: [{ tool_call_id: id, function_name: "bash", arguments: { command } }],
      ...(result === undefined ? {} : { observation: { results: [result] } }),
    });
    const ref = { source_call_id: "a", content: null, subagent_trajectory_ref: [{ trajectory_id: "s1" }] };
    const sub = (id: string, ...inner: unknown[]): unknown => ({
      trajectory_id: id,
      steps: [{ source: "user", message: `Do ${id}.` }, call("a", id, { source_call_id: "a", content: "x" })],
      subagent_trajectories: inner,
    });
    const root = {
      schema_version: "ATIF-v1.7",
      steps: [steps[0], call("a", "delegate", ref), call("b", "submit")],
      subagent_trajectories: [sub("s1", sub("s3")), sub("s2"), 7],
    };
    expect(linesOf(root)).toEqual([
      '{"format":"atif","version":"1.7"}',
      't0.m1 task "Fix it."',
      't1.c1 agent "delegate" tool=bash',
      't1.o1 env "" call=t1.c1',
      't2.c1 agent "submit" tool=bash',
      't2.m1 user "Do s1." branch=sidechain',
      't3.c1 agent "s1" tool=bash branch=sidechain',
      't3.o1 env "x" call=t3.c1 branch=sidechain',
      't3.m1 user "Do s2." branch=sidechain',
      't4.c1 agent "s2" tool=bash branch=sidechain',
      't4.o1 env "x" call=t4.c1 branch=sidechain',
      't4.m1 user "Do s3." branch=sidechain',
      't5.c1 agent "s3" tool=bash branch=sidechain',
      't5.o1 env "x" call=t5.c1 branch=sidechain',
      "! subagent_unread | subagent_trajectories[2] | not an object; left out",
    ]);
    expect(codesOf({ ...root, subagent_trajectories: [sub("s2")] })).toEqual(["subagent_unread"]);
  });

  test("results without an id answer the calls of their step in order", () => {
    const keys = (keystrokes: string): unknown => ({
      function_name: "bash_command",
      arguments: { keystrokes },
    });
    const step = {
      source: "agent",
      message: "Both.",
      tool_calls: [keys("ls\n"), keys("pwd\n")],
      observation: { results: [{ source_call_id: null, content: "a" }, { content: "/" }] },
    };
    expect(linesOf(atif("1.5", step)).slice(2)).toEqual([
      't1.c1 agent "ls\\n" tool=bash_command',
      't1.c2 agent "pwd\\n" tool=bash_command',
      't1.o1 env "a" call=t1.c1',
      't1.o2 env "/" call=t1.c2',
    ]);
  });
});

describe("mini-swe-agent", () => {
  const file = (format: string | undefined, messages: unknown[]): unknown => ({
    ...(format === undefined ? {} : { trajectory_format: format }),
    info: { exit_status: "Submitted", submission: "", mini_version: "2.9", patch_repair: {} },
    messages,
    artifact_kind: "x",
  });
  const messages = [
    { role: "system", content: "You." },
    { role: "user", content: "Fix it.", extra: { new: 1 } },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "a", function: { name: "bash", arguments: '{"command":"ls"}' } }],
    },
    { role: "tool", tool_call_id: "a", content: "<returncode>0</returncode>", extra: { raw_output: "x" } },
  ];

  test.each([
    ["mini-swe-agent-1", "1", []],
    ["mini-swe-agent-1.1", "1.1", []],
    ["mini-swe-agent-1.2", "1.2", []],
    ["mini-swe-agent-1.30", "1.30", []],
    ["mini-swe-agent-2", "2", ["version_unknown"]],
    [undefined, undefined, []],
  ])("%s is version %s with the notes %j", (format, version, codes) => {
    const { trajectory } = read(file(format, messages));
    expect([trajectory?.format, trajectory?.version]).toEqual(["mini-swe-agent", version]);
    expect(trajectory?.events.slice(2).map(renderEvent)).toEqual([
      't1.c1 agent "ls" tool=bash',
      't1.o1 env "x" call=t1.c1 status=ok exit_code=0',
    ]);
    expect(codesOf(file(format, messages))).toEqual(codes);
  });

  test("answers of the Responses API are turns, their results are found by id", () => {
    const answer = (...output: unknown[]): unknown => ({
      object: "response",
      output,
      usage: { output_tokens: 7 },
      extra: { actions: [], timestamp: 1_760_000_000 },
    });
    const call = (id: string, args: string): unknown => ({
      type: "function_call",
      call_id: id,
      name: "bash",
      arguments: args,
    });
    const result = (id: string, output: string, extra: unknown): unknown => ({
      type: "function_call_output",
      call_id: id,
      output,
      extra,
    });
    expect(
      linesOf(
        file("mini-swe-agent-1.1", [
          ...messages.slice(0, 2),
          answer(
            { type: "reasoning", summary: [{ type: "summary_text", text: "Look." }], encrypted_content: "e" },
            { type: "message", role: "assistant", content: [{ type: "output_text", text: "Both." }] },
            call("a", '{"command":"ls"}'),
            call("b", '{"command":'),
          ),
          result("b", "bad", { returncode: 2 }),
          result("a", "short", { raw_output: "whole", returncode: 0 }),
          {
            type: "message",
            role: "user",
            content: [{ type: "input_text", text: "No call." }],
            extra: { interrupt_type: "FormatError" },
          },
          { role: "exit", content: "", extra: { exit_status: "Submitted" } },
        ]),
      ),
    ).toEqual([
      '{"format":"mini-swe-agent","version":"1.1","exit":"Submitted","submission":"","completion_tokens":7}',
      't0.m1 system "You."',
      't0.m2 task "Fix it."',
      't1.r1 agent "Look."',
      't1.m1 agent "Both."',
      't1.c1 agent "ls" tool=bash',
      't1.c2 agent "{\\"command\\":" tool=bash',
      't1.o1 env "bad" call=t1.c2 status=error exit_code=2',
      't1.o2 env "whole" call=t1.c1 status=ok exit_code=0',
      't1.x1 env "No call."',
      "! arguments_unparsed | messages[2] | arguments are not JSON; kept as text",
    ]);
  });
});

describe("SWE-agent", () => {
  const run = (action: string, tokens: number): Record<string, unknown> => ({
    trajectory: [{ action, observation: "x", thought: "", execution_time: 1 }],
    history: [],
    info: { exit_status: "submitted", submission: action, model_stats: { tokens_received: tokens } },
  });
  const chosen = {
    ...run("b", 5),
    info: { submission: "b", best_attempt_idx: 1, model_stats: { tokens_received: 99 } },
  };

  test.each<[string, unknown, string, number, string[]]>([
    ["one run", run("a", 3), "a", 3, []],
    ["one attempt, not chosen yet", { attempts: [run("a", 3)] }, "a", 3, []],
    ["two attempts, not chosen yet", { attempts: [run("a", 3), run("b", 5)] }, "b", 5, ["attempts_unread"]],
    [
      "the attempt that was chosen",
      { attempts: [run("a", 3), run("b", 5), run("c", 9)], ...chosen },
      "b",
      5,
      ["attempts_unread"],
    ],
  ])("%s is read with its own patch and tokens", (_, value, patch, tokens, codes) => {
    const { trajectory } = read(value);
    expect(trajectory).toMatchObject({ format: "sweagent", submission: patch, completion_tokens: tokens });
    expect(trajectory?.events.filter(({ kind }) => kind === "call").map(({ text }) => text)).toEqual([patch]);
    expect(codesOf(value)).toEqual(codes);
  });

  test.each<[string, unknown]>([
    ["state as text, as 0.x writes it", '{"open_file": "n/a"}\n'],
    ["state as an object, as 1.x writes it", { open_file: "n/a" }],
    ["no state", undefined],
  ])("%s changes nothing", (_, state) => {
    const { trajectory, notes } = read({
      trajectory: [{ action: "ls", observation: "x", thought: "t", state, messages: [{ role: "user" }] }],
    });
    expect(trajectory?.events.map(({ text }) => text)).toEqual(["t", "ls", "x"]);
    expect(notes).toEqual([]);
  });
});

describe("codex exec", () => {
  const item = (type: string, facts: object): string => JSON.stringify({ type: `item.${type}`, item: facts });
  const command = (id: string | undefined, text: string): object => ({
    ...(id === undefined ? {} : { id }),
    type: "command_execution",
    command: text,
    aggregated_output: "a",
    exit_code: 0,
  });
  const eventsOf = (...lines: string[]): [string[], string[]] => {
    const { trajectory, notes } = readWithNotes(['{"type":"thread.started"}', ...lines].join("\n"));
    return [
      (trajectory?.events ?? []).map(({ id, text, call, status }) =>
        [id, text, call, status].filter((fact) => fact !== undefined).join(" "),
      ),
      notes.map((note) => note.split(" ", 1)[0] ?? ""),
    ];
  };

  test.each<[string, string[], string[], string[]]>([
    [
      "an item that begins and ends is one call",
      [item("started", command("i1", "ls")), item("completed", command("i1", "ls"))],
      ["t1.c1 ls", "t1.o1 a t1.c1 ok"],
      [],
    ],
    [
      "one that ends as another is both",
      [item("started", command("i1", "ls")), item("completed", command("i1", "pwd"))],
      ["t1.c1 ls", "t1.c2 pwd", "t1.o1 a t1.c2 ok", "t1.o2  t1.c1 missing"],
      ["item_changed", "call_unanswered"],
    ],
    [
      "items without an id are told by what they run",
      [
        item("started", command(undefined, "ls")),
        item("started", command(undefined, "pwd")),
        item("completed", command(undefined, "ls")),
        item("completed", command(undefined, "pwd")),
      ],
      ["t1.c1 ls", "t1.c2 pwd", "t1.o1 a t1.c1 ok", "t1.o2 a t1.c2 ok"],
      [],
    ],
    [
      "a search begins without its words",
      [
        item("started", { id: "i1", type: "web_search", query: "" }),
        item("completed", { id: "i1", type: "web_search", query: "how" }),
      ],
      ['t1.c1 {"query":"how"}', "t1.o1  t1.c1 ok"],
      [],
    ],
  ])("%s", (_, lines, events, notes) => {
    expect(eventsOf(...lines)).toEqual([events, notes]);
  });
});
