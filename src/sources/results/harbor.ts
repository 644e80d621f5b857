import { asString, dig, firstText, isObject, optional } from "../shape.ts";
import { asVerdict, type ResultVerdict } from "./verdict.ts";

/** What a trial's `result.json` says of itself. */
export interface TrialResult {
  task?: string;
  trial?: string;
  verdict?: ResultVerdict;
}

/** Harbor `result.json` of one trial, or Terminal-Bench 1.x `results.json`; undefined for anything else. */
export function readTrialResult(value: unknown): TrialResult | undefined {
  if (!isObject(value)) return undefined;
  const rewards = dig(value, "verifier_result", "rewards") ?? dig(value, "verifier_result", "reward");
  const resolved = value["is_resolved"];
  const trial = firstText(value["trial_name"], value["trial_id"]);
  const task = firstText(value["task_name"], dig(value, "task_id", "path"), value["task_id"]);
  if (rewards === undefined && resolved === undefined && (trial === undefined || task === undefined))
    return undefined;
  const failure = firstText(
    dig(value, "exception_info", "exception_type"),
    value["failure_mode"] === "unset" || value["failure_mode"] === "none" ? undefined : value["failure_mode"],
  );
  const verdict =
    resolved === undefined ? readReward(rewards) : { source: "result" as const, passed: asVerdict(resolved) };
  return {
    ...optional("task", task),
    ...optional("trial", trial),
    ...optional(
      "verdict",
      verdict === undefined
        ? undefined
        : { ...verdict, source: "result" as const, ...optional("detail", failure ?? verdict.detail) },
    ),
  };
}

/**
 * A reward: a number, `{reward: number}`, or several by name, of which `reward` counts, else the only one. 1 passed,
 * anything below failed, and more than one name without `reward` says nothing.
 */
export function readReward(value: unknown): ResultVerdict | undefined {
  if (typeof value === "number") return rewardVerdict(value);
  if (!isObject(value)) return undefined;
  const numbers = Object.entries(value).filter(([, item]) => typeof item === "number");
  if (numbers.length === 0) return undefined;
  const named = value["reward"] ?? (numbers.length === 1 ? numbers[0]?.[1] : undefined);
  const detail = numbers.map(([name, item]) => `${name} ${String(item)}`).join(", ");
  if (typeof named !== "number") return { source: "reward", passed: null, detail };
  return { ...rewardVerdict(named), detail };
}

/** `verifier/reward.txt`: one number. */
export function readRewardText(text: string): ResultVerdict | undefined {
  const trimmed = text.trim();
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed)
    ? rewardVerdict(Number(trimmed))
    : undefined;
}

function rewardVerdict(reward: number): ResultVerdict {
  if (!Number.isFinite(reward)) return { source: "reward", passed: null };
  return { source: "reward", passed: reward >= 1, detail: `reward ${reward}` };
}

/** What a row of a data set says of its own outcome, or undefined. */
export function readRowVerdict(row: unknown): ResultVerdict | undefined {
  const found = [
    dig(row, "resolved"),
    dig(row, "target"),
    dig(row, "passed"),
    dig(row, "test_result", "report", "resolved"),
    dig(row, "report", "resolved"),
  ].find((value) => typeof value === "boolean" || value === 0 || value === 1);
  if (found !== undefined) return { source: "row", passed: asVerdict(found) };
  const reward = dig(row, "reward");
  if (typeof reward !== "number" || asString(dig(row, "output_patch")) === undefined) return undefined;
  return { ...rewardVerdict(reward), source: "row" };
}
