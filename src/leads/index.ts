import type { Detector } from "./lead.ts";

/** Detectors of reward hacking. They run for every group, also for one that is not graded. */
export const HACK_DETECTORS: readonly Detector[] = [];

/** All detectors, in the order in which their leads are listed. */
export const DETECTORS: readonly Detector[] = [...HACK_DETECTORS];
