import { type Command, Option } from "commander";
import type { SourceOptions } from "../sources/index.ts";

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
    .option("--root <folder>", "folder that the groups' paths are relative to, in place of their file's");
}

/** The parsed options of a command that `addSourceOptions` was called on. */
export function sourceOptions(options: SourceOptions): SourceOptions {
  const { outcomes, passed, root } = options;
  return {
    ...(outcomes === undefined ? {} : { outcomes }),
    ...(passed === undefined ? {} : { passed }),
    ...(root === undefined ? {} : { root }),
  };
}

function idsOf(list: string): string[] {
  return list
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
}
