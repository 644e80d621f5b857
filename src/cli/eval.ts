import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { GraderError } from "../errors.ts";
import {
  againstBaseline,
  baselineLines,
  BUNDLED,
  labelsOf,
  openGraders,
  openSuites,
  parseScoreTiers,
  readBaseline,
  resultsMarkdown,
  resultsOf,
  resultsText,
  runGraders,
  silentGraders,
  type Case,
  type Grader,
  type Job,
  type ScoreTiers,
} from "../evals/index.ts";
import { integer, nonNegative, positive, positiveInteger } from "./numbers.ts";
import { progressView } from "./progress.ts";
import { makeFolder } from "./folders.ts";
import { cleanUpOnSignals } from "./interrupt.ts";
import {
  addSandboxOptions,
  openSandbox,
  sandboxOption,
  sandboxOptions,
  type SandboxFlags,
} from "./sandbox-option.ts";
import type { SandboxChoice } from "../sandbox/select.ts";

interface Flags extends SandboxFlags {
  grader: string[];
  model?: string;
  scoreTiers?: ScoreTiers;
  sandbox?: SandboxChoice;
  repeat: number;
  seed: number;
  limit?: number;
  concurrency: number;
  deadline: number;
  resume?: boolean;
  out: string;
  labels?: string;
  baseline?: string;
  priceIn?: number;
  priceOut?: number;
  json?: boolean;
  quiet?: boolean;
}

const DEFAULT_GRADERS = ["offline", "smallest-patch", "random", "constant"];

const HELP = `
Suites: ${BUNDLED.join(", ")} (bundled; all of them when none is named), or a path: a folder that is a group or holds
groups, with labels/ inside each, or a file of groups with --labels.

Graders: offline, agent and one-prompt (with --model), smallest-patch, random, constant; a file of scores made elsewhere
(.json, .jsonl: {group_id, rollout_id, score, tier?} or {group: {rollout: score}}); or a module (.js, .mjs) whose default
export maps (group, {seed, signal}) to {rollout: {tier, rank?, score?}}. Scores without tiers are ordered inside tier 1,
unless --score-tiers says from where on a tier begins.

Examples:
  $ gagar eval
  $ gagar eval authored --grader offline --grader scores.jsonl --score-tiers 0.8,0.5
  $ gagar eval authored runs/labelled --grader agent --grader one-prompt --model openai:gpt-5 --out eval --resume
  $ gagar eval authored --baseline eval/results.json

The results lie in --out: results.jsonl (an answer a line, as they come), results.json and report.md.
Exit status: 0, 1 when a grader got significantly worse than in --baseline or graded no group, 2 bad input or options, 4 a fault of gagar.`;

/** `gagar eval`: asks graders about labelled groups and measures their answers. */
export function evalCommand(): Command {
  return addSandboxOptions(new Command("eval"))
    .description("Measure graders on labelled groups. No grader sees a label.")
    .argument("[suite...]", "bundled suites or paths")
    .addOption(
      new Option("--grader <name>", "what to measure; repeatable")
        .argParser((name: string, before: string[] | undefined) => [...(before ?? []), name])
        .default(undefined, DEFAULT_GRADERS.join(", ")),
    )
    .option("--model <provider:model>", "the model of agent and one-prompt")
    .addOption(sandboxOption("for agent (default: auto)"))
    .option("--score-tiers <a,b>", "lowest scores of tier 1 and tier 2, for scores without tiers", scoreTiers)
    .option("--repeat <integer>", "times that each grader is asked, with a seed each", positiveInteger, 1)
    .option("--seed <integer>", "seed of the first repeat", integer, 0)
    .option("--limit <integer>", "only the first groups of each suite", positiveInteger)
    .option("--concurrency <integer>", "groups side by side", positiveInteger, 1)
    .option("--deadline <seconds>", "time for one group, then it falls back", positive, 600)
    .option("--resume", "go on with the answers in --out; nothing is paid for twice")
    .option("--out <dir>", "folder of the results", "gagar-eval")
    .option("--labels <dir>", "labels of given paths, <group>.json or <group>/labels.json")
    .option("--baseline <file>", "an earlier results.json that no grader may fall behind")
    .option("--price-in <usd>", "price of a million tokens that go to the model", nonNegative)
    .option("--price-out <usd>", "price of a million tokens that come from it", nonNegative)
    .option("--json", "print results.json in place of tables")
    .option("-q, --quiet", "no progress on stderr")
    .addHelpText("after", HELP)
    .action(async (suites: string[], flags: Partial<Flags>) => {
      process.exitCode = await run(suites, { grader: DEFAULT_GRADERS, ...flags } as Flags);
    });
}

async function run(names: readonly string[], flags: Flags): Promise<number> {
  const prices = pricesOf(flags);
  const before = flags.baseline === undefined ? undefined : await readBaseline(flags.baseline);
  const suites = await openSuites(names.length === 0 ? BUNDLED : names, flags.seed, flags.labels);
  const agent = flags.grader.includes("agent");
  const sandbox = await openSandbox(
    agent ? (flags.sandbox ?? "auto") : "none",
    flags.quiet === true,
    sandboxOptions(flags),
  );
  cleanUpOnSignals(sandbox);
  const graders = await openGraders(flags.grader, {
    sandbox,
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.scoreTiers === undefined ? {} : { scoreTiers: flags.scoreTiers }),
  });
  const cases = limited(suites.cases, flags.limit);
  const say = (line: string) => void process.stderr.write(`gagar: ${line}\n`);
  for (const { message } of suites.failures) say(message);
  for (const line of unknownLines(cases)) say(line);
  const answers = await runGraders({
    cases,
    graders,
    out: flags.out,
    repeat: flags.repeat,
    seed: flags.seed,
    concurrency: flags.concurrency,
    resume: flags.resume === true,
    deadline: flags.deadline,
    ...(prices === undefined ? {} : { prices }),
    ...progressOf(graders, flags),
  }).finally(() => sandbox.close());
  const results = resultsOf(cases, graders, answers, suites.failures, flags.seed);
  const json = `${JSON.stringify(results, null, 1)}\n`;
  const labels = new Map(results.suites.map(({ suite }) => [suite, labelsOf(cases, suite)]));
  await makeFolder(flags.out, "--out");
  await writeFile(join(flags.out, "results.json"), json);
  await writeFile(join(flags.out, "report.md"), resultsMarkdown(results, labels));
  process.stdout.write(flags.json === true ? json : `${resultsText(results)}\n`);
  const beside =
    before === undefined
      ? { worse: [], unknown: [] }
      : againstBaseline(cases, before, answers, flags.baseline ?? "");
  for (const line of baselineLines(beside)) say(line);
  const silent = silentGraders(results);
  for (const name of silent) say(`${name} graded no group: see "What failed" in the report`);
  if (suites.failures.length > 0) return Math.max(...suites.failures.map(({ exitStatus }) => exitStatus));
  return beside.worse.length + silent.length > 0 ? 1 : 0;
}

/** Groups without labels are easily overlooked: they are graded, but hardly measured. */
function unknownLines(cases: readonly Case[]): string[] {
  const suites = [...new Set(cases.map(({ suite }) => suite))];
  return suites.flatMap((suite) => {
    const labels = labelsOf(cases, suite);
    const unknown = labels.filter(
      ({ tiers, order, ties, pairs, hacks }) =>
        Object.keys(tiers).length + (order ?? []).length + ties.length + pairs.length + hacks.length === 0,
    );
    if (unknown.length === 0) return [];
    return [`${suite}: ${unknown.length} of ${labels.length} groups have no labels that rank anything`];
  });
}

/** Graders that need no time worth showing are left out. */
function progressOf(graders: readonly Grader[], { quiet }: Flags) {
  const view = progressView(process.stderr, quiet === true);
  const nameOf = ({ grader, case: { suite, variant, loaded }, repeat }: Job) =>
    [
      graders.length > 1 ? `${grader.name} ` : "",
      `${suite}/${loaded.group.group_id}`,
      variant === undefined ? "" : ` (${variant})`,
      repeat === 0 ? "" : ` #${repeat + 1}`,
    ].join("");
  return {
    onStep: (job: Job, step: string) => {
      if (job.grader.quick !== true) view.step({ group_id: nameOf(job), step });
    },
    onDone: (job: Job, { status, reason }: { status: string; reason?: string }) => {
      if (job.grader.quick !== true)
        view.done(nameOf(job), status + (reason === undefined ? "" : `: ${reason}`));
    },
  };
}

/** The first groups of each suite, with all their variants. */
function limited(cases: readonly Case[], limit: number | undefined): Case[] {
  if (limit === undefined) return [...cases];
  const kept = new Map<string, Set<string>>();
  return cases.filter(({ suite, loaded }) => {
    const groups = kept.get(suite) ?? new Set();
    kept.set(suite, groups);
    if (groups.size < limit) groups.add(loaded.group.group_id);
    return groups.has(loaded.group.group_id);
  });
}

function pricesOf({ priceIn, priceOut }: Flags) {
  if (priceIn === undefined && priceOut === undefined) return undefined;
  if (priceIn === undefined || priceOut === undefined)
    throw new GraderError("bad_config", "--price-in and --price-out are given together or not at all", {
      field: priceIn === undefined ? "--price-in" : "--price-out",
    });
  return { in: priceIn, out: priceOut };
}

function scoreTiers(text: string): ScoreTiers {
  try {
    return parseScoreTiers(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
