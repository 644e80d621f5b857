import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { Command } from "commander";
import { GraderError } from "../errors.ts";
import {
  capWarning,
  configHash,
  QUALITY_RULES,
  redistributionConfig,
  TRAINER_ESTIMATORS,
  type QualityRule,
  type RedistributionConfig,
} from "../redistribute/index.ts";
import { visible } from "../visible.ts";
import {
  addRedistributionOptions,
  choice,
  number,
  redistributionOptions,
  type RedistributionFlags,
} from "./redistribution-options.ts";
import type { LineOptions } from "./redistribute-line.ts";
import { redistributeLines, type Tally } from "./redistribute-stream.ts";

interface Flags extends RedistributionFlags {
  estimator?: NonNullable<RedistributionConfig["estimator"]>;
  qualityRule?: QualityRule;
  qualityLo?: number;
  scoreField?: string;
  strict?: boolean;
  quiet?: boolean;
}

const HELP = `
Each line is one group: {"group_id", "rollouts": [{"id", "passed", "advantage", ...}]}. Quality comes from
  tier and rank      places that a grader gave (rank is dense in its tier, ties share it), or
  quality            any positive number, divided by the group's largest, or
  --quality-rule     a score of any grader, larger is better, by a rule:
    linear           the group's lowest..highest score of a passing rollout onto --quality-lo..1
    rank             dense ranks, spread evenly over --quality-lo..1
    given            the score is the quality
Also read: tokens, masked, ungraded, excluded, flags (hacks), reward, advantage_given. Without any advantage,
--estimator makes them from reward, or from passed where no rollout of the group has a reward. With --estimator, a
rollout also gets reward_equivalent where it is exact; reward_form of the group says exact, or why not.

The line comes out with advantage_given, advantage, quality, redistribution and the marker redistributed; everything
else stays as it was written. A line that has the marker is refused. A bad line is left out and named on stderr with
its place; the others are still processed.

Examples:
  $ gagar redistribute groups.jsonl > redistributed.jsonl
  $ gagar redistribute --quality-rule rank --score-field ruler_score < scores.jsonl
  $ echo '{"group_id":"g","rollouts":[{"id":"a","passed":true,"advantage":1,"quality":2},
    {"id":"b","passed":true,"advantage":1,"quality":1}]}' | tr '\\n' ' ' | gagar redistribute

Exit status: 0 every line was good, 2 a line or an option was bad, 4 a fault of gagar.`;

/** `gagar redistribute`: the arithmetic alone, as a filter over JSONL. */
export function redistributeCommand(): Command {
  const command = new Command("redistribute")
    .description("Redistribute the advantages of groups that were graded elsewhere: JSONL in, JSONL out.")
    .argument("[file]", "JSONL, one group a line; - or nothing for standard input", "-");
  return addRedistributionOptions(command)
    .addOption(choice("--estimator <name>", "the trainer's, for rewards", TRAINER_ESTIMATORS))
    .addOption(choice("--quality-rule <name>", "read scores, and how", QUALITY_RULES))
    .option("--quality-lo <number>", "quality of the lowest score (default: 0.5)", number)
    .option("--score-field <name>", "field of a rollout that holds its score (default: score)")
    .option("--strict", "stop at the first bad line")
    .option("-q, --quiet", "no summary on stderr")
    .addHelpText("after", HELP)
    .action(async (file: string, flags: Flags) => {
      const status = await run(file, flags);
      if (status !== 0) process.exitCode = status;
    });
}

/** Filters one file to standard output. Returns the exit status, which tells of bad lines. */
async function run(file: string, flags: Flags): Promise<number> {
  const options = lineOptions(flags);
  const say = (message: string) => void process.stderr.write(`${visible(message).replaceAll("\n", "\\n")}\n`);
  const { qualityRule: rule, qualityLo, config } = options;
  const warning =
    rule === "given" ? undefined : capWarning(config, rule === undefined ? undefined : qualityLo);
  if (warning !== undefined) say(`gagar: warning: ${warning.message}`);
  const tally: Tally = { redistributed: 0, unchanged: 0, notConserved: 0, bad: 0, status: 0 };
  const name = file === "-" ? "<stdin>" : file;
  const lines = redistributeLines(bytesOf(file), name, options, {
    tally,
    strict: flags.strict === true,
    onBad: (error) => say(`gagar: ${error.message}`),
  });
  await pipeline(lines, process.stdout, { end: false });
  if (flags.quiet !== true) say(summary(tally));
  return tally.status;
}

function lineOptions(flags: Flags): LineOptions {
  const { qualityRule, qualityLo = 0.5, scoreField = "score" } = flags;
  const needs = (field: string, rule: string) =>
    new GraderError("bad_config", `is read only with --quality-rule ${rule}`, { field });
  if (flags.scoreField !== undefined && qualityRule === undefined) {
    throw needs("--score-field", QUALITY_RULES.join(" or "));
  }
  if (flags.qualityLo !== undefined && qualityRule !== "linear" && qualityRule !== "rank") {
    throw needs("--quality-lo", "linear or rank");
  }
  if (!(qualityLo > 0 && qualityLo <= 1)) {
    throw new GraderError("bad_config", `must be above 0 and at most 1, not ${qualityLo}`, {
      field: "--quality-lo",
    });
  }
  const config = redistributionConfig({
    ...redistributionOptions(flags),
    estimator: flags.estimator ?? null,
  });
  return { config, configHash: configHash(config), qualityRule, qualityLo, scoreField };
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* file === "-" ? process.stdin : createReadStream(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new GraderError("bad_input", `cannot be read: ${reason}`, { file }, { cause: error });
  }
}

function summary({ redistributed, unchanged, notConserved, bad }: Tally): string {
  const lost = notConserved === 0 ? "" : `; ${notConserved} with their positive sum not kept`;
  const read = redistributed + unchanged + bad;
  return `gagar redistribute: ${read} groups read, ${redistributed} redistributed, ${unchanged} unchanged, ${bad} bad${lost}`;
}
