import { Option } from "commander";
import { GraderError } from "../errors.ts";
import { SANDBOX_CHOICES, selectSandbox, type SandboxChoice } from "../sandbox/select.ts";
import type { Sandbox } from "../sandbox/types.ts";

/** `--sandbox`, with what it is by default in words. */
export function sandboxOption(otherwise: string): Option {
  return new Option(
    "--sandbox <name>",
    `where tests and scripts are run: auto (docker, else bubblewrap, else none), docker, bubblewrap or none; ${otherwise}`,
  ).choices([...SANDBOX_CHOICES]);
}

/**
 * The sandbox of a choice. `auto` goes on without one and says so on stderr.
 *
 * @throws GraderError `bad_config` when one that was asked for by name does not work here.
 */
export async function openSandbox(choice: SandboxChoice, quiet: boolean): Promise<Sandbox> {
  const selected = await selectSandbox(choice);
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
