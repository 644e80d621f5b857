import { openBoxes } from "./boxes.ts";
import { ageNotes } from "./docker-age.ts";
import { startContainer } from "./docker-cell.ts";
import { ask, connectEngine, type Engine } from "./docker-engine.ts";
import { dockerImages } from "./docker-ground.ts";
import { findImage, imageFacts, noImage } from "./docker-images.ts";
import { commandEnv, containerOptions, EXPIRES_LABEL, LABEL, OWNER_LABEL } from "./docker-options.ts";
import { isPodman, PODMAN_CANNOT } from "./docker-podman.ts";
import { reasonOf } from "./fault.ts";
import { boxLimits } from "./limits.ts";
import { IMAGE } from "./image/recipe.ts";
import {
  DEFAULT_LIMITS,
  WORK_DIR,
  type BoxSpec,
  type Description,
  type Limits,
  type Sandbox,
} from "./types.ts";

export interface DockerOptions {
  /** Image of boxes that name none. Default: the one that `npm run image` makes. */
  image?: string;
  /** An OCI runtime that the engine knows, for example `runsc`. */
  runtime?: string;
  /** Limits of boxes, besides the default ones. */
  limits?: Partial<Limits>;
}

/** No group is graded for so long: a container this old belongs to a grader that is gone. Seconds. */
const LIFETIME_S = 6 * 3600;

/** Containers of an engine with Docker's API; DOCKER_HOST says which. */
export function dockerSandbox(options: DockerOptions = {}): Sandbox {
  const image = options.image ?? IMAGE;
  const limits = boxLimits(options.limits ?? {});
  let engine: Promise<{ client: Engine; processors: number }> | undefined;
  let reaping: Promise<unknown> = Promise.resolve();

  const connect = () => {
    engine ??= connectEngine()
      .then(async (client) => {
        const { NCPU } = await ask("asking the engine for its size", () => client.info());
        reaping = reap(client).catch(() => {});
        return { client, processors: typeof NCPU === "number" ? NCPU : 1 };
      })
      .catch((error) => {
        engine = undefined;
        throw error;
      });
    return engine;
  };

  const made = (own: Partial<Limits>, processors: number) => ({
    limits: { ...DEFAULT_LIMITS, ...limits, ...own },
    processors,
    ...(options.runtime === undefined ? {} : { runtime: options.runtime }),
    expires: Math.ceil(Date.now() / 1000) + LIFETIME_S,
  });

  const start = async (spec: BoxSpec) => {
    const { client, processors } = await connect();
    const name = spec.image ?? image;
    const { volumes, env } = await imageFacts(client, name);
    const variables = Object.keys(env);
    const workdir = spec.workdir ?? WORK_DIR;
    const how = made(spec.limits ?? {}, processors);
    const container = containerOptions({ image: name, variables, volumes, workdir, ...how });
    return startContainer(client, container, { env: commandEnv(env), folders: volumes });
  };

  const boxes = openBoxes(start, limits);
  return {
    name: "docker",
    describe: () => describe(image, options.runtime),
    images: dockerImages({ connect, made, image }),
    open: boxes.open,
    async close() {
      await boxes.close();
      await reaping;
    },
  };
}

export interface EngineProbe {
  /** Missing when no engine answers. */
  engine?: Engine;
  /** Its version, or why there is none. */
  found: string;
  /** Whether it has the image. */
  image: boolean;
  /** Names of the runtimes that it can start containers with. */
  runtimes: string[];
  /** What this engine cannot promise. */
  cannot: string[];
}

/** What there is to run containers with. */
export async function probeEngine(image = IMAGE): Promise<EngineProbe> {
  try {
    const engine = await connectEngine();
    const [version, podman, info, present] = await Promise.all([
      ask("asking for the version", () => engine.version()),
      isPodman(engine),
      ask("asking for limits", () => engine.info()),
      findImage(engine, image).then((known) => known !== undefined),
    ]);
    const found = `${podman ? "Podman" : "engine"} ${version.Version}, API ${version.ApiVersion}, ${version.Os}/${version.Arch}`;
    const runtimes = Object.keys(info.Runtimes ?? {});
    const own = podman ? PODMAN_CANNOT : ageNotes(version.Version);
    return { engine, found, image: present, runtimes, cannot: [...missing(info), ...own] };
  } catch (error) {
    return { found: reasonOf(error), image: false, runtimes: [], cannot: [] };
  }
}

async function describe(image: string, runtime: string | undefined): Promise<Description> {
  const probe = await probeEngine(image);
  const base = { name: "docker", root: `image ${image}`, cannot: probe.cannot } as const;
  if (probe.engine === undefined) return { ...base, available: false, found: probe.found };
  if (!probe.image) return { ...base, available: false, found: noImage(image) };
  if (runtime !== undefined && !probe.runtimes.includes(runtime))
    return {
      ...base,
      available: false,
      found: `the engine has no runtime ${runtime}, but ${probe.runtimes.join(", ")}`,
    };
  return { ...base, available: true, found: probe.found };
}

/** What this engine leaves out of what we ask for. */
function missing(info: Record<string, unknown>): string[] {
  const security = Array.isArray(info["SecurityOptions"]) ? info["SecurityOptions"].join(" ") : "";
  const limits: [string, string][] = [
    ["MemoryLimit", "memory"],
    ["SwapLimit", "swap"],
    ["PidsLimit", "the number of processes"],
    ["CpuCfsQuota", "processors"],
  ];
  return [
    "Containers share the host's kernel: against a fault of the kernel only another runtime (runsc) helps.",
    "An engine that is killed leaves its containers running until it is back.",
    ...limits
      .filter(([field]) => info[field] === false)
      .map(([, what]) => `The engine does not limit ${what}.`),
    ...(security.includes("seccomp") ? [] : ["The engine filters no system calls (seccomp is off)."]),
  ];
}

/**
 * Removes what graders left that are gone: their containers have ended, since a container ends with its grader, or are
 * older than any grading. A container that has just ended may still be looked at by its owner.
 */
export async function reap(engine: Engine, graceMs = 60_000, owner?: string): Promise<number> {
  const label = [LABEL, ...(owner === undefined ? [] : [`${OWNER_LABEL}=${owner}`])];
  const found = await engine.listContainers({ all: true, filters: { label } });
  const now = Date.now();
  let removed = 0;
  for (const { Id, State, Created, Labels } of found) {
    // People may start one of a prepared image by hand, and it has the image's labels.
    if (Labels[LABEL] === "image") continue;
    const container = engine.getContainer(Id);
    const expired = Number(Labels[EXPIRES_LABEL]) * 1000 < now;
    const over =
      State === "running"
        ? false
        : State === "created"
          ? Created * 1000 + 10 * graceMs < now
          : Date.parse((await container.inspect()).State.FinishedAt) + graceMs < now;
    if (!expired && !over) continue;
    await container.remove({ force: true, v: true }).catch(() => {});
    removed += 1;
  }
  await reapVolumes(engine, label, 10 * graceMs);
  return removed;
}

/** A volume comes before its container: one that nobody uses after a while has lost it. The engine keeps used ones. */
async function reapVolumes(engine: Engine, label: string[], graceMs: number): Promise<void> {
  const { Volumes } = await engine.listVolumes({ filters: JSON.stringify({ label }) });
  for (const { Name, Labels } of Volumes ?? []) {
    const made = (Number(Labels[EXPIRES_LABEL]) - LIFETIME_S) * 1000;
    if (made + graceMs > Date.now()) continue;
    const volume = engine.getVolume(Name);
    await volume.remove().catch(() => {});
  }
}
