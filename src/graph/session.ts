import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Signal } from "../advantages.ts";
import type { Warning } from "../errors.ts";
import { openChecks } from "../checks/checks.ts";
import { keepFinding, verifyFinding } from "../evidence/record.ts";
import { collectLeads } from "../leads/collect.ts";
import { DETECTORS, HACK_DETECTORS } from "../leads/index.ts";
import type { Entry } from "../models/inspector.ts";
import type { Limits, Sandbox } from "../sandbox/types.ts";
import type { Finding, Lead } from "../schema/evidence.ts";
import type { Group } from "../schema/group.ts";
import { connectTools, type ToolClient } from "../tools/server.ts";
import type { ToolContext } from "../tools/tool.ts";
import { createWorkspace, type OpenWorkspace, type WorkspaceInput } from "../workspace/create.ts";
import { openLog, type Log } from "../workspace/log.ts";
import { contradictions, type ContradictedPolicy, type Rerun } from "./contradictions.ts";
import { recordFlags } from "./rerun-findings.ts";
import { eligibility, type Eligibility } from "./eligibility.ts";
import { acceptedVerdict } from "./transcript.ts";

/** What a grading starts from: the group, the advantages that count, and how its parts are read. */
export interface GradingInput {
  group: Group;
  /** The trainer's rewards and advantages, in the group's order. */
  signals: readonly Signal[];
  workspace: WorkspaceInput;
  cacheDir?: string;
  rankOnly: boolean;
  sandbox: Sandbox;
  /** Limits of each box besides the default ones. */
  limits?: Partial<Limits>;
  /** Checks that may be run in all. */
  checks: number;
  /** What follows when a rerun contradicts a recorded pass. */
  contradicted: ContradictedPolicy;
  /** Milliseconds until the deadline. */
  msLeft(): number;
  warn(warning: Warning): void;
}

/** Everything of one grading that is too large for the graph's state or cannot be stored. */
export interface Session {
  workspace: OpenWorkspace;
  eligibility: Eligibility;
  context: ToolContext;
  tools: ToolClient;
  /** The inspection as it went, one line an entry. */
  transcript: Log<Entry>;
  policy: ContradictedPolicy;
  /** Recorded passes that reruns contradict so far, by label. */
  contradicted(): Promise<ReadonlyMap<string, Rerun>>;
  close(): Promise<void>;
}

/**
 * Builds the workspace, decides what is judged and runs the detectors. A group that is not graded still gets the hack
 * detectors, whose verified leads become findings; nothing else is spent on it.
 */
export async function openSession(input: GradingInput): Promise<Session> {
  const { group, cacheDir } = input;
  const workspace = await createWorkspace(input.workspace, {
    warn: (warning) => input.warn(warning),
    ...(cacheDir === undefined ? {} : { cacheDir }),
    readImage: input.sandbox.images?.read,
  });
  const patchOf = (id: string) => workspace.rollout(workspace.labelOf(id))?.patch;
  const eligible = eligibility(group.rollouts, input.signals, patchOf, input.rankOnly);
  const skipped = eligible.skip !== undefined;
  const { leads, dropped } = await collectLeads(workspace, skipped ? HACK_DETECTORS : DETECTORS);
  const findings = openLog<Finding>(join(workspace.dir, "findings.jsonl"));
  await writeFile(join(workspace.dir, "leads.json"), JSON.stringify({ leads, dropped }, null, 1));
  const transcript = openLog<Entry>(join(workspace.dir, "trace.jsonl"));
  const accepted = acceptedVerdict(await transcript.read());
  if (skipped) await recordHacks(workspace, findings, leads);
  const checks = openChecks({
    sandbox: input.sandbox,
    workspace,
    tests: group.tests,
    place: "image" in group.repo ? group.repo : undefined,
    limits: input.limits,
    limit: input.checks,
    msLeft: () => input.msLeft(),
  });
  const context: ToolContext = {
    workspace,
    leads,
    findings,
    checks,
    graded: eligible.graded.map((id) => workspace.labelOf(id)).sort(),
    verdict: accepted === undefined ? {} : { accepted },
  };
  // A veto needs no verdict: one rollout alone may not keep what its tests do not confirm.
  if (
    skipped &&
    input.contradicted === "veto" &&
    input.sandbox.name !== "none" &&
    group.tests !== undefined
  ) {
    const targets = workspace.rollouts.flatMap(({ label, passed, patch }) =>
      passed === true && patch.tree !== undefined ? [{ label, tree: patch.tree }] : [],
    );
    const base = { label: "base", tree: workspace.base };
    if (targets.length > 0) await checks.runTests([...targets, base], {}, "veto");
    await recordFlags({ workspace, context });
  }
  const tools = await connectTools(context);
  return {
    policy: input.contradicted,
    async contradicted() {
      const suspected = (await findings.read()).flatMap(({ rollout, hack }) =>
        hack === undefined ? [] : [rollout],
      );
      return contradictions(
        group.rollouts,
        (id) => workspace.labelOf(id),
        await checks.list(),
        new Set(suspected),
      );
    },
    workspace,
    eligibility: eligible,
    context,
    tools,
    transcript,
    async close() {
      await tools.close();
      await checks.close();
      await workspace.close();
    },
  };
}

async function recordHacks(
  workspace: OpenWorkspace,
  findings: Log<Finding>,
  leads: readonly Lead[],
): Promise<void> {
  for (const { id: _id, detector, ...lead } of leads) {
    if (lead.hack === undefined) continue;
    const checked = await verifyFinding(workspace, lead);
    if (checked.ok) await keepFinding(findings, { ...checked.value, source: detector });
  }
}
