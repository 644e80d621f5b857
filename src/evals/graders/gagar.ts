import { gradeGroup, loadInspector, type Grade, type Inspector, type Sandbox } from "../../index.ts";
import type { Grader, Graded } from "./grader.ts";
import type { Place } from "../types.ts";

/** gagar's own grader without a model. */
export function offlineGrader(): Grader {
  return { name: "offline", cost: "free", grade: gradeWith(undefined) };
}

/**
 * gagar's own grader with a chat model that works with its tools.
 *
 * @param spec - `provider:model`.
 * @param sandbox - Where it runs code; without one it is offered no such tools.
 * @throws GraderError `bad_config` when the model cannot be had.
 */
export async function agentGrader(spec: string, sandbox?: Sandbox): Promise<Grader> {
  const checks = sandbox !== undefined && sandbox.name !== "none";
  const inspector = await loadInspector(spec, { checks });
  return {
    name: "agent",
    model: spec,
    ...(inspector.prompt_hash === undefined ? {} : { prompt_hash: inspector.prompt_hash }),
    cost: "tokens",
    resumable: true,
    grade: gradeWith(inspector, sandbox),
  };
}

function gradeWith(inspector: Inspector | undefined, sandbox?: Sandbox): Grader["grade"] {
  return async (loaded, { seed, deadline, dir, resume, onStep }) =>
    gradedOf(
      await gradeGroup(loaded, {
        seed,
        rankOnly: true,
        budget: { wall_s: deadline },
        ...(inspector === undefined ? {} : { inspector }),
        ...(sandbox === undefined ? {} : { sandbox }),
        ...(dir === undefined ? {} : { workspaceDir: dir, resume }),
        ...(onStep === undefined ? {} : { onProgress: ({ step }) => onStep(step) }),
      }),
    );
}

function gradedOf({ status, reason, rollouts, spend }: Grade): Graded {
  const { wall_s: _wall, ...usage } = spend;
  const isGraded = status === "graded";
  return {
    status,
    ...(reason === undefined ? {} : { reason }),
    places: Object.fromEntries(
      rollouts.flatMap(({ id, tier, rank }): [string, Place][] =>
        !isGraded || tier === undefined || rank === undefined ? [] : [[id, { tier, rank }]],
      ),
    ),
    findings: isGraded ? rollouts.flatMap(({ findings }) => findings) : [],
    flags: isGraded
      ? rollouts.flatMap(({ id, flags }) => flags.map(({ kind }) => ({ rollout: id, kind })))
      : [],
    usage,
  };
}
