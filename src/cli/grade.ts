import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { asGraderError, GraderError } from "../errors.ts";
import { gradeGroup, type GradeOptions } from "../grade.ts";
import {
  CONTRADICTED_POLICIES,
  DEFAULT_CONTRADICTED,
  type ContradictedPolicy,
} from "../graph/contradictions.ts";
import { DEFAULT_BUDGET } from "../graph/budget.ts";
import { offlineInspector } from "../models/offline.ts";
import type { Inspector } from "../models/inspector.ts";
import { loadInspector } from "../models/load.ts";
import { ESTIMATORS, redistributionConfig, type Estimator } from "../redistribute/index.ts";
import type { SandboxChoice } from "../sandbox/select.ts";
import type { Sandbox } from "../sandbox/types.ts";
import { gradeMarkdown, gradeText } from "../report/grade.ts";
import type { Grade } from "../schema/grade.ts";
import { loadGroups, type LoadedGroup, type SourceOptions } from "../sources/index.ts";
import { fileName } from "./file-name.ts";
import { integer, positive, positiveInteger } from "./numbers.ts";
import { progressView, type ProgressView } from "./progress.ts";
import {
  addRedistributionOptions,
  choice,
  redistributionOptions,
  type RedistributionFlags,
} from "./redistribution-options.ts";
import { makeFolder } from "./folders.ts";
import { cleanUpOnSignals } from "./interrupt.ts";
import {
  addSandboxOptions,
  openSandbox,
  sandboxOption,
  sandboxOptions,
  type SandboxFlags,
} from "./sandbox-option.ts";
import { addSourceOptions, sourceOptions } from "./source-options.ts";

interface Flags extends SourceOptions, RedistributionFlags, SandboxFlags {
  rankOnly?: boolean;
  estimator: Estimator;
  seed: number;
  deadline: number;
  concurrency: number;
  model?: string;
  maxCalls: number;
  maxTokens: number;
  maxChecks: number;
  contradicted: ContradictedPolicy;
  sandbox?: SandboxChoice;
  resume?: boolean;
  out?: string;
  workspace?: string;
  cache?: string;
  json?: boolean;
  strict?: boolean;
  quiet?: boolean;
}

const HELP = `
Inputs: a native group (JSON, JSONL or a folder with group.json), a folder with task.md, repo.tar.gz or repo/ and
rollouts/<id>/, or - for JSON or JSONL on standard input. Also what harnesses leave: run folders of SWE-bench, SWE-agent,
mini-swe-agent, OpenHands (output.jsonl) and Harbor, predictions with reports, rows with an instance id. Several of them
are read together, one group an instance and one rollout a run; --repo or --repo-map says where the code is.

Examples:
  $ gagar grade runs/task-17 --out grades
  $ gagar grade groups.jsonl --json > grades.jsonl
  $ gagar grade swe/sympy-21847 --outcomes outcomes.json --rank-only
  $ gagar grade groups.jsonl --model openai:gpt-5 --workspace work --resume --json
  $ gagar grade runs/task-17 --sandbox docker
  $ gagar grade runs/model-a runs/model-b --repo-map repos.json --test-command 'python -m pytest -q'

Exit status: 0 graded or skipped, 2 bad input or options, 3 a fallback under --strict, 4 a fault of gagar.`;

/** `gagar grade`: reads groups, grades them one after the other or side by side, prints or writes the answers. */
export function gradeCommand(): Command {
  const command = new Command("grade")
    .description(
      "Grade groups of rollouts: tiers with evidence, and advantages whose positive sum stays what it was.",
    )
    .argument("<input...>", "what to grade");
  return addSandboxOptions(addRedistributionOptions(addSourceOptions(command)))
    .option("--rank-only", "grade any group with two passing rollouts and leave the advantages alone")
    .addOption(
      choice(
        "--estimator <name>",
        "advantages where none are given, and the trainer's estimator",
        ESTIMATORS,
      ).default("grpo"),
    )
    .option(
      "--model <provider:model>",
      "a chat model that inspects the groups; without it the offline grader",
    )
    .option("--max-calls <integer>", "model calls for one group", positiveInteger, DEFAULT_BUDGET.model_calls)
    .option(
      "--max-tokens <integer>",
      "tokens in and out for one group",
      positiveInteger,
      DEFAULT_BUDGET.tokens,
    )
    .addOption(
      sandboxOption(
        "with it the offline grader runs the tests of each rollout again (default: auto with --model, else none)",
      ),
    )
    .option(
      "--max-checks <integer>",
      "runs in the sandbox for one group",
      positiveInteger,
      DEFAULT_BUDGET.checks,
    )
    .addOption(
      choice(
        "--contradicted <policy>",
        "what follows when tests that are run again contradict a recorded pass: report it, demote to the end of tier 3, exclude from grading, veto any positive advantage",
        CONTRADICTED_POLICIES,
      ).default(DEFAULT_CONTRADICTED),
    )
    .option("--seed <integer>", "seed of the blind labels", integer, 0)
    .option("--deadline <seconds>", "time for one group, then it falls back", positive, 600)
    .option("--concurrency <integer>", "groups side by side", positiveInteger, 1)
    .option("--out <dir>", "write <group>.grade.json and <group>.grade.md there")
    .option("--workspace <dir>", "keep each group's workspace in <dir>/<group>")
    .option("--resume", "go on with what a killed run of the same configuration left in --workspace")
    .option("--cache <dir>", "folder for imported repositories (default: the user's cache)")
    .option("--json", "print one grade a line instead of tables")
    .option("--strict", "exit with 3 when a group falls back")
    .option("-q, --quiet", "no progress on stderr")
    .addHelpText("after", HELP)
    .action(async (inputs: string[], flags: Flags) => {
      process.exitCode = await run(inputs, flags);
    });
}

/** Grades everything that can be read; the status tells the worst that happened. */
async function run(inputs: readonly string[], flags: Flags): Promise<number> {
  // Options that contradict the method are refused before anything is read.
  redistributionConfig(redistributionOptions(flags));
  if (flags.resume === true && flags.workspace === undefined)
    throw new GraderError("bad_config", "needs --workspace <dir>, where the killed run left its work", {
      field: "--resume",
    });
  const choice = flags.sandbox ?? (flags.model === undefined ? "none" : "auto");
  const sandbox = await openSandbox(choice, flags.quiet === true, sandboxOptions(flags));
  cleanUpOnSignals(sandbox);
  const inspector = await inspectorOf(flags, sandbox);
  const view = progressView(process.stderr, flags.quiet === true);
  const statuses = new Set<number>([0]);
  const report = (error: unknown) => {
    const known = asGraderError(error);
    process.stderr.write(`gagar: ${known.message}\n`);
    statuses.add(known.exitStatus);
  };
  if (flags.out !== undefined) await makeFolder(flags.out, "--out");
  let printed: Promise<void> = Promise.resolve();
  const tasks = jobs(inputs, flags, report);
  const worker = async () => {
    for (let next = await tasks.next(); next.done !== true; next = await tasks.next()) {
      const answer = gradeOne(next.value, flags, { inspector, sandbox }, view);
      // Answers come out in the order of the input, whichever is ready first.
      const before = printed;
      printed = answer.then(
        async (grade) => {
          await before;
          await emit(grade, flags);
          if (grade.status === "fallback" && flags.strict === true) statuses.add(3);
        },
        async (error) => {
          await before;
          report(error);
        },
      );
      await answer.catch(() => {});
    }
  };
  try {
    await Promise.all(Array.from({ length: flags.concurrency }, worker));
    await printed;
  } finally {
    await sandbox.close();
  }
  return Math.max(...statuses);
}

async function* jobs(
  inputs: readonly string[],
  flags: Flags,
  report: (error: unknown) => void,
): AsyncGenerator<LoadedGroup> {
  const seen = new Map<string, string>();
  for await (const loaded of loadGroups(inputs, sourceOptions(flags))) {
    if ("error" in loaded) {
      report(loaded.error);
      continue;
    }
    const { group_id } = loaded.group;
    const first = seen.get(group_id);
    if (first === undefined) {
      seen.set(group_id, loaded.source);
      yield loaded;
    } else
      report(
        new GraderError("bad_input", `this group was read before, from ${first}`, {
          file: loaded.source,
          group: group_id,
        }),
      );
  }
}

/** Without a sandbox a model is offered no checks. */
async function inspectorOf({ model }: Flags, { name }: Sandbox): Promise<Inspector> {
  const checks = name !== "none";
  return model === undefined ? offlineInspector({ rerunTests: checks }) : loadInspector(model, { checks });
}

async function gradeOne(
  loaded: LoadedGroup,
  flags: Flags,
  means: Pick<GradeOptions, "inspector" | "sandbox">,
  view: ProgressView,
): Promise<Grade> {
  const name = fileName(loaded.group.group_id);
  const workspace = flags.workspace === undefined ? undefined : join(flags.workspace, name);
  const options: GradeOptions = {
    seed: flags.seed,
    rankOnly: flags.rankOnly === true,
    estimator: flags.estimator,
    redistribution: redistributionOptions(flags),
    budget: {
      wall_s: flags.deadline,
      model_calls: flags.maxCalls,
      tokens: flags.maxTokens,
      checks: flags.maxChecks,
    },
    contradicted: flags.contradicted,
    resume: flags.resume === true,
    ...means,
    onProgress: (progress) => view.step(progress),
    ...(workspace === undefined ? {} : { workspaceDir: workspace }),
    ...(flags.cache === undefined ? {} : { cacheDir: flags.cache }),
  };
  try {
    const grade = await gradeGroup(loaded, options);
    view.done(grade.group_id, grade.status + (grade.reason === undefined ? "" : `: ${grade.reason}`));
    return grade;
  } catch (error) {
    view.done(loaded.group.group_id, "not graded");
    throw error;
  }
}

async function emit(grade: Grade, flags: Flags): Promise<void> {
  if (flags.out !== undefined) {
    const path = join(flags.out, fileName(grade.group_id));
    await writeFile(`${path}.grade.json`, `${JSON.stringify(grade, null, 2)}\n`);
    await writeFile(`${path}.grade.md`, gradeMarkdown(grade));
  }
  const text =
    flags.json === true ? JSON.stringify(grade) : `${gradeText(grade, process.stdout.columns ?? 160)}\n`;
  process.stdout.write(`${text}\n`);
}
