import { Command } from "commander";
import { asGraderError } from "../errors.ts";
import { testRerunText } from "../report/test-rerun.ts";
import { rerunTests } from "../rerun-tests.ts";
import type { SandboxChoice } from "../sandbox/select.ts";
import type { Sandbox } from "../sandbox/types.ts";
import { loadGroups, type LoadedGroup, type SourceOptions } from "../sources/index.ts";
import { cleanUpOnSignals } from "./interrupt.ts";
import { positive } from "./numbers.ts";
import {
  addSandboxOptions,
  openSandbox,
  sandboxOption,
  sandboxOptions,
  type SandboxFlags,
} from "./sandbox-option.ts";
import { addSourceOptions, sourceOptions } from "./source-options.ts";

interface Flags extends SourceOptions, SandboxFlags {
  sandbox: SandboxChoice;
  deadline: number;
  cache?: string;
  json?: boolean;
  quiet?: boolean;
}

const HELP = `
Each rollout is run with the tests and the runner's configuration of the base, and the visible tests over it. A pass is
verified by a second run with a test that must fail ("none" where it could not be placed). The base is run as a control.
Options that say how tests are run stand before what a group declares.

Examples:
  $ gagar test runs/task-17
  $ gagar test swe/sympy-21847 --outcomes outcomes.json --test-command 'python3 -m pytest sympy/polys' --runner pytest

Exit status: 0 every recorded outcome is reproduced, 1 one is contradicted, 2 bad input or options, 3 none is contradicted
and one cannot be told, 4 a fault of gagar.`;

/** `gagar test`: reruns the tests of groups and holds them against the record. */
export function testCommand(): Command {
  const command = new Command("test")
    .description(
      "Run the tests of groups again, on every rollout and on the base, and compare with the record.",
    )
    .argument("<input...>", "group file, JSON Lines, folder, or runs of a harness");
  return addSandboxOptions(addSourceOptions(command))
    .addOption(sandboxOption("a name that does not work here is an error").default("auto"))
    .option("--deadline <seconds>", "time for all runs of one group", positive, 3600)
    .option("--cache <dir>", "folder for imported repositories (default: the user's cache)")
    .option("--json", "print one document a group instead of tables")
    .option("-q, --quiet", "say nothing of a missing sandbox")
    .addHelpText("after", HELP)
    .action(async (inputs: string[], flags: Flags) => {
      process.exitCode = await run(inputs, flags);
    });
}

async function run(inputs: readonly string[], flags: Flags): Promise<number> {
  const sandbox = await openSandbox(flags.sandbox, flags.quiet === true, sandboxOptions(flags));
  cleanUpOnSignals(sandbox);
  const statuses = new Set<number>([0]);
  try {
    for await (const loaded of loadGroups(inputs, sourceOptions(flags))) {
      try {
        if ("error" in loaded) throw loaded.error;
        statuses.add(await testOne(loaded, flags, sandbox));
      } catch (error) {
        const known = asGraderError(error);
        process.stderr.write(`gagar: ${known.message}\n`);
        statuses.add(known.exitStatus);
      }
    }
  } finally {
    await sandbox.close();
  }
  // Input that is wrong, or a fault, stands before a contradiction, and that before what cannot be told.
  return [4, 2, 1, 3].find((status) => statuses.has(status)) ?? 0;
}

async function testOne(loaded: LoadedGroup, flags: Flags, sandbox: Sandbox): Promise<number> {
  const rerun = await rerunTests(loaded, {
    sandbox,
    wall_s: flags.deadline,
    ...(flags.cache === undefined ? {} : { cacheDir: flags.cache }),
  });
  const text = flags.json === true ? JSON.stringify(rerun) : testRerunText(rerun);
  process.stdout.write(`${text}\n`);
  const agreements = new Set(rerun.rollouts.map(({ agreement }) => agreement));
  return agreements.has("contradicted") ? 1 : agreements.has("unknown") ? 3 : 0;
}
