import { bubblewrapSandbox } from "./bubblewrap.ts";
import { probeEngine } from "./docker.ts";
import { BUILD_ADVICE, IMAGE } from "./image/recipe.ts";

/** A row of `gagar doctor`. Nothing here is needed: without a sandbox grading goes by what was recorded. */
export interface SandboxCheck {
  name: string;
  ok: boolean;
  needed: false;
  found: string;
  /** What to do, or what cannot be promised. Empty when all is well. */
  advice: string;
}

/** Container engine, default image and bubblewrap on this machine. */
export async function sandboxChecks(): Promise<SandboxCheck[]> {
  const [probe, bubblewrap] = await Promise.all([probeEngine(), bubblewrapSandbox().describe()]);
  const engine = probe.engine !== undefined;
  return [
    {
      name: "container engine",
      ok: engine,
      needed: false,
      found: engine ? probe.found : "none",
      advice: engine
        ? probe.cannot.join(" ")
        : `${probe.found}; without it the sandbox cannot use containers`,
    },
    {
      name: "sandbox image",
      ok: probe.image,
      needed: false,
      found: probe.image ? IMAGE : "none",
      advice: probe.image
        ? ""
        : engine
          ? `${IMAGE} is missing: ${BUILD_ADVICE}`
          : "needs a container engine first",
    },
    {
      name: "bubblewrap",
      ok: bubblewrap.available,
      needed: false,
      found: bubblewrap.available ? `${bubblewrap.found}, programs from ${bubblewrap.root}` : "not usable",
      advice: bubblewrap.available
        ? bubblewrap.cannot.join(" ")
        : `${bubblewrap.found}; without it and without an engine, checks answer "unavailable"`,
    },
  ];
}
