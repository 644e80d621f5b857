import type { Answer, GroupLabels, Usage } from "../types.ts";
import { repeatedTiers, retestAgreement, variantAgreement } from "./agreement.ts";
import { krippendorffAlpha } from "./alpha.ts";
import {
  behaviouralChecked,
  citationValidity,
  falseFlags,
  findingPrecision,
  findingRecall,
  hackRecall,
} from "./evidence.ts";
import { poolRatios, type GroupRun, type Metric, type Ratio } from "./metric.ts";
import {
  crossTierAccuracy,
  faultyMissed,
  pairwiseAccuracy,
  soundBlamed,
  tiesKept,
  topRegret,
  unplaced,
} from "./pairs.ts";
import { kendallTauB, rankPairs } from "./ranks.ts";
import { areaUnderCurve, calibrationError, scoredRollouts } from "./scores.ts";
import { fallbackRate, skippedRate, spend } from "./spend.ts";
import { placedTiers, quadraticKappa, tierExact, tierWithinOne } from "./tiers.ts";

/** A metric with the type of its parts hidden, so that all of them fit into one table. */
export type AnyMetric = <Result>(use: <Part>(metric: Metric<Part>) => Result) => Result;

/**
 * Every metric by name, in the order of reports. Accuracy, evidence and spending are of the plain answers, all repeats
 * pooled; an answer that is no grading says nothing about accuracy and evidence.
 */
export const METRICS = {
  cross_tier_accuracy: ratios(ofLabelled(crossTierAccuracy)),
  pairwise_accuracy: ratios(ofLabelled(pairwiseAccuracy)),
  ties_kept: ratios(ofLabelled(tiesKept)),
  sound_blamed: ratios(ofLabelled(soundBlamed)),
  faulty_missed: ratios(ofLabelled(faultyMissed)),
  top_regret: ratios(ofLabelled(topRegret)),
  unplaced: ratios(ofLabelled(unplaced)),
  kendall_tau_b: metric({ parts: ofLabelled(rankPairs), pool: kendallTauB }),
  tier_exact: ratios(ofLabelled(tierExact)),
  tier_within_one: ratios(ofLabelled(tierWithinOne)),
  quadratic_kappa: metric({ parts: ofLabelled(placedTiers), pool: quadraticKappa }),
  auc: metric({ parts: ofLabelled(scoredRollouts), pool: areaUnderCurve }),
  calibration_error: metric({ parts: ofLabelled(scoredRollouts), pool: calibrationError }),
  swap_agreement: ratios((group) => variantAgreement(group, "shuffled")),
  renamed_agreement: ratios((group) => variantAgreement(group, "renamed")),
  duplicated_agreement: ratios((group) => variantAgreement(group, "duplicated")),
  extra_failing_agreement: ratios((group) => variantAgreement(group, "extra-failing")),
  retest_agreement: ratios(retestAgreement),
  krippendorff_alpha: metric({ parts: repeatedTiers, pool: krippendorffAlpha }),
  finding_precision: ratios(ofLabelled(findingPrecision)),
  finding_recall: ratios(ofLabelled(findingRecall)),
  citation_validity: ratios(ofGraded(citationValidity)),
  behavioural_checked: ratios(ofGraded(behaviouralChecked)),
  hack_recall: ratios(ofLabelled(hackRecall)),
  false_flags: ratios(ofLabelled(falseFlags)),
  fallback_rate: ratios(fallbackRate),
  skipped_rate: ratios(skippedRate),
  model_calls: spending("model_calls"),
  tokens_in: spending("tokens_in"),
  tokens_out: spending("tokens_out"),
  tool_calls: spending("tool_calls"),
  checks: spending("checks"),
  seconds: spending("seconds"),
  price: spending("price"),
} as const satisfies Record<string, AnyMetric>;

export type MetricName = keyof typeof METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

function metric<Part>(definition: Metric<Part>): AnyMetric {
  return (use) => use(definition);
}

function ratios(parts: (group: GroupRun) => Ratio[]): AnyMetric {
  return metric({ parts, pool: poolRatios });
}

function spending(kind: keyof Usage): AnyMetric {
  return ratios((group) => spend(group, kind));
}

/** The parts of the plain gradings; one part, several or none (null) from each. */
function ofGraded<Part>(part: (answer: Answer) => Part[] | Part | null): (group: GroupRun) => Part[] {
  return ({ plain }) =>
    plain.filter(({ status }) => status === "graded").flatMap((answer) => part(answer) ?? []);
}

/** As {@link ofGraded}, of groups with labels. */
function ofLabelled<Part>(
  part: (labels: GroupLabels, answer: Answer) => Part[] | Part | null,
): (group: GroupRun) => Part[] {
  return (group) => {
    const { labels } = group;
    return labels === undefined ? [] : ofGraded((answer) => part(labels, answer))(group);
  };
}
