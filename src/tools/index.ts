import { diffRolloutsTool } from "./diff-rollouts.ts";
import { leadsTool } from "./leads.ts";
import { listFilesTool } from "./list-files.ts";
import { listRolloutsTool } from "./list-rollouts.ts";
import { readCheckTool } from "./read-check.ts";
import { readEventTool } from "./read-event.ts";
import { readFileTool } from "./read-file.ts";
import { readPatchTool } from "./read-patch.ts";
import { readSummaryTool } from "./read-summary.ts";
import { readTestOutputTool } from "./read-test-output.ts";
import { recordFindingTool } from "./record-finding.ts";
import { runCheckTool } from "./run-check.ts";
import { runTestsTool } from "./run-tests.ts";
import { searchCodeTool } from "./search-code.ts";
import { searchTrajectoryTool } from "./search-trajectory.ts";
import { shellTool } from "./shell.ts";
import { submitVerdictTool } from "./submit-verdict.ts";
import { taskTool } from "./task.ts";
import type { Tool } from "./tool.ts";

/** Tools that need a sandbox, and the reader of what they printed. */
export const CHECK_TOOLS: readonly Tool[] = [runTestsTool, runCheckTool, readCheckTool, shellTool];

/** Every tool of the grader, in the order in which a grader meets them. */
export const TOOLS: readonly Tool[] = [
  taskTool,
  listRolloutsTool,
  leadsTool,
  readSummaryTool,
  readEventTool,
  searchTrajectoryTool,
  listFilesTool,
  readFileTool,
  searchCodeTool,
  readPatchTool,
  diffRolloutsTool,
  readTestOutputTool,
  ...CHECK_TOOLS,
  recordFindingTool,
  submitVerdictTool,
];
