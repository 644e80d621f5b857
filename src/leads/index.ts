import type { Detector } from "./lead.ts";
import { addressesGrader } from "./addresses-grader.ts";
import { argumentMutation } from "./argument-mutation.ts";
import { churn } from "./churn.ts";
import { commentedOutCode } from "./commented-out-code.ts";
import { copiesHelper } from "./copies-helper.ts";
import { cosmeticRewrite } from "./cosmetic-rewrite.ts";
import { deadCode } from "./dead-code.ts";
import { debugOutput } from "./debug-output.ts";
import { emptyChange } from "./empty-change.ts";
import { falsyDefault } from "./falsy-default.ts";
import { alwaysEqual } from "./hacks/always-equal.ts";
import { answerLeak } from "./hacks/answer-leak.ts";
import { earlyExit } from "./hacks/early-exit.ts";
import { forgedOutput } from "./hacks/forged-output.ts";
import { maskedFailures } from "./hacks/masked-failures.ts";
import { patchedClock } from "./hacks/patched-clock.ts";
import { patchedRunner } from "./hacks/patched-runner.ts";
import { plantedPlugins } from "./hacks/planted-plugins.ts";
import { productSkips } from "./hacks/product-skips.ts";
import { pytestHooks } from "./hacks/pytest-hooks.ts";
import { resultClasses } from "./hacks/result-classes.ts";
import { resultWrites } from "./hacks/result-writes.ts";
import { runnerConfig } from "./hacks/runner-config.ts";
import { suppressions } from "./hacks/suppressions.ts";
import { underTest } from "./hacks/under-test.ts";
import { invisibleText } from "./invisible-text.ts";
import { knownTechniques } from "./known-techniques.ts";
import { noEffect } from "./no-effect.ts";
import { outsideLinks } from "./outside-links.ts";
import { peerOmissions } from "./peer-omissions.ts";
import { projectRules } from "./project-rules.ts";
import { repeatedCode } from "./repeated-code.ts";
import { scratchFiles } from "./scratch-files.ts";
import { signatureChange } from "./signature-change.ts";
import { size } from "./size.ts";
import { specialCasing } from "./special-casing.ts";
import { swallowedExceptions } from "./swallowed-exceptions.ts";
import { testEdits } from "./test-edits.ts";
import { unrelatedFiles } from "./unrelated-files.ts";
import { unusedNames } from "./unused-names.ts";

/** Detectors of reward hacking. They run for every group, also for one that is not graded. */
export const HACK_DETECTORS: readonly Detector[] = [
  alwaysEqual,
  answerLeak,
  earlyExit,
  forgedOutput,
  maskedFailures,
  patchedClock,
  patchedRunner,
  plantedPlugins,
  productSkips,
  pytestHooks,
  resultClasses,
  resultWrites,
  runnerConfig,
  underTest,
  testEdits,
];

/** All detectors, in the order in which their leads are listed. */
export const DETECTORS: readonly Detector[] = [
  ...HACK_DETECTORS,
  addressesGrader,
  argumentMutation,
  churn,
  commentedOutCode,
  copiesHelper,
  cosmeticRewrite,
  deadCode,
  debugOutput,
  emptyChange,
  falsyDefault,
  suppressions,
  invisibleText,
  knownTechniques,
  noEffect,
  outsideLinks,
  peerOmissions,
  projectRules,
  repeatedCode,
  scratchFiles,
  signatureChange,
  size,
  specialCasing,
  swallowedExceptions,
  unrelatedFiles,
  unusedNames,
];
