import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export type Json = Record<string, unknown>;

/** Runs `gagar redistribute` over a text. */
export function filter(input: string | Buffer, ...args: string[]) {
  const run = spawnSync(process.execPath, [main, "redistribute", ...args], { input, encoding: "utf8" });
  const lines: Json[] = run.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return { status: run.status, out: run.stdout, err: run.stderr, lines };
}

const rolloutsOf = (line: Json | undefined): Json[] =>
  Array.isArray(line?.["rollouts"]) ? line["rollouts"] : [];
/** One field of every rollout of a line. */
export const column = (line: Json | undefined, field: string) =>
  rolloutsOf(line).map((rollout) => rollout[field]);

/** A line with one group; rollouts passed with advantage 1 unless they say otherwise. */
export function group(id: string, rollouts: readonly object[], fields: object = {}): string {
  const ids = rollouts.map((rollout, index) => ({ id: `r${index}`, passed: true, advantage: 1, ...rollout }));
  return `${JSON.stringify({ group_id: id, ...fields, rollouts: ids })}\n`;
}
