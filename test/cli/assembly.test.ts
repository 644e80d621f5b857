import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Grade } from "../../src/schema/grade.ts";
import { folderOf } from "../sources/folder.ts";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

function gagar(cwd: string, args: readonly string[]): { status: number | null; out: string; err: string } {
  const run = spawnSync(process.execPath, [main, ...args], { encoding: "utf8", cwd, timeout: 60_000 });
  return { status: run.status, out: run.stdout, err: run.stderr };
}

const json = (value: unknown): string => JSON.stringify(value);
const lines = (...rows: unknown[]): string => rows.map((row) => `${json(row)}\n`).join("");

const before = "def total(items):\n    return sum(items)\n";
const patchTo = (body: string): string =>
  `diff --git a/shop.py b/shop.py\n--- a/shop.py\n+++ b/shop.py\n@@ -1,2 +1,2 @@\n def total(items):\n-    return sum(items)\n+    ${body}\n`;
const patches = ["return sum(items, 0)", "return sum(list(items))", "return 0"].map(patchTo);
const [first = "", second = "", third = ""] = patches;
const TASK = "t__shop-1";

const chat = [
  { role: "user", content: "Mend total()." },
  {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "c1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } }],
  },
  { role: "tool", tool_call_id: "c1", content: "shop.py\n" },
  { role: "assistant", content: "Done." },
];
const mini = (patch: string): string =>
  json({
    trajectory_format: "mini-swe-agent-1.1",
    instance_id: TASK,
    info: { exit_status: "Submitted", submission: patch, mini_version: "2.2.7" },
    messages: chat,
  });
const preds = (patch: string): string =>
  json({ [TASK]: { instance_id: TASK, model_name_or_path: "m", model_patch: patch } });
const atif = json({
  schema_version: "ATIF-v1.6",
  session_id: "s",
  agent: { name: "a", version: "1" },
  steps: [
    { step_id: 1, source: "user", message: "Mend total()." },
    {
      step_id: 2,
      source: "agent",
      message: "",
      tool_calls: [{ tool_call_id: "c1", function_name: "bash", arguments: { command: "ls" } }],
      observation: { results: [{ source_call_id: "c1", content: "shop.py" }] },
    },
    { step_id: 3, source: "agent", message: "Done." },
  ],
});
const event = (id: number, more: object): object => ({
  id,
  timestamp: "2026-01-01T00:00:00",
  source: "agent",
  ...more,
});

function harborTrial(name: string, patch: string, reward: number): Record<string, string> {
  const at = `jobs/2026-03-01__10-00-00/${name}`;
  return {
    [`${at}/config.json`]: json({ task: { path: `tasks/${TASK}` }, trial_name: name }),
    [`${at}/result.json`]: json({
      task_name: TASK,
      trial_name: name,
      agent_info: { name: "a", version: "1" },
      verifier_result: { rewards: { reward } },
      exception_info: null,
    }),
    [`${at}/trial.log`]: "",
    [`${at}/agent/trajectory.json`]: atif,
    [`${at}/agent/claude-code.txt`]: "",
    [`${at}/artifacts/patch.diff`]: patch,
    [`${at}/verifier/reward.txt`]: `${reward}\n`,
    [`${at}/verifier/ctrf.json`]: json({
      results: { tests: [{ name: "t", status: reward === 1 ? "passed" : "failed" }] },
    }),
    [`${at}/verifier/test-stdout.txt`]: "ran\n",
  };
}

interface Source {
  files: Record<string, string>;
  inputs: string[];
  /** Rollout, outcome, sources of verdicts, turns. */
  rollouts: [string, boolean | null, string, number | null][];
  /** What the run itself does not say. */
  lacks: RegExp;
  /** Options without which nobody passed, or too few. */
  more?: string[];
}

const SOURCES: Record<string, Source> = {
  "two mini-swe-agent run directories": {
    files: Object.fromEntries(
      [first, second].flatMap((patch, index) => [
        [`run-${index + 1}/preds.json`, preds(patch)],
        [`run-${index + 1}/${TASK}/${TASK}.traj.json`, mini(patch)],
        [`run-${index + 1}/minisweagent.log`, ""],
        [`run-${index + 1}/exit_statuses_1.yaml`, "instances_by_exit_status:\n"],
      ]),
    ),
    inputs: ["run-1", "run-2"],
    rollouts: [
      ["run-1", null, "", 2],
      ["run-2", null, "", 2],
    ],
    lacks: /the task is what a trajectory begins with.*no test command.*no outcome of run-1, run-2/,
    more: ["--passed", "run-1,run-2", "--rank-only"],
  },
  "an OpenHands output.jsonl with several attempts": {
    files: {
      "eval/output.jsonl": lines(
        ...patches.map((patch, index) => ({
          instance_id: TASK,
          attempt: index + 1,
          instruction: "Mend total().",
          instance: { instance_id: TASK, problem_statement: "total() is wrong.", base_commit: "abc1234" },
          history: [
            event(0, { source: "user", action: "message", args: { content: "Mend total()." } }),
            event(1, { action: "run", args: { command: "ls", thought: "" } }),
            event(2, { observation: "run", content: "shop.py", cause: 1, extras: { command: "ls" } }),
            event(4, { action: "finish", args: { outputs: {} } }),
          ],
          test_result: { git_patch: patch, report: { resolved: index < 2 } },
          error: null,
        })),
      ),
    },
    inputs: ["eval/output.jsonl"],
    rollouts: [
      ["eval#1", true, "row", 2],
      ["eval#2", true, "row", 2],
      ["eval#3", false, "row", 2],
    ],
    lacks: /^no test command \(--test-command\)$/,
  },
  "a Harbor jobs directory": {
    files: {
      "jobs/2026-03-01__10-00-00/result.json": json({ n_total_trials: 3, stats: { n_trials: 3 } }),
      "jobs/2026-03-01__10-00-00/config.json": json({ n_attempts: 3 }),
      "jobs/2026-03-01__10-00-00/job.log": "",
      ...harborTrial(`${TASK}__aB3dE5f`, first, 1),
      ...harborTrial(`${TASK}__gH7iJ9k`, second, 1),
      ...harborTrial(`${TASK}__lM2nO4p`, third, 0),
    },
    inputs: ["jobs"],
    rollouts: ["aB3dE5f", "gH7iJ9k", "lM2nO4p"].map((end, index) => [
      `2026-03-01__10-00-00/${TASK}__${end}`,
      index < 2,
      "result ctrf reward",
      2,
    ]),
    lacks: /the task is what a trajectory begins with.*no test command/,
  },
  "an Inspect log with epochs": {
    files: {
      "logs/fix.json": json({
        version: 2,
        status: "success",
        eval: { task: "fix", model: "m" },
        samples: patches.map((model_patch, index) => ({
          id: TASK,
          epoch: index + 1,
          input: "Mend total().",
          target: "",
          messages: [
            { role: "user", content: "Mend total()." },
            {
              role: "assistant",
              content: "",
              tool_calls: [{ id: "c1", function: "bash", arguments: { cmd: "ls" }, type: "function" }],
            },
            { role: "tool", tool_call_id: "c1", function: "bash", content: "shop.py" },
            { role: "assistant", content: "Done." },
          ],
          scores: { tests: { value: index < 2 ? "C" : "I", metadata: { model_patch } } },
        })),
      }),
    },
    inputs: ["logs/fix.json"],
    rollouts: [
      ["fix#1", true, "score", 2],
      ["fix#2", true, "score", 2],
      ["fix#3", false, "score", 2],
    ],
    lacks: /^no test command \(--test-command\)$/,
  },
  "predictions plus reports of three systems on one instance": {
    files: Object.fromEntries(
      ["x", "y", "z"].flatMap((name, index) => [
        [
          `preds/${name}.jsonl`,
          lines({ instance_id: TASK, model_name_or_path: `org/${name}`, model_patch: patches[index] }),
        ],
        [
          `preds/org__${name}.run1.json`,
          json({
            total_instances: 1,
            submitted_ids: [TASK],
            resolved_ids: index < 2 ? [TASK] : [],
            unresolved_ids: index < 2 ? [] : [TASK],
            schema_version: 2,
          }),
        ],
        [
          `preds/logs/run_evaluation/run1/org__${name}/${TASK}/report.json`,
          json({ [TASK]: { patch_exists: true, resolved: index < 2 } }),
        ],
      ]),
    ),
    inputs: ["preds"],
    rollouts: [
      ["x", true, "run_report report", null],
      ["y", true, "run_report report", null],
      ["z", false, "run_report report", null],
    ],
    lacks: /^no task statement.*no test command/,
  },
};

const supplies = {
  "shop/shop.py": before,
  "repos.json": json({ [TASK]: "shop", other: "nowhere" }),
  "tasks.json": json({ [TASK]: "total() forgets its start." }),
};
const GIVEN = ["--repo", "shop", "--task-map", "tasks.json", "--test-command", "true"];

interface Shown {
  group_id: string;
  task: { statement: string };
  error?: { message: string };
  rollouts: {
    id: string;
    passed: boolean | null;
    verdicts: { source: string }[];
    trajectory: { turns: number } | null;
    patch: { state: string };
  }[];
  warnings: { code: string; message: string }[];
}

const rowsOf = ({ rollouts }: Shown): unknown[] =>
  rollouts.map(({ id, passed, verdicts, trajectory }) => [
    id,
    passed,
    verdicts.map(({ source }) => source).join(" "),
    trajectory?.turns ?? null,
  ]);

describe.each(Object.entries(SOURCES))("%s", (_, { files, inputs, rollouts, lacks, more = [] }) => {
  const shownBy = (root: string, args: readonly string[]): [number | null, Shown] => {
    const { status, out } = gagar(root, ["show", ...inputs, "--json", ...args]);
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    return [status, JSON.parse(out) as Shown];
  };

  test("are one group by one command, which says what is missing", async () => {
    const root = await folderOf({ ...files, ...supplies });
    const [status, shown] = shownBy(root, []);
    expect([status, shown.group_id, rowsOf(shown)]).toEqual([2, TASK, rollouts]);
    expect(shown.rollouts.every(({ patch }) => patch.state === "present")).toBe(true);
    expect(shown.error?.message).toContain("no repository: give --repo or --repo-map");
    expect(shown.warnings.map(({ code }) => code)).toEqual(["run_incomplete"]);
    expect(shown.warnings[0]?.message).toMatch(lacks);
  });

  test.each([
    ["--repo", GIVEN],
    ["--repo-map", ["--repo-map", "repos.json", ...GIVEN.slice(2)]],
  ])("are whole with %s and the rest", async (__, args) => {
    const root = await folderOf({ ...files, ...supplies });
    const [status, shown] = shownBy(root, [...args, ...more.slice(0, 2)]);
    expect([status, shown.error, shown.warnings]).toEqual([0, undefined, []]);
    expect(shown.task.statement).toBe("total() forgets its start.");
  });

  test("are converted to a group that stands on its own, and graded alike", async () => {
    const root = await folderOf({ ...files, ...supplies });
    const given = [...GIVEN, ...more.slice(0, 2)];
    expect(gagar(root, ["convert", ...inputs, "--to", "group", "--out", "out", ...given]).status).toBe(0);
    const graded = [
      ["grade", ...inputs, ...GIVEN, ...more, "--json", "--quiet"],
      ["grade", `out/${TASK}`, ...more.slice(2), "--json", "--quiet"],
    ].map((args) => {
      const { status, out } = gagar(root, args);
      expect(status).toBe(0);
      return Grade.parse(JSON.parse(out));
    });
    for (const grade of graded) expect(grade).toMatchObject({ group_id: TASK, status: "graded" });
    const placesOf = (grade: Grade | undefined): unknown =>
      grade?.rollouts.map(({ id, passed, tier, rank, advantage }) => [id, passed, tier, rank, advantage]);
    expect(placesOf(graded[0])).toEqual(placesOf(graded[1]));
    expect(graded[0]?.rollouts.map(({ id }) => id)).toEqual(rollouts.map(([id]) => id));
  });
});
