export { readRewardText, readReward, readRowVerdict, readTrialResult, type TrialResult } from "./harbor.ts";
export { instanceOf, patchOf, type Prediction, readPredictions } from "./predictions.ts";
export { readFlatResults, readInstanceReport, readMultiReport, readRunReport } from "./swebench.ts";
export { markedVerdict, type MarkedOutput, readMarkedOutput } from "./test-output.ts";
export { readCtrf, readJunit, readTestList } from "./test-reports.ts";
export {
  asVerdict,
  type InstanceVerdict,
  type ResultSource,
  type ResultVerdict,
  settle,
  type Settled,
} from "./verdict.ts";
