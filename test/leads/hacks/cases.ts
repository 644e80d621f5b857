import { verifyFinding } from "../../../src/evidence/record.ts";
import type { Detector, Suspicion } from "../../../src/leads/lead.ts";
import type { TrajectoryEvent } from "../../../src/schema/trajectory.ts";
import {
  makeWorkspace,
  type Files,
  type RolloutSketch,
  type WorkspaceSketch,
} from "../../helpers/workspace.ts";

/** What a detector makes of one rollout: the gravest of its suspicions, `none` when it has none. */
export type Outcome =
  | "none"
  | "note"
  | "minor"
  | "major"
  | "result_forged"
  | "tests_tampered"
  | "answer_leaked";

/** One rollout of a table: files over the base, or a record of calls, and what is expected of it. */
export type Case = [expected: Outcome, rollout: Files | RolloutSketch];

const GRAVITY: readonly Outcome[] = [
  "none",
  "note",
  "minor",
  "major",
  "result_forged",
  "tests_tampered",
  "answer_leaked",
];

/**
 * Runs a detector over one workspace that holds every case as a rollout, and gives the outcome of each. The cases do
 * not pass, so that none is another one's peer. Throws when a citation does not hold.
 */
export async function outcomes(
  detector: Detector,
  sketch: Omit<WorkspaceSketch, "rollouts">,
  cases: Record<string, Case>,
): Promise<Record<string, Outcome>> {
  const rollouts = Object.fromEntries(
    Object.entries(cases).map(([name, [, rollout]]) => [name, { passed: false, ...asSketch(rollout) }]),
  );
  const found = await suspicions(detector, { ...sketch, rollouts });
  return Object.fromEntries(Object.keys(cases).map((name) => [name, gravest(found.get(name) ?? [])]));
}

/** What is expected of each case. */
export function expectations(cases: Record<string, Case>): Record<string, Outcome> {
  return Object.fromEntries(Object.entries(cases).map(([name, [expected]]) => [name, expected]));
}

/** The suspicions of a detector by rollout id, each with its citations checked as the grader checks them. */
export async function suspicions(
  detector: Detector,
  sketch: WorkspaceSketch,
): Promise<Map<string, Suspicion[]>> {
  await using workspace = await makeWorkspace(sketch);
  const broken = workspace.rollouts.filter((rollout) => rollout.patch.reason !== undefined);
  if (broken.length > 0)
    throw new Error(`patch refused: ${broken.map((one) => one.patch.reason).join(", ")}`);
  const found = new Map<string, Suspicion[]>();
  for (const suspicion of await detector.detect(workspace)) {
    const verified = await verifyFinding(workspace, suspicion);
    if (!verified.ok) throw new Error(`${detector.name}: ${suspicion.claim}: ${verified.problem}`);
    const id = workspace.idOf(suspicion.rollout);
    found.set(id, [...(found.get(id) ?? []), suspicion]);
  }
  return found;
}

function asSketch(rollout: Files | RolloutSketch): RolloutSketch {
  return isSketch(rollout) ? rollout : { files: rollout };
}

function isSketch(rollout: Files | RolloutSketch): rollout is RolloutSketch {
  return ["files", "patch", "events"].some((key) => key in rollout);
}

function gravest(found: readonly Suspicion[]): Outcome {
  const seen = found.map((one) => one.hack ?? one.severity);
  return GRAVITY.findLast((outcome) => seen.some((one) => one === outcome)) ?? "none";
}

/** Shell calls and what they printed, as the events of a trajectory. */
export function shell(
  ...calls: [command: string, output?: string, exitCode?: number][]
): Omit<TrajectoryEvent, "turn">[] {
  return calls.flatMap(([command, output = "", exitCode = 0], index) => {
    const turn = `t${index + 1}`;
    return [
      {
        id: `${turn}.c1`,
        kind: "call" as const,
        role: "agent" as const,
        text: command,
        tool: "bash",
        command,
      },
      {
        id: `${turn}.o1`,
        kind: "observation" as const,
        role: "env" as const,
        text: output,
        call: `${turn}.c1`,
        status: exitCode === 0 ? ("ok" as const) : ("error" as const),
        exit_code: exitCode,
      },
    ];
  });
}
