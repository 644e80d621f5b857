import { type Command, Option } from "commander";
import { RUNNERS } from "../schema/group.ts";
import { positive } from "./numbers.ts";
import { SOURCE_KINDS, type SourceOptions } from "../sources/index.ts";

const NAMES: ReadonlySet<string> = new Set<keyof SourceOptions>([
  "outcomes",
  "passed",
  "root",
  "from",
  "repo",
  "repoMap",
  "taskMap",
  "testCommand",
  "testPatch",
  "runner",
  "testImage",
  "testSetup",
  "testTimeout",
]);

/** Options of every command that reads groups. */
export function addSourceOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--outcomes <file>", "JSON with the test outcomes: {id: true|false|null}").conflicts(
        "passed",
      ),
    )
    .addOption(
      new Option(
        "--passed <ids>",
        "comma-separated ids of the rollouts that passed; all others failed",
      ).argParser(idsOf),
    )
    .option("--root <folder>", "folder that the groups' paths are relative to, in place of their file's")
    .addOption(
      new Option(
        "--from <kind>",
        "what the inputs are; auto, the default, finds out by content and layout",
      ).choices(SOURCE_KINDS),
    )
    .option("--repo <place>", "runs: folder, archive, or git repository (path#commit, https://...#commit)")
    .option("--repo-map <file>", "runs: JSON or JSONL, instance -> repository, as --repo or {git, commit}")
    .option("--task-map <file>", "runs: JSON or JSONL, instance -> task statement or its file")
    .option("--test-command <command>", "how the tests are run, in place of what a group says")
    .option("--test-patch <file>", "patch with the visible tests")
    .addOption(new Option("--runner <name>", "what reads the tests' report and output").choices(RUNNERS))
    .option("--test-image <name>", "image that the tests are run in")
    .option("--test-setup <command>", "run once on the base before the tests, and kept as an image")
    .option("--test-timeout <seconds>", "time of the tests on one rollout", positive);
}

/** The parsed options of a command that `addSourceOptions` was called on. */
export function sourceOptions(options: SourceOptions): SourceOptions {
  const given = Object.entries(options).filter(([name, value]) => NAMES.has(name) && value !== undefined);
  return Object.fromEntries(given);
}

function idsOf(list: string): string[] {
  return list
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
}
