import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GradingContext } from "../../src/evals/graders/grader.ts";
import { tempDir } from "../helpers/temp-dir.ts";

export const project = fileURLToPath(new URL("../..", import.meta.url));

export const CONTEXT: GradingContext = {
  seed: 0,
  signal: new AbortController().signal,
  deadline: 60,
  resume: false,
};

/** One of the bundled groups in a folder of its own with its labels inside, as groups of others lie. */
export function labelledGroup(
  id = "tagwire-filter-args",
  change: (labels: Record<string, unknown>) => void = () => {},
): Disposable & { path: string; group: string } {
  const dir = tempDir();
  const group = join(dir.path, id);
  cpSync(join(project, "evals/suites/authored", id), group, { recursive: true });
  const labels = JSON.parse(readFileSync(join(project, `evals/labels/authored/${id}.json`), "utf8"));
  change(labels);
  mkdirSync(join(group, "labels"));
  writeFileSync(join(group, "labels/labels.json"), JSON.stringify(labels));
  return { path: dir.path, group, [Symbol.dispose]: dir[Symbol.dispose] };
}
