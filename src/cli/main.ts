#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { asGraderError } from "../errors.ts";
import { VERSION } from "../version.ts";

/** Exit status for a command line that is not understood, the same as for bad input. */
const USAGE = 2;

/** Commands are loaded one by one: a pipe through `gagar redistribute` must not pay for the graph and its libraries. */
const COMMANDS: Record<string, { about: string; load: () => Promise<Command> }> = {
  grade: {
    about: "grade groups of rollouts and redistribute their advantages",
    load: async () => (await import("./grade.ts")).gradeCommand(),
  },
  redistribute: {
    about: "redistribute advantages by tiers, ranks or scores made elsewhere (JSONL in, JSONL out)",
    load: async () => (await import("./redistribute.ts")).redistributeCommand(),
  },
  show: {
    about: "show what gagar reads from an input, without grading it",
    load: async () => (await import("./show.ts")).showCommand(),
  },
  test: {
    about: "run the tests of groups again and compare with what was recorded",
    load: async () => (await import("./test.ts")).testCommand(),
  },
  convert: {
    about: "write what gagar reads as native groups, or its trajectories as ATIF",
    load: async () => (await import("./convert.ts")).convertCommand(),
  },
  eval: {
    about: "measure graders on labelled groups, bundled ones or your own",
    load: async () => (await import("./eval.ts")).evalCommand(),
  },
  doctor: {
    about: "say what works on this machine, what is missing and what to do about it",
    load: async () => (await import("./doctor.ts")).doctorCommand(),
  },
  prune: {
    about: "remove the images that gradings keep in the container engine",
    load: async () => (await import("./prune.ts")).pruneCommand(),
  },
  schema: {
    about: "print a JSON Schema of gagar's data",
    load: async () => (await import("./schema.ts")).schemaCommand(),
  },
};

async function program(argv: readonly string[]): Promise<Command> {
  const root = new Command("gagar")
    .description("Groupwise grader for reinforcement learning of coding agents.")
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError("(add --help for the options)");
  const wanted = argv[2] === "help" ? argv[3] : argv[2];
  const one = wanted === undefined ? undefined : COMMANDS[wanted];
  if (one === undefined)
    for (const [name, { about }] of Object.entries(COMMANDS)) root.command(name).description(about);
  else root.addCommand(inherit(await one.load()));
  return root;
}

function inherit(command: Command): Command {
  return command.exitOverride().showHelpAfterError("(add --help for the options)");
}

async function main(): Promise<void> {
  // A reader that stops early, such as head, is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  try {
    const root = await program(process.argv);
    await root.parseAsync(process.argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : USAGE;
      return;
    }
    const known = asGraderError(error);
    process.stderr.write(`gagar: ${known.message}\n`);
    if (known.code === "internal" && error instanceof Error && process.env["GAGAR_DEBUG"] !== undefined)
      process.stderr.write(`${error.stack ?? ""}\n`);
    process.exitCode = known.exitStatus;
  }
}

await main();
