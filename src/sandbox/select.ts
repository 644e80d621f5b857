import { bubblewrapSandbox, type BubblewrapOptions } from "./bubblewrap.ts";
import { dockerSandbox, type DockerOptions } from "./docker.ts";
import { SANDBOX_NAMES, type Sandbox } from "./types.ts";
import { unavailableSandbox } from "./unavailable.ts";

export const SANDBOX_CHOICES = ["auto", ...SANDBOX_NAMES] as const;
export type SandboxChoice = (typeof SANDBOX_CHOICES)[number];

export interface SandboxOptions extends DockerOptions, BubblewrapOptions {}

/**
 * The sandbox of a choice. `auto` takes the first that works here: docker when an engine answers and has the image,
 * then bubblewrap, else none with the reason. A backend that was asked for by name is never replaced by another: when
 * it does not work, its boxes say so.
 */
export async function selectSandbox(choice: SandboxChoice, options: SandboxOptions = {}): Promise<Sandbox> {
  if (choice === "docker") return dockerSandbox(options);
  if (choice === "bubblewrap") return bubblewrapSandbox(options);
  if (choice === "none") return unavailableSandbox("no sandbox was wanted (--sandbox none)");
  const reasons: string[] = [];
  for (const sandbox of [dockerSandbox(options), bubblewrapSandbox(options)]) {
    const { available, found } = await sandbox.describe();
    if (available) return sandbox;
    reasons.push(`${sandbox.name}: ${found}`);
  }
  return unavailableSandbox(reasons.join("; "));
}
