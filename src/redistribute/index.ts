/**
 * The complete public surface of gagar/redistribute: pure 64-bit arithmetic on the advantages of one group, without the
 * grader. Nothing here reads or writes anything, and nothing but Node's own SHA-256 is loaded.
 */
export { GraderError, type ErrorCode, type Place, type Warning } from "../errors.ts";
export type { Redistribution, RedistributionMode } from "../schema/grade.ts";
export type { Placement } from "../schema/verdict.ts";
export { groupStdShrink } from "./audit.ts";
export {
  capLoss,
  capWarning,
  DEFAULT_CONFIG,
  HACK_POLICIES,
  REDISTRIBUTION_MODES,
  redistributionConfig,
  TRAINER_ESTIMATORS,
  WEIGHTS,
  type HackPolicy,
  type RedistributionConfig,
  type TierBand,
  type TrainerEstimator,
} from "./config.ts";
export {
  ESTIMATORS,
  estimateAdvantages,
  isEstimator,
  type Estimator,
  type ScoredRollout,
  type StdOptions,
} from "./estimators.ts";
export { applyHackPolicy, type SuspectRollout } from "./hack-policy.ts";
export type { GroupInput, RolloutInput } from "./input.ts";
export {
  canonicalJson,
  configHash,
  inputHash,
  redistributionMarker,
  refuseMarked,
  type RedistributionMarker,
} from "./marker.ts";
export { placementQualities, placementQuality, relativeQualities } from "./quality.ts";
export {
  identity,
  redistribute,
  type RedistributedGroup,
  type RedistributedRollout,
} from "./redistribute.ts";
export { rewardForm, type RewardForm, type RewardFormRefusal } from "./rewards.ts";
export { QUALITY_RULES, scoreQualities, type QualityRule } from "./score-rules.ts";
