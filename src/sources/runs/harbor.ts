import { basename, dirname, join, sep } from "node:path";
import {
  readCtrf,
  readJunit,
  readReward,
  readRewardText,
  readTrialResult,
  type ResultVerdict,
  type TrialResult,
} from "../results/index.ts";
import type { Warn } from "../notes.ts";
import { filesBelow, readDocument, readSmall } from "./files.ts";
import type { Part, Piece } from "./piece.ts";

/** Trajectories of a trial, likeliest first; a later one is read only where there is no earlier one. */
const TRAJECTORIES = [
  /^agent\/trajectory\.json$/,
  /^agent\/.*\.traj(?:\.json|ectory\.json)?$/,
  // Sub-agents and the list of prompts lie beside a session.
  /^agent\/(?:.*\/)?(?!agent-|history\.)[^/]*\.jsonl$/,
  /^agent\/(?:claude-code|codex)\.txt$/,
  /^(?:agent\/)?(?:agent\.log|sessions\/agent\.log|panes\/post-agent\.txt)$/,
];
const PATCHES = /^(?:(?:agent|artifacts|logs|verifier)\/)?(?:patch|model|solution|agent)\.(?:diff|patch)$/;
const OUTPUTS =
  /^(?:verifier\/test-stdout\.txt|verifier\/test_output\.txt|sessions\/tests\.log|panes\/post-test\.txt)$/;

/** The trials in a folder: those of its folders that hold a trial's `result.json` or a `verifier` folder. */
export async function trialsBelow(folder: string, warn: Warn): Promise<Map<string, string[]>> {
  const files: string[] = [];
  for await (const name of filesBelow(folder, warn)) files.push(name.split(sep).join("/"));
  const trials = new Set<string>();
  for (const name of files) {
    const match = /^(.*?)(?:^|\/)verifier\/[^/]+$/.exec(name);
    if (match !== null) trials.add(match[1] ?? "");
    else if (/(?:^|\/)results?\.json$/.test(name) && (await isTrial(join(folder, name))))
      trials.add(dirname(name) === "." ? "" : dirname(name));
  }
  const found = new Map<string, string[]>([...trials].sort().map((trial) => [trial, []]));
  for (const name of files)
    for (let trial = dirname(name); ; trial = dirname(trial)) {
      const key = trial === "." ? "" : trial;
      found.get(key)?.push(key === "" ? name : name.slice(key.length + 1));
      if (trial === "." || found.has(key)) break;
    }
  return found;
}

/** Whether a `result.json`, or a `results.json` of Terminal-Bench, is that of one trial. */
export async function isTrial(path: string): Promise<boolean> {
  const document = await readDocument(path);
  const result = document !== undefined && "value" in document ? readTrialResult(document.value) : undefined;
  return result !== undefined;
}

/** The pieces of every trial below a Harbor jobs directory. One task's trials form a group; a trial is an attempt. */
export async function harborPieces(folder: string, warn: Warn): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const [trial, files] of await trialsBelow(folder, warn)) {
    const path = join(folder, trial);
    const results = await Promise.all(
      files.filter((name) => /^results?\.json$/.test(name)).map((name) => resultOf(join(path, name))),
    );
    const result = results.find((found) => found !== undefined);
    const name = result?.trial ?? (trial === "" ? basename(folder) : basename(trial));
    const instance = taskOf(result, name);
    const at = { run: trial, instance, attempt: "" };
    const add = (file: string, part: Part): void =>
      void pieces.push({ ...at, source: join(path, file), of: "harbor", part });
    if (result?.verdict !== undefined)
      add("result.json", { kind: "verdict", verdict: { ...result.verdict, file: "result.json" } });
    for (const file of files) {
      if (PATCHES.test(file)) add(file, { kind: "patch", path: join(path, file) });
      if (OUTPUTS.test(file)) add(file, { kind: "test_output", path: join(path, file) });
      const verdict = file.startsWith("verifier/") ? await verifierVerdict(join(path, file)) : undefined;
      if (verdict !== undefined) add(file, { kind: "verdict", verdict: { ...verdict, file } });
    }
    const record = TRAJECTORIES.map((pattern) => files.find((file) => pattern.test(file))).find(
      (file) => file !== undefined,
    );
    if (record !== undefined) add(record, { kind: "trajectory", path: join(path, record) });
    for (const file of ["instruction.md", "task/instruction.md"])
      if (files.includes(file)) add(file, { kind: "statement", path: join(path, file) });
  }
  return pieces;
}

/** A trial is called `<task>__<letters>` where nothing else says which task it is of. */
function taskOf(result: TrialResult | undefined, trial: string): string {
  return result?.task === undefined ? trial.replace(/__[A-Za-z0-9]+$/, "") : basename(result.task);
}

async function resultOf(path: string): Promise<TrialResult | undefined> {
  const document = await readDocument(path);
  return document !== undefined && "value" in document ? readTrialResult(document.value) : undefined;
}

async function verifierVerdict(path: string): Promise<ResultVerdict | undefined> {
  const file = basename(path);
  if (file === "reward.txt") return readRewardText((await readSmall(path)) ?? "");
  if (file.endsWith(".xml")) return readJunit((await readSmall(path)) ?? "");
  if (!file.endsWith(".json")) return undefined;
  const document = await readDocument(path);
  if (document === undefined || "damaged" in document) return undefined;
  return file === "reward.json" ? readReward(document.value) : readCtrf(document.value);
}
