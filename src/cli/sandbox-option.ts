import { InvalidArgumentError, Option, type Command } from "commander";
import { GraderError } from "../errors.ts";
import { LIMIT_NAMES, parseLimits } from "../sandbox/limits.ts";
import {
  SANDBOX_CHOICES,
  selectSandbox,
  type SandboxChoice,
  type SandboxOptions,
} from "../sandbox/select.ts";
import type { Limits, Sandbox } from "../sandbox/types.ts";

export interface SandboxFlags {
  sandboxLimits?: Partial<Limits>;
  sandboxRuntime?: string;
}

/** `--sandbox`, with what it is by default in words. */
export function sandboxOption(otherwise: string): Option {
  return new Option(
    "--sandbox <name>",
    `where tests and scripts are run: auto (docker, else bubblewrap, else none), docker, bubblewrap or none; ${otherwise}`,
  ).choices([...SANDBOX_CHOICES]);
}

/** What a sandbox is made with. */
export function addSandboxOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--sandbox-limits <name=value,...>",
        `limits of each box, such as memory=4g,work=1g,cpus=4: ${LIMIT_NAMES.join(", ")}`,
      ).argParser(limits),
    )
    .option(
      "--sandbox-runtime <name>",
      "docker: an OCI runtime that the engine knows, such as runsc (gVisor)",
    );
}

export const sandboxOptions = ({ sandboxLimits, sandboxRuntime }: SandboxFlags): SandboxOptions => ({
  ...(sandboxLimits === undefined ? {} : { limits: sandboxLimits }),
  ...(sandboxRuntime === undefined ? {} : { runtime: sandboxRuntime }),
});

function limits(text: string): Partial<Limits> {
  try {
    return parseLimits(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The sandbox of a choice. `auto` goes on without one and says so on stderr.
 *
 * @throws GraderError `bad_config` when one that was asked for by name does not work here.
 */
export async function openSandbox(
  choice: SandboxChoice,
  quiet: boolean,
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const selected = await selectSandbox(choice, options);
  if (choice === "none") return selected;
  const { available, found } = await selected.describe();
  if (available) return selected;
  if (choice !== "auto")
    throw new GraderError("bad_config", `${choice} does not work here: ${found}; see gagar doctor`, {
      field: "--sandbox",
    });
  if (!quiet) process.stderr.write(`gagar: no sandbox, so nothing can be run: ${found}\n`);
  return selected;
}
