import { basename, dirname, extname, sep } from "node:path";
import { COMMON } from "./rows.ts";

/** Folders that sort the files of one run by kind; they do not tell runs apart. */
const STRUCTURE =
  /^(?:trajs?|trajectories|logs|run_evaluation|evaluation|evals?|eval_outputs?|results?|preds|predictions|patches|outputs?|reports?|test_output)$/;

/** The instance of Multi-SWE-bench's `<org>/<repo>/evals/pr-<number>/`, as its predictions name it. */
export function pullRequest(path: string): string | undefined {
  const [org, repo, evals, folder] = path.split(sep).slice(-5, -1);
  const number = /^pr-(\d+)$/.exec(folder ?? "")?.[1];
  return number === undefined || evals !== "evals" ? undefined : `${org}__${repo}-${number}`;
}

/** `astropy__astropy-7166.traj.json` is about `astropy__astropy-7166`; dots inside an id stay. */
export function stemOf(file: string): string {
  return file.endsWith(".traj.json")
    ? file.slice(0, -".traj.json".length)
    : file.slice(0, -extname(file).length);
}

/** Files in a folder of trajectories are records, whatever they are called. */
export function isRecordFolder(name: string): boolean {
  return /^(?:trajs|trajectories)$/.test(basename(dirname(name)));
}

/** Files of predictions lie side by side under the names of their runs, or in their run's folder under a common name. */
export function inNamed(run: string, file: string): string {
  const stem = stemOf(file).replace(/\.(?:preds|predictions|eval_results)$/, "");
  const common =
    COMMON.test(stem) || !/^(?:.*\.(?:preds|predictions|eval_results)\.json|.*\.jsonl)$/.test(file);
  return common ? run : joined(run, stem);
}

export function joined(run: string, name: string): string {
  return run === "" ? name : `${run}/${name}`;
}

/** The folders that tell a run apart. */
export function runOf(folder: string): string {
  return folder
    .split(sep)
    .filter((part) => part !== "." && !STRUCTURE.test(part))
    .join("/");
}

/** The folder that an instance is called after: not `attempt_2` but the one that it lies in. */
export function instanceFolder(folder: string): string {
  const name = basename(folder);
  return /^(?:attempt|run|trial|rollout|epoch|sample)[-_]?\d+$/i.test(name)
    ? basename(dirname(folder))
    : name;
}

/** A run without the folder of the instance, in which its files lie. */
export function without(run: string, instance: string): string {
  return run
    .split("/")
    .filter((part) => part !== instance)
    .join("/");
}
