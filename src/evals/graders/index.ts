import { basename, extname } from "node:path";
import { GraderError, type Sandbox } from "../../index.ts";
import { BASELINES } from "./baselines.ts";
import { agentGrader, offlineGrader } from "./gagar.ts";
import type { Grader } from "./grader.ts";
import { moduleGrader } from "./module.ts";
import { onePromptGrader } from "./one-prompt.ts";
import type { ScoreTiers } from "./score-tiers.ts";
import { scoresGrader } from "./scores-file.ts";

export const BUILT_IN: readonly string[] = ["offline", "agent", "one-prompt", ...Object.keys(BASELINES)];

export interface GraderOptions {
  /** `provider:model` of the graders that need one. */
  model?: string;
  scoreTiers?: ScoreTiers;
  /** Where the agent runs code. Default: nowhere. */
  sandbox?: Sandbox;
}

/**
 * Graders by name: a built-in one, a file of scores (.json, .jsonl) or a module (.js, .mjs, .ts), which are called as
 * their file is.
 *
 * @throws GraderError `bad_config` for what is none of these, and for two of one name.
 */
export async function openGraders(names: readonly string[], options: GraderOptions): Promise<Grader[]> {
  const graders: Grader[] = [];
  for (const name of new Set(names)) graders.push(await openGrader(name, options));
  for (const [index, { name }] of graders.entries())
    if (graders.findIndex((grader) => grader.name === name) !== index)
      throw refusal(`two graders are called ${name}`);
  return graders;
}

async function openGrader(name: string, { model, scoreTiers, sandbox }: GraderOptions): Promise<Grader> {
  const baseline = BASELINES[name];
  if (baseline !== undefined) return baseline;
  if (name === "offline") return offlineGrader();
  if (name === "agent" || name === "one-prompt") {
    if (model === undefined) throw refusal(`${name} needs --model provider:model`);
    return name === "agent" ? agentGrader(model, sandbox) : onePromptGrader(model);
  }
  const extension = extname(name);
  const called = basename(name, extension);
  if (extension === ".json" || extension === ".jsonl") return scoresGrader(called, name, scoreTiers);
  if ([".js", ".mjs", ".ts"].includes(extension)) return moduleGrader(called, name);
  throw refusal(
    `${JSON.stringify(name)} is none of ${BUILT_IN.join(", ")}, no file of scores (.json, .jsonl) and no module (.js, .mjs, .ts)`,
  );
}

function refusal(why: string): GraderError {
  return new GraderError("bad_config", why, { field: "--grader" });
}
