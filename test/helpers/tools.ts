import { join } from "node:path";
import { openChecks, type ChecksOptions } from "../../src/checks/checks.ts";
import { unavailableSandbox } from "../../src/sandbox/unavailable.ts";
import { connectTools, type ToolClient } from "../../src/tools/server.ts";
import type { ToolContext } from "../../src/tools/tool.ts";
import type { Lead } from "../../src/schema/evidence.ts";
import { openLog } from "../../src/workspace/log.ts";
import { makeWorkspace, type TestWorkspace, type WorkspaceSketch } from "./workspace.ts";

export interface TestTools extends AsyncDisposable {
  workspace: TestWorkspace;
  context: ToolContext;
  tools: ToolClient;
}

/** A workspace with the grader's tools over the in-memory protocol. All passing rollouts with a tree are to be placed. */
export async function makeTools(
  sketch: WorkspaceSketch,
  leads: Lead[] = [],
  given: Partial<ChecksOptions> = {},
): Promise<TestTools> {
  const workspace = await makeWorkspace(sketch);
  const sandbox = unavailableSandbox("none in this test");
  const context: ToolContext = {
    workspace,
    leads,
    findings: openLog(join(workspace.dir, "findings.jsonl")),
    graded: workspace.rollouts
      .filter((rollout) => rollout.passed === true && rollout.patch.tree !== undefined)
      .map((rollout) => rollout.label),
    checks: openChecks({ workspace, sandbox, limit: 100, ...given }),
    verdict: {},
  };
  const tools = await connectTools(context);
  return {
    workspace,
    context,
    tools,
    async [Symbol.asyncDispose]() {
      await tools.close();
      await context.checks.close();
      await workspace[Symbol.asyncDispose]();
    },
  };
}
