import { type Command, InvalidArgumentError, Option } from "commander";
import {
  DEFAULT_CONFIG,
  HACK_POLICIES,
  REDISTRIBUTION_MODES,
  WEIGHTS,
  type RedistributionConfig,
} from "../redistribute/index.ts";

/** Flags of every command that redistributes. */
export interface RedistributionFlags {
  mode: RedistributionConfig["mode"];
  cap: number;
  tiers: RedistributionConfig["tiers"];
  weights: RedistributionConfig["weights"];
  hackPolicy: RedistributionConfig["hack_policy"];
}

export function addRedistributionOptions(command: Command): Command {
  return command
    .addOption(
      choice("--mode <name>", "how advantages are redistributed", REDISTRIBUTION_MODES).default(
        DEFAULT_CONFIG.mode,
      ),
    )
    .option("--cap <number>", "largest scale, common or of one rollout", number, DEFAULT_CONFIG.c_max)
    .addOption(
      new Option("--tiers <bands>", "quality of the first and last rank of tiers 1, 2 and 3")
        .argParser(bands)
        .default(DEFAULT_CONFIG.tiers, "1:0.9,0.8:0.7,0.6:0.5"),
    )
    .addOption(
      choice(
        "--weights <name>",
        "what is kept: the sum over rollouts, or over their tokens",
        WEIGHTS,
      ).default(DEFAULT_CONFIG.weights),
    )
    .addOption(
      choice("--hack-policy <name>", "what follows a verified hack", HACK_POLICIES).default(
        DEFAULT_CONFIG.hack_policy,
      ),
    );
}

/** The configuration that the flags stand for; both caps are one flag, since a mode has only one of them. */
export function redistributionOptions(flags: RedistributionFlags): Omit<RedistributionConfig, "estimator"> {
  const { mode, cap, tiers, weights, hackPolicy } = flags;
  return { mode, tiers, c_max: cap, s_max: cap, weights, hack_policy: hackPolicy };
}

export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices([...values]);
}

export function number(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError("a number is needed.");
  return value;
}

function bands(text: string): RedistributionConfig["tiers"] {
  const [first, second, third, ...more] = text.split(",").map((part) => {
    const [hi = "", lo = "", ...rest] = part.split(":");
    if (rest.length > 0) throw new InvalidArgumentError("each tier needs two numbers, hi:lo.");
    return { hi: number(hi), lo: number(lo) };
  });
  if (first === undefined || second === undefined || third === undefined || more.length > 0) {
    throw new InvalidArgumentError("three tiers are needed, as in 1:0.9,0.8:0.7,0.6:0.5.");
  }
  return [first, second, third];
}
