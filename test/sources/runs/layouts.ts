/** What harnesses and people leave behind, as files with the groups that they make. */

export const diff = (name: string): string =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-x\n+y\n`;
export const json = (value: unknown): string => JSON.stringify(value);
export const lines = (...rows: unknown[]): string => rows.map((row) => `${json(row)}\n`).join("");

export const mini = (instance: string, patch = diff(instance)): string =>
  json({
    trajectory_format: "mini-swe-agent-1.1",
    instance_id: instance,
    info: { exit_status: "Submitted", submission: patch, mini_version: "2.0" },
    messages: [
      { role: "system", content: "You fix things." },
      { role: "user", content: `Fix ${instance}.` },
      { role: "assistant", content: "Done.", tool_calls: [] },
    ],
  });
export const sweagent = (instance: string): string =>
  json({
    trajectory: [
      { action: "ls", observation: "a\n", response: "", thought: "Look.", state: {}, execution_time: 1 },
    ],
    history: [{ role: "user", content: `Fix ${instance}.` }],
    info: { exit_status: "submitted", submission: diff("traj"), swe_agent_version: "1.1.0" },
  });
export const atif = (text: string): string =>
  json({
    schema_version: "ATIF-v1.6",
    session_id: "s",
    agent: { name: "a", version: "1" },
    steps: [{ step_id: 1, source: "user", message: text }],
  });
export const report = (instance: string, resolved: boolean): string =>
  json({ [instance]: { patch_exists: true, resolved } });

/** Rollout, outcome, the file its patch touches or the patch's state, sources of verdicts. */
export type Row = [id: string, passed: boolean | null, patch: string, sources: string];

/** Predictions of three systems; the harness judged two of them, one in a report over its run, one in its logs. */
const systems = (at: string): Record<string, string> => ({
  ...Object.fromEntries(
    ["x", "y", "z"].map((name) => [
      `${at}${name}.jsonl`,
      lines({ instance_id: "o__r-1", model_name_or_path: `org/${name}`, model_patch: diff(name) }),
    ]),
  ),
  [`${at}org__x.run1.json`]: json({ resolved_ids: ["o__r-1"], unresolved_ids: [] }),
  [`${at}logs/run_evaluation/run1/org__y/o__r-1/patch.diff`]: diff("y"),
  [`${at}logs/run_evaluation/run1/org__y/o__r-1/report.json`]: report("o__r-1", false),
});

export interface Layout {
  files: Record<string, string>;
  inputs?: string[];
  rows: Record<string, Row[]>;
}

export const LAYOUTS: Record<string, Layout> = {
  "logs of the SWE-bench harness": {
    files: {
      "r/logs/run_evaluation/one/m/o__r-1/patch.diff": diff("p1"),
      "r/logs/run_evaluation/one/m/o__r-1/report.json": report("o__r-1", true),
      "r/logs/run_evaluation/one/m/o__r-1/test_output.txt":
        "+ : '>>>>> Start Test Output'\nok\n+ : '>>>>> End Test Output'\n",
      "r/logs/run_evaluation/one/m/o__r-1/eval.sh": "",
      "r/logs/run_evaluation/one/m/o__r-2/patch.diff": diff("p2"),
      "r/logs/run_evaluation/one/m/o__r-2/report.json": report("o__r-2", false),
    },
    rows: { "o__r-1": [["r", true, "p1", "report"]], "o__r-2": [["r", false, "p2", "report"]] },
  },
  "two runs in one folder": {
    files: {
      "r/one/o__r-1/patch.diff": diff("p1"),
      "r/one/o__r-1/report.json": report("o__r-1", true),
      "r/two/o__r-1/patch.diff": diff("p2"),
    },
    rows: {
      "o__r-1": [
        ["one", true, "p1", "report"],
        ["two", null, "p2", ""],
      ],
    },
  },
  "a submission: trajectories, logs and predictions apart": {
    files: {
      "r/all_preds.jsonl": lines({ instance_id: "o__r-1", model_name_or_path: "m", model_patch: diff("p1") }),
      "r/logs/o__r-1/report.json": report("o__r-1", true),
      "r/trajs/o__r-1.json": atif("Fix it."),
      "r/results/results.json": json({ resolved: ["o__r-1"] }),
    },
    rows: { "o__r-1": [["r", true, "p1", "report run_report"]] },
  },
  "a submission whose trajectories are prose": {
    files: {
      "r/all_preds.jsonl": lines({ instance_id: "o__r-1", model_name_or_path: "m", model_patch: diff("p1") }),
      "r/trajs/o__r-1.md": "# I looked at it\n",
      "r/trajs/README.md": "How to read these.\n",
      "r/README.md": "Our system.\n",
    },
    rows: { "o__r-1": [["r", null, "p1", ""]] },
  },
  "mini-swe-agent, two runs, given apart": {
    files: {
      "a/preds.json": json({
        "o__r-1": { model_name_or_path: "m", instance_id: "o__r-1", model_patch: diff("pa") },
      }),
      "a/o__r-1/o__r-1.traj.json": mini("o__r-1"),
      "b/preds.json": json({ "o__r-1": { model_name_or_path: "m", instance_id: "o__r-1", model_patch: "" } }),
      "b/o__r-1/o__r-1.traj.json": mini("o__r-1"),
    },
    inputs: ["a", "b"],
    rows: {
      "o__r-1": [
        ["a", null, "pa", ""],
        ["b", null, "empty", ""],
      ],
    },
  },
  "SWE-agent": {
    files: {
      "r/o__r-1/o__r-1.traj": sweagent("o__r-1"),
      "r/o__r-1/o__r-1.pred": json({
        instance_id: "o__r-1",
        model_name_or_path: "m",
        model_patch: diff("pred"),
      }),
      "r/o__r-1/o__r-1.patch": diff("file"),
      "r/o__r-1/o__r-1.info.log": "",
      "r/o__r-2/o__r-2.traj": sweagent("o__r-2"),
      "r/preds.json": json({ "o__r-1": { instance_id: "o__r-1", model_patch: diff("pred") } }),
    },
    rows: { "o__r-1": [["r", null, "file", ""]], "o__r-2": [["r", null, "traj", ""]] },
  },
  "OpenHands, several attempts in files, with the chosen ones again": {
    files: {
      "r/output.critic_attempt_1.jsonl": lines({
        instance_id: "o__r-1",
        history: [],
        test_result: { git_patch: diff("p1") },
      }),
      "r/output.critic_attempt_2.jsonl": lines({
        instance_id: "o__r-1",
        history: [],
        test_result: { git_patch: diff("p2") },
      }),
      "r/output.jsonl": lines({ instance_id: "o__r-1", history: [], test_result: { git_patch: diff("p2") } }),
    },
    rows: {
      "o__r-1": [
        ["r#1", null, "p1", ""],
        ["r#2", null, "p2", ""],
      ],
    },
  },
  "OpenHands, several attempts in one file": {
    files: {
      "r/output.jsonl": lines(
        ...[1, 2].map((attempt) => ({
          instance_id: "o__r-1",
          attempt,
          history: [],
          test_result: { git_patch: diff(`p${attempt}`), report: { resolved: attempt === 2 } },
        })),
      ),
    },
    inputs: ["r/output.jsonl"],
    rows: {
      "o__r-1": [
        ["r#1", false, "p1", "row"],
        ["r#2", true, "p2", "row"],
      ],
    },
  },
  "Multi-SWE-bench, a working folder with predictions": {
    files: {
      "r/preds.jsonl": lines({ org: "o", repo: "r", number: "7", fix_patch: diff("p1") }),
      "r/o/r/evals/pr-7/fix.patch": diff("p1"),
      "r/o/r/evals/pr-7/test.patch": diff("t"),
      "r/o/r/evals/pr-7/report.json": json({ org: "o", repo: "r", number: 7, valid: true, error_msg: "" }),
      "r/o/r/evals/pr-7/fix-patch-run.log": "",
      "r/final_report.json": json({ total_instances: 1, resolved_ids: ["o/r:pr-7"], unresolved_ids: [] }),
    },
    rows: { "o__r-7": [["r", true, "p1", "run_report report"]] },
  },
  "SWE-bench Pro, patches with results": {
    files: {
      "r/patches.json": json([{ instance_id: "instance_o__r-1", patch: diff("p1"), prefix: "m" }]),
      "r/eval_results.json": json({ "instance_o__r-1": false, "instance_o__r-2": true }),
      "r/instance_o__r-1/m_output.json": json({ tests: [{ name: "t", status: "FAILED" }] }),
    },
    rows: { "instance_o__r-1": [["r", false, "p1", "run_report tests"]] },
  },
  "OpenHands, an evaluation with what its harness wrote beside it": {
    files: {
      "r/output.jsonl": lines({ instance_id: "o__r-1", history: [], test_result: { git_patch: diff("p1") } }),
      "r/output.swebench.jsonl": lines({
        instance_id: "o__r-1",
        model_name_or_path: "m",
        model_patch: diff("p1"),
      }),
      "r/output.swebench_eval.jsonl": lines({
        instance_id: "o__r-1",
        history: [],
        test_result: { git_patch: diff("p1"), report: { resolved: true } },
      }),
      "r/metadata.json": json({ agent_class: "CodeActAgent", eval_output_dir: "x" }),
      "r/report.json": json({ resolved_ids: ["o__r-1"], unresolved_ids: [] }),
      "r/eval_outputs/o__r-1/patch.diff": diff("p1"),
      "r/eval_outputs/o__r-1/report.json": report("o__r-1", true),
      "r/eval_outputs/o__r-1/test_output.txt": "ok\n",
      "r/llm_completions/o__r-1/m-1.json": json({ messages: [{ role: "user", content: "x" }], response: {} }),
      "r/infer_logs/instance_o__r-1.log": "",
    },
    rows: { "o__r-1": [["r", true, "p1", "row run_report report"]] },
  },
  "OpenHands, conversations of two instances": {
    files: Object.fromEntries(
      ["a", "b"].flatMap((name) => [
        [`r/${name}/base_state.json`, json({ id: name })],
        [
          `r/${name}/events/event-00000-u.json`,
          json({
            kind: "MessageEvent",
            source: "user",
            llm_message: { role: "user", content: [{ type: "text", text: name }] },
          }),
        ],
        [`r/${name}/events/event-00001-v.json`, json({ kind: "PauseEvent", source: "user" })],
      ]),
    ),
    rows: { a: [["r", null, "absent", ""]], b: [["r", null, "absent", ""]] },
  },
  "rows, not adjacent, with damage between": {
    files: {
      "train.jsonl": `${lines({ instance_id: "a", traj_id: "x", messages: [], resolved: true, patch: diff("p1") })}{"broken\n${lines({ instance_id: "b", traj_id: "y", messages: [], patch: null }, { instance_id: "a", traj_id: "z", messages: [], resolved: 0, patch: "" })}`,
    },
    inputs: ["train.jsonl"],
    rows: {
      a: [
        ["train#x", true, "p1", "row"],
        ["train#z", false, "empty", "row"],
      ],
      b: [["train", null, "null", ""]],
    },
  },
  "rows without any name of their attempts": {
    files: {
      "train.jsonl": lines(...["p1", "p2"].map((name) => ({ instance_id: "a", model_patch: diff(name) }))),
      "preds.json": json(["q1", "q2"].map((name) => ({ instance_id: "a", model_patch: diff(name) }))),
    },
    inputs: ["train.jsonl", "preds.json"],
    rows: {
      a: [
        ["train", null, "p1", ""],
        ["train#2", null, "p2", ""],
        ["folder", null, "q1", ""],
        ["folder#2", null, "q2", ""],
      ],
    },
  },
  "rows of one instance, and a report that says not which is meant": {
    files: {
      "r/preds.jsonl": lines(...["p1", "p2"].map((name) => ({ instance_id: "a", model_patch: diff(name) }))),
      "r/run.json": json({ resolved_ids: ["a"], unresolved_ids: [] }),
    },
    rows: {
      a: [
        ["r", null, "p1", ""],
        ["r#2", null, "p2", ""],
      ],
    },
  },
  "attempts in folders of an instance": {
    files: Object.fromEntries(
      [1, 2].flatMap((n) => [
        [`r/o__r-1/attempt_${n}/patch.diff`, diff(`p${n}`)],
        [`r/o__r-1/attempt_${n}/report.json`, json({ patch_exists: true, resolved: n === 2 })],
        [`r/o__r-1/attempt_${n}/events/event-00000-a.json`, json({ kind: "MessageEvent" })],
        [`r/o__r-1/attempt_${n}/events/event-00001-b.json`, json({ kind: "MessageEvent" })],
      ]),
    ),
    rows: {
      "o__r-1": [
        ["attempt_1", false, "p1", "report"],
        ["attempt_2", true, "p2", "report"],
      ],
    },
  },
  "a patch beside a row that names its attempt": {
    files: {
      "r/output.jsonl": lines({ instance_id: "a", attempt: 1, history: [] }),
      "r/preds.json": json({ a: { instance_id: "a", model_patch: diff("p1") } }),
    },
    rows: { a: [["r", null, "p1", ""]] },
  },
  "rows that two writers spliced": {
    files: {
      "train.jsonl": `${json({ instance_id: "a", model_patch: diff("p1") })}${json({ instance_id: "b", model_patch: diff("p2") })}\n{"instance_id": "c", "model_pa`,
    },
    inputs: ["train.jsonl"],
    rows: { a: [["train", null, "p1", ""]], b: [["train", null, "p2", ""]] },
  },
  "predictions and reports of three systems": {
    files: Object.fromEntries(
      ["x", "y", "z"].flatMap((name, index) => [
        [`${name}/preds.jsonl`, lines({ instance_id: "o__r-1", model_patch: diff(name) })],
        [
          `${name}/m.run.json`,
          json({
            submitted_ids: ["o__r-1"],
            resolved_ids: index === 0 ? ["o__r-1"] : [],
            unresolved_ids: index === 1 ? ["o__r-1"] : [],
          }),
        ],
      ]),
    ),
    inputs: ["x", "y", "z"],
    rows: {
      "o__r-1": [
        ["x", true, "x", "run_report"],
        ["y", false, "y", "run_report"],
        ["z", null, "z", ""],
      ],
    },
  },
  "predictions side by side, the harness's reports and logs apart, by the names of the models": {
    files: systems("r/"),
    rows: {
      "o__r-1": [
        ["x", true, "x", "run_report"],
        ["y", false, "y", "report"],
        ["z", null, "z", ""],
      ],
    },
  },
  "a folder that is called like a model is no log of it": {
    files: {
      "r/preds.jsonl": lines({ instance_id: "o__r-2", model_name_or_path: "gpt", model_patch: diff("p0") }),
      "r/gpt/one/o__r-1/patch.diff": diff("p1"),
      "r/gpt/two/o__r-1/patch.diff": diff("p2"),
    },
    rows: {
      "o__r-2": [["r", null, "p0", ""]],
      "o__r-1": [
        ["gpt/one", null, "p1", ""],
        ["gpt/two", null, "p2", ""],
      ],
    },
  },
  "three predictions of one model, and its report": {
    files: {
      ...Object.fromEntries(
        ["x", "y", "z"].map((name) => [
          `r/${name}.jsonl`,
          lines({ instance_id: "o__r-1", model_name_or_path: "m", model_patch: diff(name) }),
        ]),
      ),
      "r/m.run1.json": json({ resolved_ids: ["o__r-1"] }),
    },
    rows: { "o__r-1": ["x", "y", "z"].map((name) => [name, null, name, ""]) },
  },
  "predictions and reports as single files": {
    files: systems("r/"),
    inputs: ["r/x.jsonl", "r/y.jsonl", "r/org__x.run1.json"],
    rows: {
      "o__r-1": [
        ["x", true, "x", "run_report"],
        ["y", null, "y", ""],
      ],
    },
  },
  "predictions that name no model, and a report beside them": {
    files: {
      "r/x.jsonl": lines({ instance_id: "o__r-1", model_patch: diff("x") }),
      "r/run.json": json({ resolved_ids: ["o__r-1"] }),
    },
    inputs: ["r/run.json", "r/x.jsonl"],
    rows: { "o__r-1": [["x", true, "x", "run_report"]] },
  },
  "reports that fit several predictions": {
    files: {
      "r/x.jsonl": lines({ instance_id: "o__r-1", model_name_or_path: "m", model_patch: diff("x") }),
      "r/y.jsonl": lines({ instance_id: "o__r-1", model_name_or_path: "m", model_patch: diff("y") }),
      "r/m.run.json": json({ resolved_ids: ["o__r-1"] }),
    },
    rows: {
      "o__r-1": [
        ["x", null, "x", ""],
        ["y", null, "y", ""],
      ],
    },
  },
  "a patch alone": {
    files: { "r/o__r-1.patch": diff("p1") },
    inputs: ["r/o__r-1.patch"],
    rows: { "o__r-1": [["o__r-1", null, "p1", ""]] },
  },
  "an Inspect log with epochs": {
    files: {
      "log.json": json({
        version: 2,
        status: "success",
        eval: { task: "fix", model: "m" },
        samples: [1, 2].map((epoch) => ({
          id: "o__r-1",
          epoch,
          input: "Fix it.",
          target: "C",
          messages: [
            { role: "user", content: "Fix it." },
            { role: "assistant", content: "Done." },
          ],
          metadata: { patch: "SOLUTION", base_commit: "abc1234" },
          scores: {
            tests: { value: epoch === 1 ? "C" : "I", metadata: { model_patch: diff(`p${epoch}`) } },
            style: { value: 0.5 },
          },
        })),
      }),
    },
    inputs: ["log.json"],
    rows: {
      "o__r-1": [
        ["log#1", true, "p1", "score score"],
        ["log#2", false, "p2", "score score"],
      ],
    },
  },
  "Terminal-Bench trials, told by their results": {
    files: Object.fromEntries(
      [1, 2].flatMap((n) => [
        [
          `r/run/t1/t1.${n}-of-2.run/results.json`,
          json({
            trial_name: `t1.${n}-of-2.run`,
            task_id: "t1",
            is_resolved: n === 1,
            failure_mode: "unset",
          }),
        ],
        [`r/run/t1/t1.${n}-of-2.run/panes/post-agent.txt`, "root@c:/app# ls\n"],
        [`r/run/t1/t1.${n}-of-2.run/panes/post-test.txt`, "ok\n"],
      ]),
    ),
    rows: {
      t1: [
        ["run/t1/t1.1-of-2.run", true, "absent", "result"],
        ["run/t1/t1.2-of-2.run", false, "absent", "result"],
      ],
    },
  },
  "Harbor jobs": {
    files: {
      "jobs/j1/t1__abc/result.json": json({
        task_name: "t1",
        trial_name: "t1__abc",
        verifier_result: { rewards: { reward: 1 } },
      }),
      "jobs/j1/t1__abc/agent/trajectory.json": atif("Do t1."),
      "jobs/j1/t1__abc/verifier/reward.txt": "1\n",
      "jobs/j1/t1__abc/verifier/ctrf.json": json({ results: { tests: [{ name: "a", status: "passed" }] } }),
      "jobs/j1/t1__abc/verifier/test-stdout.txt": "ok\n",
      "jobs/j1/t1__def/agent/trajectory.json": atif("Do t1."),
      "jobs/j1/t1__def/agent/patch.diff": diff("p"),
      "jobs/j1/t1__def/verifier/reward.json": json({ reward: 0 }),
      "jobs/j1/result.json": json({ n_total_trials: 2, stats: {} }),
    },
    inputs: ["jobs"],
    rows: {
      t1: [
        ["j1/t1__abc", true, "absent", "result ctrf reward"],
        ["j1/t1__def", false, "p", "reward"],
      ],
    },
  },
};
