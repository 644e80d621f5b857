// Records of agents in every format whose files are JSON, grown to a size: authored shapes, filled with text that is as
// dense in quotes, escapes and non-ASCII characters as recorded sessions are. The same bytes every time.
import { writer } from "./record-text.mjs";

const shell = (command) => JSON.stringify({ command });
const usage = { prompt_tokens: 9000, completion_tokens: 120, total_tokens: 9120 };
const at = (index) => new Date(1.7e12 + index * 1000).toISOString();

/** By format: the records of one step, and the document around all of them; without one they stand one on a line. */
export const FORMATS = {
  sweagent: {
    step: (w) => {
      const [action, observation, thought] = [w.command(), w.output(), w.thought()];
      const query = [{ role: "user", content: observation, message_type: "observation" }];
      return {
        action,
        observation,
        thought,
        response: thought,
        execution_time: 0.25,
        state: { open_file: "" },
        query,
      };
    },
    document: (trajectory) => ({
      environment: "main",
      trajectory,
      history: [
        { role: "system", content: "You fix.", agent: "main", message_type: "system_prompt" },
        { role: "user", content: "Fix it.", agent: "main", message_type: "observation" },
      ],
      info: { exit_status: "submitted", submission: "", swe_agent_version: "1.1.0" },
    }),
  },
  "mini-swe-agent": {
    step: (w, i) => {
      const [command, output] = [w.command(), w.output()];
      const call = {
        id: `call_${i}`,
        type: "function",
        function: { name: "bash", arguments: shell(command) },
      };
      const message = { role: "assistant", content: w.thought(), tool_calls: [call] };
      const extra = {
        actions: [{ command }],
        response: { id: `r${i}`, choices: [{ message }], usage },
        timestamp: 1.7e9,
      };
      const seen = { raw_output: output, returncode: 0, timestamp: 1.7e9 };
      const content = `<returncode>0</returncode>\n<output>\n${output}</output>`;
      return [
        { ...message, extra },
        { role: "tool", tool_call_id: `call_${i}`, content, extra: seen },
      ];
    },
    document: (messages) => ({
      trajectory_format: "mini-swe-agent-1.1",
      messages: [{ role: "system", content: "You fix." }, { role: "user", content: "Fix it." }, ...messages],
      info: { exit_status: "Submitted", submission: "", mini_version: "2.2.7" },
    }),
  },
  openhands: {
    step: (w, i) => {
      const command = w.command();
      const call = {
        id: `call_${i}`,
        type: "function",
        function: { name: "execute_bash", arguments: shell(command) },
      };
      const model = {
        id: `m${i}`,
        choices: [{ message: { role: "assistant", content: w.thought(), tool_calls: [call] } }],
        usage,
      };
      const metadata = { function_name: "execute_bash", tool_call_id: `call_${i}`, model_response: model };
      return [
        {
          id: 2 * i,
          timestamp: at(i),
          source: "agent",
          action: "run",
          message: "",
          args: { command, thought: w.thought() },
          tool_call_metadata: metadata,
        },
        {
          id: 2 * i + 1,
          timestamp: at(i),
          source: "agent",
          cause: 2 * i,
          observation: "run",
          content: w.output(),
          extras: { command, metadata: { exit_code: 0, suffix: "" } },
          tool_call_metadata: metadata,
        },
      ];
    },
    document: (events) => events,
  },
  "openhands-sdk": {
    step: (w, i) => [
      {
        kind: "ActionEvent",
        id: `a${i}`,
        timestamp: at(i),
        source: "agent",
        thought: [{ type: "text", text: w.thought() }],
        action: { kind: "TerminalAction", command: w.command() },
        tool_name: "terminal",
        tool_call_id: `call_${i}`,
        tool_call: { id: `call_${i}`, name: "terminal", arguments: shell(w.command()) },
        llm_response_id: `r${i}`,
      },
      {
        kind: "ObservationEvent",
        id: `o${i}`,
        timestamp: at(i),
        source: "environment",
        tool_name: "terminal",
        tool_call_id: `call_${i}`,
        action_id: `a${i}`,
        observation: {
          kind: "TerminalObservation",
          content: [{ type: "text", text: w.output() }],
          exit_code: 0,
        },
      },
    ],
  },
  atif: {
    step: (w, i) => ({
      step_id: i + 1,
      timestamp: at(i),
      source: "agent",
      message: w.thought(),
      tool_calls: [{ tool_call_id: `call_${i}`, function_name: "bash", arguments: { command: w.command() } }],
      observation: { results: [{ source_call_id: `call_${i}`, content: w.output() }] },
      metrics: { prompt_tokens: 9000, completion_tokens: 120 },
    }),
    document: (steps) => ({
      schema_version: "ATIF-v1.6",
      session_id: "s",
      agent: { name: "a", version: "1" },
      steps,
    }),
  },
  inspect: {
    step: (w, i) => {
      const args = { command: w.command() };
      return [
        {
          id: `m${i}`,
          role: "assistant",
          content: w.thought(),
          source: "generate",
          tool_calls: [{ id: `call_${i}`, function: "bash", arguments: args, type: "function" }],
        },
        { id: `n${i}`, role: "tool", content: w.output(), tool_call_id: `call_${i}`, function: "bash" },
      ];
    },
    document: (messages) => ({
      version: 2,
      status: "success",
      eval: { task: "repair", model: "provider/model" },
      samples: [{ id: "gate", epoch: 1, input: "Fix it.", target: "", messages, events: [], scores: {} }],
    }),
  },
  "openai-chat": {
    step: (w, i) => [
      {
        role: "assistant",
        content: w.thought(),
        tool_calls: [
          { id: `call_${i}`, type: "function", function: { name: "bash", arguments: shell(w.command()) } },
        ],
      },
      { role: "tool", tool_call_id: `call_${i}`, content: w.output() },
    ],
    document: (messages) => ({ messages: [{ role: "user", content: "Fix it." }, ...messages] }),
  },
  "openai-responses": {
    step: (w, i) => [
      { type: "message", role: "assistant", content: [{ type: "output_text", text: w.thought() }] },
      { type: "function_call", call_id: `call_${i}`, name: "bash", arguments: shell(w.command()) },
      { type: "function_call_output", call_id: `call_${i}`, output: w.output() },
    ],
    document: (input) => ({ instructions: "You fix.", input }),
  },
  anthropic: {
    step: (w, i) => [
      {
        role: "assistant",
        content: [
          { type: "text", text: w.thought() },
          { type: "tool_use", id: `t${i}`, name: "bash", input: { command: w.command() } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: `t${i}`, content: [{ type: "text", text: w.output() }] },
        ],
      },
    ],
    document: (messages) => ({
      system: "You fix.",
      messages: [{ role: "user", content: "Fix it." }, ...messages],
    }),
  },
  "r2e-gym": {
    step: (w) => ({
      thought: w.thought(),
      action: `<function=execute_bash>\n<parameter=cmd>${w.command()}</parameter>\n</function>`,
      observation: w.output(),
      token_usage_completion: 120,
    }),
    document: (trajectory_steps) => ({
      problem_statement: "Fix it.",
      trajectory_steps,
      exit_reason: "agent",
      output_patch: "",
    }),
  },
  "claude-code": {
    step: (w, i) => [
      {
        type: "assistant",
        uuid: `a${i}`,
        parentUuid: i === 0 ? null : `u${i - 1}`,
        sessionId: "s",
        timestamp: at(i),
        message: {
          id: `m${i}`,
          role: "assistant",
          content: [
            { type: "text", text: w.thought() },
            { type: "tool_use", id: `t${i}`, name: "Bash", input: { command: w.command() } },
          ],
          stop_reason: "tool_use",
          usage: { output_tokens: 120 },
        },
      },
      {
        type: "user",
        uuid: `u${i}`,
        parentUuid: `a${i}`,
        sessionId: "s",
        timestamp: at(i),
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: `t${i}`, content: w.output() }],
        },
      },
    ],
  },
  codex: {
    step: (w, i) => [
      {
        timestamp: at(i),
        type: "response_item",
        payload: {
          type: "function_call",
          call_id: `call_${i}`,
          name: "shell",
          arguments: JSON.stringify({ command: ["bash", "-lc", w.command()] }),
        },
      },
      {
        timestamp: at(i),
        type: "response_item",
        payload: { type: "function_call_output", call_id: `call_${i}`, output: w.output() },
      },
    ],
  },
};

/** A record of at least `bytes` bytes, a stretch at a time. */
export function* stretches(format, bytes) {
  const { step, document } = FORMATS[format];
  const w = writer(17);
  // A document is written around a mark in the place of its steps.
  const whole = document === undefined ? "" : JSON.stringify(document(["@steps@"]));
  const [head = "", tail = ""] = whole.split('"@steps@"');
  let written = Buffer.byteLength(head);
  yield head;
  for (let index = 0; written < bytes; index += 1) {
    const records = [step(w, index)].flat().map((record) => JSON.stringify(record));
    const between = document === undefined ? "\n" : ",";
    const stretch = (index === 0 ? "" : between) + records.join(between);
    written += Buffer.byteLength(stretch);
    yield stretch;
  }
  yield tail;
}
