/**
 * The public surface of gagar. Everything that is not exported here is internal and may change without notice;
 * the arithmetic alone is also there as `gagar/redistribute`.
 */
export { gradeGroup, type GradeOptions, type Progress } from "./grade.ts";
export { GraderError, type ErrorCode, type Place, type Warning } from "./errors.ts";
export type { ContradictedPolicy } from "./graph/contradictions.ts";
export { type Budget, DEFAULT_BUDGET } from "./graph/budget.ts";
export type { AssistantTurn, Entry, Inspector, ToolCall } from "./models/inspector.ts";
export { loadChat, loadInspector } from "./models/load.ts";
export { offlineInspector } from "./models/offline.ts";
export type { Chat, ChatMessage, ChatReply } from "./models/plain-chat.ts";
export { scriptedInspector, type ScriptStep } from "./models/scripted.ts";
export {
  estimateAdvantages,
  redistribute,
  redistributionConfig,
  type Estimator,
  type RedistributionConfig,
} from "./redistribute/index.ts";
export {
  rerunTests,
  type Agreement,
  type RolloutRerun,
  type TestRerun,
  type TestRerunOptions,
} from "./rerun-tests.ts";
export { decidingFinding, gradeMarkdown, gradeText } from "./report/grade.ts";
export { markdownTable, shortNumber, textTable } from "./report/table.ts";
export { selectSandbox, type SandboxChoice, type SandboxOptions } from "./sandbox/select.ts";
export type { Sandbox } from "./sandbox/types.ts";
export { Check, CheckRun } from "./schema/check.ts";
export { Citation, CRITERIA, Finding, FindingInput, Lead, VerifiedCitation } from "./schema/evidence.ts";
export { Flag, Grade, GradedRollout, Redistribution, Spend } from "./schema/grade.ts";
export { Group, Rollout } from "./schema/group.ts";
export { jsonSchema, SCHEMA_NAMES } from "./schema/json-schemas.ts";
export { TrajectoryEvent, type Trajectory } from "./schema/trajectory.ts";
export { Placement, Tier, Verdict } from "./schema/verdict.ts";
export {
  loadGroups,
  readPatch,
  readTestOutput,
  readTrajectory,
  type LoadedGroup,
  type LoadFailure,
  type SourceOptions,
} from "./sources/index.ts";
export { buildToolServer, type ToolAnswer, type ToolClient } from "./tools/server.ts";
export type { ToolContext } from "./tools/tool.ts";
export { VERSION } from "./version.ts";
