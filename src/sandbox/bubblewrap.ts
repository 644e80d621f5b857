import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { openBoxes } from "./boxes.ts";
import { startMounts } from "./bubblewrap-cell.ts";
import { findRoot, rootArguments, type Root } from "./bubblewrap-root.ts";
import { CONTROLLERS, createCgroup, reapCgroups } from "./cgroup.ts";
import { reasonOf, SandboxFault } from "./fault.ts";
import { boxLimits } from "./limits.ts";
import { seccompFilter } from "./seccomp.ts";
import {
  DEFAULT_LIMITS,
  WORK_DIR,
  type BoxSpec,
  type Description,
  type Limits,
  type Sandbox,
} from "./types.ts";

export interface BubblewrapOptions {
  /** Folder with the programs that boxes run. Default: the image's folder, else the host's /usr. */
  root?: string;
  /** Limits of boxes, besides the default ones. */
  limits?: Partial<Limits>;
}

/** Namespaces of the kernel through bubblewrap, for hosts without a container engine. */
export function bubblewrapSandbox(options: BubblewrapOptions = {}): Sandbox {
  let reaped: Promise<void> | undefined;

  const start = async (spec: BoxSpec) => {
    reaped ??= reapCgroups();
    await reaped;
    if (spec.image !== undefined)
      throw new SandboxFault("unavailable", `bubblewrap has no images; ${spec.image} needs --sandbox docker`);
    await version();
    return startMounts({
      root: await rootArguments(await findRoot(options.root)),
      workdir: spec.workdir ?? WORK_DIR,
      limits: { ...DEFAULT_LIMITS, ...spec.limits },
    });
  };

  return {
    name: "bubblewrap",
    describe: () => describe(options.root),
    ...openBoxes(start, boxLimits(options.limits ?? {})),
  };
}

/** Runs a command in a box, since nothing less tells whether namespaces can be had. */
async function describe(given: string | undefined): Promise<Description> {
  const root = await findRoot(given);
  const base = { name: "bubblewrap", root: rootText(root) } as const;
  try {
    const found = await version();
    const box = await bubblewrapSandbox(given === undefined ? {} : { root: given }).open();
    const result = await box.run({ argv: ["true"] }).finally(() => box.close());
    if (result.outcome === "exited" && result.exit_code === 0)
      return { ...base, available: true, found, cannot: await missing() };
    const why = "reason" in result ? result.reason : `a command ended as ${JSON.stringify(result.outcome)}`;
    return { ...base, available: false, found: `${found}, but ${why}`, cannot: [] };
  } catch (error) {
    return { ...base, available: false, found: reasonOf(error), cannot: [] };
  }
}

const rootText = (root: Root) =>
  root.kind === "image"
    ? `folder ${root.path}`
    : "the host's /usr, since there is no folder of the default image";

/** @throws SandboxFault `unavailable` */
async function version(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("bwrap", ["--version"]);
    return stdout.trim();
  } catch (error) {
    throw new SandboxFault("unavailable", "bubblewrap is not installed (bwrap)", error);
  }
}

async function missing(): Promise<string[]> {
  const group = await createCgroup(DEFAULT_LIMITS);
  await group.remove();
  const lost = {
    memory:
      "Memory is limited for each process and not for all together, and a process that runs out fails like any other.",
    pids: "Processes are counted by user, not by box.",
    cpu: "Processors are not limited.",
  };
  return [
    "Programs share the host's kernel: against a fault of the kernel there is no help.",
    ...(seccompFilter() === undefined ? ["System calls are not filtered on this processor."] : []),
    "Only the default image's programs are there, no task images; a setup is run before each run, since it cannot be kept.",
    ...CONTROLLERS.filter((name) => !group.controllers.has(name)).map((name) => lost[name]),
  ];
}
