import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import {
  GraderError,
  readPatch,
  readTestOutput,
  readTrajectory,
  type Group,
  type LoadedGroup,
} from "../../index.ts";
import { readText } from "../read-json.ts";
import { passing, placed, type Grader } from "./grader.ts";
import { placesOf, type Standing } from "./places.ts";

const Answers = z.record(
  z.string(),
  z.strictObject({
    tier: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    rank: z.number().optional(),
    score: z.number().optional(),
  }),
);

/**
 * A JavaScript module as a grader. Its default export is called with the group and `{seed, signal}` and answers, or
 * promises, `{rollout: {tier, rank?, score?}}` for the passing rollouts that it places. Patches, trajectories (as events)
 * and test output stand in the group itself, which names no folder: a module is not shown where labels lie.
 *
 * @throws GraderError `bad_config` when the module cannot be loaded or exports no function.
 */
export async function moduleGrader(name: string, file: string): Promise<Grader> {
  const refuse = (why: string, cause?: unknown) =>
    new GraderError("bad_config", why, { file, field: "--grader" }, { cause });
  const source = await readText(file);
  const loaded: unknown = await import(pathToFileURL(resolve(file)).href).catch((cause: unknown) => {
    throw refuse(`cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  });
  const call: unknown =
    typeof loaded === "object" && loaded !== null ? Reflect.get(loaded, "default") : undefined;
  if (typeof call !== "function") throw refuse("has no default export that is a function");
  return {
    name,
    prompt_hash: createHash("sha256").update(source).digest("hex"),
    cost: "unknown",
    async grade(group, { seed, signal }) {
      const answer: unknown = await call(await withContents(group), { seed, signal });
      return placed(placesOf(standingsOf(answer, group, file)));
    },
  };
}

async function withContents({ group, root }: LoadedGroup): Promise<Group> {
  const rollouts = [];
  for (const rollout of group.rollouts) {
    const { patch_path: _patch, trajectory_path: _trajectory, test_output_path: _output, ...rest } = rollout;
    const patch = await readPatch(rollout, root, () => {});
    const trajectory = await readTrajectory(rollout, root, () => {});
    const output = await readTestOutput(rollout, root, () => {});
    rollouts.push({
      ...rest,
      patch: patch.state === "present" || patch.state === "empty" ? patch.text : null,
      ...(trajectory === undefined ? {} : { trajectory: trajectory.events }),
      ...(output === undefined ? {} : { test_output: output }),
    });
  }
  return { ...group, rollouts };
}

function standingsOf(answer: unknown, loaded: LoadedGroup, file: string): Record<string, Standing> {
  const here = { file, group: loaded.group.group_id };
  const result = Answers.safeParse(answer);
  if (!result.success) {
    const [issue] = result.error.issues;
    const field = issue?.path.map(String).join(".") ?? "";
    throw new GraderError(
      "bad_input",
      `gave an answer of another shape than {rollout: {tier: 1|2|3, rank?, score?}}: ${issue?.message ?? ""}`,
      { ...here, ...(field === "" ? {} : { field }) },
    );
  }
  const known = new Set(passing(loaded));
  for (const rollout of Object.keys(result.data))
    if (!known.has(rollout))
      throw new GraderError("bad_input", "was placed but is no passing rollout", { ...here, rollout });
  return Object.fromEntries(
    Object.entries(result.data).map(([id, { tier, rank, score }]) => [
      id,
      { tier, ...(rank === undefined ? {} : { rank }), ...(score === undefined ? {} : { score }) },
    ]),
  );
}
