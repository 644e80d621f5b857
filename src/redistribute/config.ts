import { GraderError, type Warning } from "../errors.ts";
import type { RedistributionMode } from "../schema/grade.ts";

/** Quality at the first (`hi`) and the last rank (`lo`) of one tier. Dimensionless, 0 < lo <= hi <= 1. */
export interface TierBand {
  readonly hi: number;
  readonly lo: number;
}

/**
 * How trainers make advantages from rewards: the three of estimateAdvantages, and leave-one-out mean and deviation
 * (`rloo-std`, the default of NeMo-RL), which is known only to be refused by rewardForm.
 */
export const TRAINER_ESTIMATORS = ["grpo", "dr-grpo", "rloo", "rloo-std"] as const;
export type TrainerEstimator = (typeof TRAINER_ESTIMATORS)[number];

/** See RedistributionConfig.mode. */
export const REDISTRIBUTION_MODES = ["common-scale", "water-fill", "downweight-only"] as const;
/** See RedistributionConfig.weights. */
export const WEIGHTS = ["rollout", "tokens"] as const;
/** What may follow a verified hack; see applyHackPolicy. */
export const HACK_POLICIES = ["bottom", "exclude", "report"] as const;
export type HackPolicy = (typeof HACK_POLICIES)[number];

/**
 * Every choice of the redistribution. The method is published without its coefficients: these numbers are gagar's own.
 */
export interface RedistributionConfig {
  /**
   * With A the advantage and q the quality of a rollout of the redistributed set:
   * `common-scale`, the published method: A' = c q A, one c <= c_max that keeps the sum;
   * `water-fill`, gagar's own: A' = min(s_max, lambda q) A, one lambda that keeps the sum;
   * `downweight-only`, the published ablation: A' = q A, which loses mass.
   */
  readonly mode: RedistributionMode;
  /** Bands of tiers 1, 2 and 3. A better tier never reaches below a worse one. */
  readonly tiers: readonly [TierBand, TierBand, TierBand];
  /** Largest common factor in `common-scale`. At least 1, at most 1e9. */
  readonly c_max: number;
  /** Largest factor of any one rollout in `water-fill`. At least 1, at most 1e9. */
  readonly s_max: number;
  /** What is kept: the sum of advantages, or the sum of advantage times trainable tokens. */
  readonly weights: (typeof WEIGHTS)[number];
  /** The trainer's own estimator, for the reward form; null when it is not known. */
  readonly estimator: TrainerEstimator | null;
  /** What a verified hack costs the rollout. See hack-policy.ts. */
  readonly hack_policy: HackPolicy;
}

/** Smallest quality beside a largest of 1. What is smaller is zero in all but name, and its reciprocal overflows. */
export const MIN_QUALITY = 1e-100;
const MAX_FACTOR = 1e9;
/** A loss that rounding alone accounts for is none. */
const ROUNDING = 1e-12;
const DEFAULTS: RedistributionConfig = {
  mode: "common-scale",
  tiers: [
    { hi: 1, lo: 0.9 },
    { hi: 0.8, lo: 0.7 },
    { hi: 0.6, lo: 0.5 },
  ],
  c_max: 2,
  s_max: 2,
  weights: "rollout",
  estimator: null,
  hack_policy: "bottom",
};
const checked = new WeakSet<object>();

/**
 * The whole configuration, checked, from the parts that differ from the defaults.
 *
 * @returns A frozen object. A configuration that came from here is returned as it is.
 * @throws GraderError `bad_config`; `where.field` names the field.
 */
export function redistributionConfig(options: Partial<RedistributionConfig> = {}): RedistributionConfig {
  if (isChecked(options)) return options;
  const unknown = Object.keys(options).find((field) => !Object.hasOwn(DEFAULTS, field));
  if (unknown !== undefined) {
    refuse(unknown, `is not an option; there are ${Object.keys(DEFAULTS).join(", ")}`);
  }
  const { mode, tiers, c_max, s_max, weights, estimator, hack_policy } = { ...DEFAULTS, ...options };
  const config: RedistributionConfig = Object.freeze({
    mode: oneOf("mode", mode, REDISTRIBUTION_MODES),
    tiers: tierBands(tiers),
    c_max: factor("c_max", c_max),
    s_max: factor("s_max", s_max),
    weights: oneOf("weights", weights, WEIGHTS),
    estimator: estimator === null ? null : oneOf("estimator", estimator, TRAINER_ESTIMATORS),
    hack_policy: oneOf("hack_policy", hack_policy, HACK_POLICIES),
  });
  checked.add(config);
  return config;
}

/** What is used where nothing else is said: the published mode, cap 2, whole rollouts, hacks in the last tier. */
export const DEFAULT_CONFIG: RedistributionConfig = redistributionConfig();

/**
 * The share of the positive mass that the cap could cost at worst, in 0..1: the common factor is at most 1 / q_min, so
 * the cap never binds when q_min c_max >= 1. Holds while no hack is excluded; an excluded one's mass comes on top.
 *
 * @param minQuality - Smallest quality that can occur; the last tier's lower bound unless given.
 */
export function capLoss(config: RedistributionConfig, minQuality: number = config.tiers[2].lo): number {
  const loss = 1 - minQuality * config.c_max;
  return config.mode === "common-scale" && loss > ROUNDING ? loss : 0;
}

/** Says when the cap can break conservation, and how much positive mass would be lost; undefined when it never can. */
export function capWarning(config: RedistributionConfig, minQuality?: number): Warning | undefined {
  const loss = capLoss(config, minQuality);
  if (loss === 0) return undefined;
  const percent = (100 * loss).toFixed(1);
  return {
    code: "cap_can_bind",
    message:
      `the smallest quality times the cap (c_max) is ${(1 - loss).toPrecision(3)}, below 1: the cap can bind, ` +
      `and then up to ${percent} % of a group's positive mass is lost`,
    where: { field: "c_max" },
  };
}

function isChecked(options: Partial<RedistributionConfig>): options is RedistributionConfig {
  return checked.has(options);
}

function tierBands(bands: RedistributionConfig["tiers"]): RedistributionConfig["tiers"] {
  if (!Array.isArray(bands) || bands.length !== 3) {
    return refuse("tiers", "must be three bands {hi, lo}, for tiers 1, 2 and 3");
  }
  const first = band("tiers[0]", bands[0], 1, "1");
  const second = band("tiers[1]", bands[1], first.lo, `the lower bound of tier 1, ${first.lo}`);
  const third = band("tiers[2]", bands[2], second.lo, `the lower bound of tier 2, ${second.lo}`);
  return Object.freeze([first, second, third] as const);
}

function band(field: string, given: TierBand, ceiling: number, ceilingName: string): TierBand {
  if (typeof given !== "object" || given === null) return refuse(field, "must be {hi, lo}");
  const hi = finite(`${field}.hi`, given.hi);
  const lo = finite(`${field}.lo`, given.lo);
  if (lo < MIN_QUALITY) refuse(`${field}.lo`, `must be above 0 (at least ${MIN_QUALITY}), not ${lo}`);
  if (hi < lo) refuse(`${field}.hi`, `must not be below lo, ${lo}, as ${hi} is`);
  if (hi > ceiling) refuse(`${field}.hi`, `must not be above ${ceilingName}, as ${hi} is`);
  return Object.freeze({ hi, lo });
}

function factor(field: string, value: number): number {
  if (finite(field, value) >= 1 && value <= MAX_FACTOR) return value;
  return refuse(field, `must be between 1 and ${MAX_FACTOR}, not ${value}`);
}

function finite(field: string, value: number): number {
  return Number.isFinite(value) ? value : refuse(field, `must be a finite number, not ${String(value)}`);
}

function oneOf<T extends string>(field: string, value: T, choices: readonly T[]): T {
  if (choices.includes(value)) return value;
  return refuse(field, `must be one of ${choices.join(", ")}, not ${value}`);
}

function refuse(field: string, message: string): never {
  throw new GraderError("bad_config", message, { field });
}
