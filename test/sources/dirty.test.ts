import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { viewGroup } from "../../src/cli/group-view.ts";
import { loadGroups } from "../../src/sources/index.ts";
import { visible } from "../../src/visible.ts";
import { folderOf } from "./folder.ts";
import { readWithNotes, renderEvent } from "./render.ts";

/** What real records hold that they should not, each kind once: what is read of it, and what is told. */
type Row = [what: string, text: string, events: string[], notes?: string[]];

const json = (value: unknown): string => JSON.stringify(value);
const jsonl = (...rows: unknown[]): string => rows.map(json).join("\n");
const task = { role: "user", content: "Fix it." };
const call = (args: unknown, id = "c1", name = "bash") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const chat = (...messages: unknown[]): string => json({ messages: [task, ...messages] });
const ls = { role: "assistant", content: "", tool_calls: [call('{"command":"ls"}')] };
const answer = (content: unknown): string => chat(ls, { role: "tool", tool_call_id: "c1", content });
const mini = (...messages: unknown[]): string =>
  json({ trajectory_format: "mini-swe-agent-1", info: {}, messages: [task, ...messages] });

const TASK = 't0.m1 task "Fix it."';
const CALL = 't1.c1 agent "ls" tool=bash';
const seen = (text: string, more = ""): string[] => [TASK, CALL, `t1.o1 env ${json(text)} call=t1.c1${more}`];
const long = "x".repeat(150_000);

const OBSERVATIONS: Row[] = [
  [
    "colours and progress bars",
    answer("\u001b[31mFAIL\u001b[0m\r 10%\r100%"),
    seen("\u001b[31mFAIL\u001b[0m\r 10%\r100%"),
  ],
  ["NUL and other control characters", answer("a\0b\u0007"), seen("a\0b\u0007")],
  ["CRLF", answer("a\r\nb\r\n"), seen("a\r\nb\r\n")],
  ["a lone surrogate", answer("x").replace('"x"', '"\\ud83d!"'), seen("\ufffd!")],
  ["more than 100 KB", answer(long), seen(long)],
  [
    "a list of parts",
    answer([
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ]),
    seen("one\ntwo"),
  ],
];

const CALLS: Row[] = [
  [
    "no result, and later ones",
    chat(ls, { role: "assistant", content: "Done." }),
    [TASK, CALL, 't1.o1 env "" call=t1.c1 status=missing', 't2.m1 agent "Done."'],
    ["call_unanswered | no result recorded for t1.c1"],
  ],
  [
    "a result of no call",
    chat({ role: "assistant", content: "Hm." }, { role: "tool", tool_call_id: "c9", content: "x" }),
    [TASK, 't1.m1 agent "Hm."', 't1.o1 env "x"'],
    ["result_without_call | no call recorded for t1.o1"],
  ],
  [
    "no ids: paired by order",
    chat(
      {
        role: "assistant",
        content: "",
        tool_calls: [call('{"command":"ls"}', ""), call('{"command":"pwd"}', "")],
      },
      { role: "tool", content: "a" },
      { role: "tool", content: "b" },
    ),
    [TASK, CALL, 't1.c2 agent "pwd" tool=bash', 't1.o1 env "a" call=t1.c1', 't1.o2 env "b" call=t1.c2'],
  ],
  [
    "one id again and again, as local servers give it",
    chat(ls, { role: "tool", tool_call_id: "c1", content: "a" }, ls, {
      role: "tool",
      tool_call_id: "c1",
      content: "b",
    }),
    [...seen("a"), 't2.c1 agent "ls" tool=bash', 't2.o1 env "b" call=t2.c1'],
  ],
  [
    "results in another order than the calls",
    chat(
      {
        role: "assistant",
        content: "",
        tool_calls: [call('{"command":"ls"}'), call('{"command":"pwd"}', "c2")],
      },
      { role: "tool", tool_call_id: "c2", content: "b" },
      { role: "tool", tool_call_id: "c1", content: "a" },
    ),
    [TASK, CALL, 't1.c2 agent "pwd" tool=bash', 't1.o1 env "b" call=t1.c2', 't1.o2 env "a" call=t1.c1'],
  ],
  [
    "arguments that are an object already",
    chat(
      { ...ls, tool_calls: [call({ command: "ls" })] },
      { role: "tool", tool_call_id: "c1", content: "a" },
    ),
    seen("a"),
  ],
];

const TURNS: Row[] = [
  [
    "a mini-swe-agent turn without a command",
    mini(
      { role: "assistant", content: "I think about it." },
      { role: "user", content: "Please give one action." },
    ),
    [TASK, 't1.m1 agent "I think about it."', 't1.x1 env "Please give one action."'],
  ],
  [
    "a mini-swe-agent turn with two commands",
    mini(
      { role: "assistant", content: "```bash\nls\n```\n```bash\npwd\n```" },
      { role: "user", content: "Please give one action." },
    ),
    [TASK, 't1.m1 agent "```bash\\nls\\n```\\n```bash\\npwd\\n```"', 't1.x1 env "Please give one action."'],
  ],
  [
    "an empty action of SWE-agent",
    json({
      trajectory: [
        { action: "", observation: "Your output was not formatted.", thought: "Hm.", state: "{}" },
      ],
      history: [task],
      info: {},
    }),
    [TASK, 't1.m1 agent "Hm."', 't1.x1 env "Your output was not formatted."'],
  ],
];

const claude = (uuid: string, parentUuid: string | null, role: string, content: unknown): object => ({
  type: role,
  uuid,
  parentUuid,
  sessionId: "s",
  version: "2",
  message: { role, content, ...(role === "assistant" ? { id: `m${uuid}` } : {}) },
});
const [a, b] = [
  claude("1", null, "user", "Fix it."),
  claude("2", "1", "assistant", [{ type: "text", text: "Done." }]),
];
const DONE = [TASK, 't1.m1 agent "Done."'];
/** What could not be read stands where it was. */
const lost = (id: string, text: string): string => `${id} env ${json(text)}`;
const cut = '{"type":"user","uu';
const half = json(b).slice(0, 40);

const LINES: Row[] = [
  [
    "a cut tail",
    `${jsonl(a, b)}\n${cut}`,
    [...DONE, lost("t1.x1", cut)],
    ["record_damaged | line 3 | 18 characters are not JSON"],
  ],
  [
    "two records on one line",
    `${jsonl({ type: "queue-operation" })}\n${json(a)}${json(b)}`,
    DONE,
    ["record_damaged | line 2 | 2 records on one line"],
  ],
  [
    "a run of NUL",
    `${json(a)}\n${"\0".repeat(9)}\n${json(b)}`,
    DONE,
    ["record_damaged | line 2 | 9 NUL characters"],
  ],
  [
    "one record inside of another",
    `${json(a)}\n${half}${json(b)}`,
    [TASK, lost("t0.x1", half), 't1.m1 agent "Done."'],
    ["record_damaged | line 2 | 40 characters are not JSON"],
  ],
  [
    "lines that are no objects",
    `${json(a)}\n7\n"text"\n${json(b)}`,
    DONE,
    [
      "record_unreadable | line 2 | not an object; left out",
      "record_unreadable | line 3 | not an object; left out",
    ],
  ],
  ["a parent that is not there", jsonl(a, { ...b, parentUuid: "gone" }), DONE],
];

const OPENHANDS: Row[] = [
  [
    "gaps in OpenHands' ids, and results whose source is the agent",
    json([
      { id: 0, source: "user", action: "message", args: { content: "Fix it." } },
      { id: 4, source: "agent", action: "run", args: { command: "ls" } },
      { id: 9, source: "agent", observation: "run", content: "a", cause: 4, extras: { command: "ls" } },
    ]),
    [TASK, 't1.c1 agent "ls" tool=run', 't1.o1 env "a" call=t1.c1'],
  ],
];

describe.each(
  Object.entries({
    "An observation": OBSERVATIONS,
    "A call": CALLS,
    "A turn": TURNS,
    "A file of lines": LINES,
    "A list of events": OPENHANDS,
  }),
)("%s with", (_, rows) => {
  test.each(rows)("%s", (__, text, events, notes = []) => {
    const { trajectory, notes: told } = readWithNotes(text);
    const plain = (trajectory?.events ?? []).map((event) => {
      const { command: ___, ...rest } = event;
      return renderEvent(rest);
    });
    expect([plain, told]).toEqual([events, notes]);
  });
});

test("control characters are shown, and cannot act on a terminal", () => {
  const { trajectory } = readWithNotes(answer("\u001b[31m\0\u202e"));
  expect(visible(trajectory?.events.at(-1)?.text ?? "")).toMatch(/^[\x20-\x7e]+$/);
});

const diff = (name: string): string =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-x\n+y\n`;

describe("A run with", () => {
  test.each<[string, Record<string, string>, unknown[], string[]]>([
    [
      "a null patch",
      { "preds.jsonl": json({ instance_id: "i", model_patch: null }) },
      [["r", null, "null"]],
      [],
    ],
    [
      "an empty patch",
      { "preds.jsonl": json({ instance_id: "i", model_patch: "\n" }) },
      [["r", null, "empty"]],
      [],
    ],
    [
      "no submission at all",
      { "i/i.traj": json({ trajectory: [], history: [task], info: { exit_status: "early_exit" } }) },
      [["r", null, "absent"]],
      [],
    ],
    [
      "a submission that is no patch",
      { "i/i.traj": json({ trajectory: [], history: [task], info: { submission: "FLAG{x}" } }) },
      [["r", null, "unparsable"]],
      ["patch_from_trajectory"],
    ],
    [
      "a patch that is not what the prediction says: the file goes first, then the prediction",
      {
        "i/i.patch": diff("file"),
        "preds.json": json({ i: { instance_id: "i", model_patch: "" } }),
        "i/i.traj": json({ trajectory: [], history: [task], info: { submission: diff("traj") } }),
      },
      [["r", null, "present"]],
      [],
    ],
    [
      "a report that is no JSON",
      {
        "preds.jsonl": json({ instance_id: "i", model_patch: diff("a") }),
        "results.json": '{\n "resolved": ["i"],\n}\n',
      },
      [["r", null, "present"]],
      ["json_damaged r/results.json:3: not JSON, left out: expected a key (column 1)"],
    ],
    [
      "verdicts that disagree: applied or not decides nothing",
      {
        "preds.jsonl": json({ instance_id: "i", model_patch: diff("a"), resolved: false }),
        "i/report.json": json({
          i: { patch_exists: true, patch_successfully_applied: false, resolved: true },
        }),
      },
      [["r", null, "present"]],
      ["verdicts_disagree passed by report (i/report.json); failed by row"],
    ],
    [
      "a report that names it nowhere: that is not a failure",
      {
        "preds.jsonl": json({ instance_id: "i", model_patch: diff("a") }),
        "run.json": json({ submitted_ids: ["j"], resolved_ids: [], unresolved_ids: ["j"] }),
      },
      [["r", null, "present"]],
      [],
    ],
    [
      "a trial that ran out of time and is resolved all the same",
      {
        "t/results.json": json({
          trial_name: "t",
          task_id: "i",
          is_resolved: true,
          failure_mode: "agent_timeout",
        }),
        "t/panes/post-agent.txt": "root@c1:/app# ls\nmain.py\nroot@c1:/app# exit\n",
      },
      [["r", true, "absent"]],
      ["terminal_only a terminal's text"],
    ],
    [
      "a key in its environment",
      {
        "preds.jsonl": json({
          instance_id: "i",
          model_patch: diff("a"),
          messages: [
            task,
            ls,
            { role: "tool", tool_call_id: "c1", content: `OPENAI_API_KEY=sk-${"a1B2".repeat(10)}` },
          ],
        }),
      },
      [["r", null, "present"]],
      ["secrets_masked 1 "],
    ],
  ])("%s", async (_, files, rollouts, told) => {
    const named = Object.entries(files).map(([name, text]) => [`r/${name}`, text]);
    const root = await folderOf(Object.fromEntries(named) as Record<string, string>);
    for await (const loaded of loadGroups(join(root, "r"))) {
      const group = "error" in loaded ? loaded.partial : loaded;
      if (group === undefined) throw (loaded as { error: Error }).error;
      const view = await viewGroup(group);
      expect(view.rollouts.map(({ id, passed, patch }) => [id, passed, patch.state])).toEqual(rollouts);
      const warnings = view.warnings
        .filter(({ code }) => code !== "run_incomplete")
        .map(({ code, message, where }) =>
          where.line === undefined ? `${code} ${message}` : `${code} ${where.file}:${where.line}: ${message}`,
        )
        .map((text) => text.replace(`${root}/`, ""));
      expect(warnings).toHaveLength(told.length);
      for (const [index, text] of told.entries()) expect(warnings[index]).toContain(text);
    }
    expect.hasAssertions();
  });
});
